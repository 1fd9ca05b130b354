import { describe, expect, it } from 'vitest';
import { ToolResult } from '../result/tool-result.js';
import { WriteTarget } from '../target/write-target.js';
import { toolMatchers } from './tool-matchers.js';
import './vitest.js';

const page = WriteTarget.of('pages', 12);
const wrote = ToolResult.wrote(page, 'Renamed.');
const wroteThenFailed = ToolResult.error('The index failed.', { target: page });

function messageOf(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  return 'did not fail';
}

describe('toHaveWritten', () => {
  it('passes when the result names the record, and reads a uid as text', () => {
    expect(wrote).toHaveWritten();
    expect(wrote).toHaveWritten('pages');
    expect(wrote).toHaveWritten('pages', 12);
    expect(wrote).toHaveWritten('pages', '12');
    expect({ result: wrote }).toHaveWritten('pages', 12);
    expect(wroteThenFailed).toHaveWritten('pages', 12);
  });

  it('fails, and says what was written instead, when it is another record', () => {
    expect(messageOf(() => expect(wrote).toHaveWritten('pages', 13))).toContain(
      'Expected the tool to have written pages:13, and it wrote pages:12.',
    );
    expect(messageOf(() => expect(wrote).toHaveWritten('news'))).toContain(
      'to have written a record of news',
    );
    expect(messageOf(() => expect(ToolResult.refused('No page 12.')).toHaveWritten('pages', 12))).toContain(
      'and it refused.\n  content: "No page 12."',
    );
  });

  it('negates', () => {
    expect(ToolResult.unchanged('same')).not.toHaveWritten();
    expect(wrote).not.toHaveWritten('pages', 1);
    expect(messageOf(() => expect(wroteThenFailed).not.toHaveWritten('pages', 12))).toContain(
      'Expected the tool not to have written pages:12, and it wrote pages:12 and then failed.',
    );
  });

  it('says how to use it when it is used wrongly', () => {
    expect(messageOf(() => expect(Promise.resolve(wrote)).toHaveWritten())).toContain('await host.run');
    expect(messageOf(() => expect({ target: page }).toHaveWritten())).toContain('a record of the test host');
    expect(messageOf(() => expect(wrote).not.toHaveWritten(undefined, 12))).toContain(
      'a table before the uid',
    );
    expect(messageOf(() => expect(wrote).not.toHaveWritten('pages', 0))).toContain('a positive safe integer');
  });
});

describe('the matchers of one kind', () => {
  const results = {
    text: ToolResult.text('Some text.'),
    wrote,
    unchanged: ToolResult.unchanged('Some text.'),
    refused: ToolResult.refused('Some text.'),
    error: ToolResult.error('Some text.'),
  };
  const matchers = {
    toHaveAnswered: 'text',
    toBeUnchanged: 'unchanged',
    toHaveRefused: 'refused',
    toHaveFailed: 'error',
  } as const;

  for (const [name, kind] of Object.entries(matchers)) {
    const matcher = toolMatchers[name as keyof typeof matchers];

    it(`${name} passes for ${kind} alone`, () => {
      const passing = Object.entries(results).filter(([, result]) => matcher(result).pass);
      expect(passing.map(([of]) => of)).toEqual([kind]);
    });

    it(`${name} compares the text when one is given`, () => {
      const result = results[kind];
      expect(matcher(result, 'Some').pass).toBe(true);
      expect(matcher(result, /^some text/iu).pass).toBe(true);
      expect(matcher(result, 'Other').pass).toBe(false);
      expect(matcher(result, 'Other').message()).toContain('a text that contains "Other"');
      expect(() => matcher(result, 7 as never)).toThrow('a text or a regular expression');
    });
  }

  it('reads a pattern afresh each time when it is global', () => {
    const pattern = /text/gu;
    expect(results.refused).toHaveRefused(pattern);
    expect(results.refused).toHaveRefused(pattern);
  });

  it('is explained with what happened when the assertion fails', () => {
    const failure = { kind: 'threw', error: new TypeError('no session') } as const;
    const record = {
      result: results.error,
      outcome: 'unknown',
      toolName: 'rename_page',
      failure,
      notes: ['a note'],
    };
    const message = messageOf(() => expect(record).toHaveRefused());
    expect(message).toContain('Expected the tool "rename_page" to have refused, and it failed.');
    expect(message).toContain('outcome: unknown');
    expect(message).toContain('note:    a note');
    expect(message).toContain('threw TypeError: no session');
  });
});

describe('toHaveUnknownOutcome', () => {
  it('passes when the record says so, and is negated', () => {
    expect({ result: ToolResult.error('x'), outcome: 'unknown' }).toHaveUnknownOutcome();
    expect({ result: wrote, outcome: 'landed' }).not.toHaveUnknownOutcome();
  });

  it('says that a result has no outcome when it is given one', () => {
    expect(messageOf(() => expect(wrote).toHaveUnknownOutcome())).toContain('a result alone has no outcome');
  });
});
