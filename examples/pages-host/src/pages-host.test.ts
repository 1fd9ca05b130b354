import { openPagesDatabase } from '@toolwright/example-pages-plugin';
import { beforeAll, describe, expect, it } from 'vitest';
import { runPagesHost, type HostReport } from './pages-host.js';
import { traceLine } from './trace-lines.js';

describe('the pages host', () => {
  const database = openPagesDatabase();
  let report: HostReport;

  beforeAll(async () => {
    report = await runPagesHost(database);
  });

  it('shows the person who decides what the write would do', () => {
    expect(report.card.preview?.lines).toEqual(['Rename page 12', 'from: About us', 'to:   Who we are']);
    expect(report.card.input).toEqual({ id: 12, title: 'Who we are' });
  });

  it('offers its own tool beside those of the plugin, and tells the model what it found', () => {
    const found = report.trace.find((step) => step.kind === 'tool');
    expect(found).toMatchObject({
      tool: 'find_pages',
      outcome: null,
      result: { content: 'Pages with that title: 12' },
    });
  });

  it('stores the record of the write in the trace, and the record is in the database', () => {
    expect(report.targets).toMatchObject([{ table: 'pages', uid: 12, tool: 'rename_page' }]);
    expect(report.titles).toEqual(['Who we are']);
    expect(database.prepare('select count(*) from pages').pluck().get()).toBe(1);
  });

  it('completes, and the write is landed, though a hook failed after it', () => {
    expect(report.result).toMatchObject({
      status: 'completed',
      answer: 'The page is now called "Who we are".',
      writes: [{ tool: 'rename_page', outcome: 'landed', target: { table: 'pages', uid: 12 } }],
    });
    const notes = report.trace.filter((step) => step.kind === 'note');
    expect(notes).toMatchObject([{ text: expect.stringContaining('(translateTitle)') }]);
  });

  it('has every step of the run in the trace, each a line', () => {
    expect(report.trace.map(({ kind }) => kind)).toEqual([
      'request',
      'model',
      'tool',
      'model',
      'approval',
      'approval',
      'tool',
      'write_target',
      'note',
      'model',
    ]);
    expect(report.trace.map(traceLine).join('\n')).toContain('  8  write_target rename_page wrote pages:12');
  });
});
