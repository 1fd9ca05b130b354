import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readLabels } from './labels.js';

describe('CSV', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    [
      'two rows',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a last row without an end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'the ends of Windows',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'empty fields',
      'a,,\n,,b\n',
      [
        ['a', '', ''],
        ['', '', 'b'],
      ],
    ],
    ['commas, quotes and line breaks in quotes', '"a,1","say ""b""","c\nd"\n', [['a,1', 'say "b"', 'c\nd']]],
    ['nothing', '', []],
  ])('with %s is read as it is', (_what, text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });
});

describe('a label file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'labels-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const read = (text: string) => {
    const file = path.join(folder, 'labels.csv');
    writeFileSync(file, text);
    return readLabels(file);
  };
  const HEADING =
    'repo,commit,tool,file:line,declared_readonly,declared_idempotent,true_effect,how_you_know\n';

  it('is read by its columns, whatever their order', () => {
    const row = 'acme/a,c0ffee,get,src/a:b.ts:7,true,none,read_only,"[calls] reads, nothing else"\n';
    const expected = {
      file: 'src/a:b.ts',
      line: 7,
      declaredReadOnly: 'true',
      trueEffect: 'read_only',
      tier: 'calls',
    };
    expect(read(HEADING + row)).toMatchObject([expected]);
    const [names = [], cells = []] = parseCsv(HEADING + row).map((cells) => [...cells].reverse());
    const quoted = (line: readonly string[]): string => line.map((cell) => `"${cell}"`).join(',');
    expect(read(`${quoted(names)}\n${quoted(cells)}\n`)).toMatchObject([expected]);
  });

  it('says which column is missing, and which there are', () => {
    expect(() => read('repo,tool\nacme/a,get\n')).toThrow(/has no column "file:line"; it has repo, tool/u);
  });
});
