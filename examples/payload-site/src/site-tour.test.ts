import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSiteTour, type TourReport } from './site-tour.js';

let folder: string;
let report: TourReport;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'payload-site-tour-'));
  report = await runSiteTour(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the tour', () => {
  it('lands every write that was allowed, though a hook failed after most of them', () => {
    expect(report.result).toMatchObject({ status: 'completed' });
    expect(report.result.writes.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['update_page_metadata', 'landed'],
      ['move_block', 'landed'],
      ['create_translation_draft', 'landed'],
      ['set_image_alternative_text', 'landed'],
      ['publish_page', 'landed'],
      ['update_page_metadata', 'not_landed'],
      ['update_page_metadata', 'not_landed'],
      ['create_page_draft', 'landed'],
    ]);
    expect(report.notes).toHaveLength(5);
  });

  it('tells the model the same of a page that is missing and of one that is somebody else’s', () => {
    const [theirs, missing] = report.answers.slice(-3);
    expect(theirs).toBe('There is no such page that you may use for this.');
    expect(missing).toBe(theirs);
  });

  it('asks a person before each write, with before and after', () => {
    expect(report.cards).toHaveLength(8);
    expect(report.cards[0]?.preview?.lines).toContain('title before: About us');
    expect(report.cards[0]?.preview?.lines).toContain('title after:  Who we are');
  });

  it('leaves the site as it was asked for', () => {
    expect(report.published).toEqual({ title: 'Who we are', blocks: ['picture', 'text', 'text'] });
    expect(report.titles).toEqual(['Who we are', 'Secret plans', 'News']);
  });

  it('tells from the history what became of each write', () => {
    expect(
      report.outcomes.observed.map(({ tool, counts, unknownReasons }) => [
        tool,
        Object.entries({ ...counts, ...unknownReasons }).filter(([, count]) => count > 0),
      ]),
    ).toEqual([
      ['create_page_draft', [['discarded', 1]]],
      ['create_translation_draft', [['accepted_unchanged', 1]]],
      ['move_block', [['accepted_unchanged', 1]]],
      ['publish_page', [['accepted_unchanged', 1]]],
      // Images have no versions.
      ['set_image_alternative_text', [['no_mark', 1]]],
      ['update_page_metadata', [['edited', 1]]],
    ]);
  });
});
