import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../unit.js';
import { UnitQuery } from './unit-query.js';
import { WireStatements } from './wire-statements.js';

const CHANGE: Statement = {
  sql: 'update runs set epoch = $1 where id = $2',
  parameters: [2, 'run-1'],
  rows: 1,
};
const INSERT: Statement = { sql: 'insert into steps values ($1)', parameters: ['a long text'], rows: 'any' };
const READ: Statement = {
  sql: 'select seq from steps where run_id = $1',
  parameters: ['run-1'],
  rows: 'any',
};

/** The messages that a unit sends, one line each. */
function sent(unit: readonly Statement[], wires = new WireStatements()): readonly string[] {
  const lines: string[] = [];
  const note =
    (kind: string) =>
    (message: { portal?: string; name?: string } = {}): void =>
      void lines.push(`${kind} ${message.portal ?? message.name ?? ''}`.trim());
  const connection = {
    stream: { cork: () => undefined, uncork: note('send') },
    ...Object.fromEntries(
      ['parse', 'bind', 'describe', 'execute', 'close', 'sync'].map((kind) => [kind, note(kind)]),
    ),
  };
  new UnitQuery(unit, wires.of(unit)).submit(connection as unknown as pg.Connection);
  return lines;
}

describe('a unit on the wire', () => {
  it('is sent at once, with one Sync behind all of it', () => {
    expect(sent([CHANGE, INSERT])).toEqual([
      'parse',
      'bind unit_0',
      'parse',
      'bind unit_1',
      'execute unit_0',
      'execute unit_1',
      'sync',
      'send',
    ]);
  });

  it('locks no row before all values are there, and reads what was changed before', () => {
    const lines = sent([CHANGE, INSERT, READ]);

    expect(lines.indexOf('bind unit_1')).toBeLessThan(lines.indexOf('execute unit_0'));
    expect(lines.indexOf('bind unit_2')).toBeGreaterThan(lines.indexOf('execute unit_1'));
  });

  it('is prepared by name when it comes again', () => {
    const wires = new WireStatements();

    expect(sent([INSERT], wires)).toContain('parse');
    expect(sent([INSERT], wires)).toContain('parse unit_1');
  });

  it('is no unit when nobody could count the rows that it must touch', () => {
    const table = { sql: 'create table t (i int)', parameters: [], rows: 1 };

    expect(() => sent([table])).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });

  it('raises an error for no rows only where something else would have to be taken back', () => {
    const [alone] = new WireStatements().of([CHANGE, READ]);
    const [first] = new WireStatements().of([CHANGE, INSERT]);

    expect(alone?.text).toContain('n in (0, 1)');
    expect(first?.text).toContain('n = 1');
  });
});
