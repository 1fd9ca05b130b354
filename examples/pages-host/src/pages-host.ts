import {
  openPagesDatabase,
  pagesContent,
  pagesTools,
  type PagesDatabase,
} from '@toolwright/example-pages-plugin';
import {
  createRuntime,
  scriptedModel,
  type PauseCard,
  type RunResult,
  type Step,
  type StoredTarget,
} from '@toolwright/runtime';
import type { Logger } from '@toolwright/sdk';
import { findPages } from './find-pages.js';

/** What the host did, for whoever wants to print or to check it. */
export interface HostReport {
  /** What the person who decided was shown. */
  readonly card: PauseCard;
  readonly result: RunResult;
  readonly trace: readonly Step[];
  /** The record of each write, as the trace has it. */
  readonly targets: readonly StoredTarget[];
  /** The titles of those records, as the database has them. */
  readonly titles: readonly unknown[];
}

// A real host logs to its own place; the trace tells what matters here.
const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Code of the installation that fails after every write, as such code does. */
function translateTitle(): never {
  throw new TypeError('Cannot read the session of a background process.');
}

/**
 * Runs the tools of the pages plugin through the loop: a model finds a page and renames it, a person
 * approves the write, and the trace says which record was written.
 */
export async function runPagesHost(database: PagesDatabase = openPagesDatabase()): Promise<HostReport> {
  database.prepare(`insert into pages (id, title, body) values (12, 'About us', 'We make tools.')`).run();
  const runtime = createRuntime({
    // A script stands in for a model, so that the example answers the same every time.
    model: scriptedModel([
      { call: { tool: 'find_pages', arguments: { title: 'About us' } } },
      { call: { tool: 'rename_page', arguments: { id: 12, title: 'Who we are' } } },
      'The page is now called "Who we are".',
    ]),
    tools: [findPages],
    plugins: [{ name: 'pages', version: '1.0.0', tools: pagesTools }],
    content: pagesContent(database, { hooks: [translateTitle], logger: quiet }),
    logger: quiet,
  });
  const person = { id: 'chief-editor' };

  const paused = await runtime.run({
    runId: 'run-1',
    actor: { id: 'editor' },
    prompt: 'Give the page "About us" a friendlier title.',
  });
  const [pause] = paused.status === 'paused' ? paused.pauses : [];
  if (pause === undefined) {
    throw new Error(
      `Expected the run to wait for a person before it writes, found that it is ${paused.status}.`,
    );
  }
  const card = await runtime.card(pause, person);
  await runtime.approve(pause, person);
  const result = await runtime.resume(pause.runId);

  const trace = await runtime.trace(pause.runId, person);
  const targets = trace.filter((step) => step.kind === 'write_target');
  const readTitle = database.prepare('select title from pages where id = ?').pluck();
  return { card, result, trace, targets, titles: targets.map(({ uid }) => readTitle.get(uid)) };
}
