import {
  createRuntime,
  scriptedModel,
  type OutcomeReport,
  type PauseCard,
  type RunResult,
} from '@toolwright/runtime';
import type { Logger } from '@toolwright/sdk';
import type { TypedUser } from 'payload';
import { addFirstContent, type FirstContent } from './site/first-content.js';
import { openSite } from './site/open-site.js';
import { siteTools } from './site-tools.js';

/** What happened, for whoever wants to print or to check it. */
export interface TourReport {
  readonly ids: FirstContent;
  readonly result: RunResult;
  /** What the person who decides was shown, call by call. */
  readonly cards: readonly PauseCard[];
  /** What the model was told, call by call. */
  readonly answers: readonly string[];
  /** What failed after its write and did not fail it. */
  readonly notes: readonly string[];
  /** The page as everybody sees it at the end. */
  readonly published: { readonly title: unknown; readonly blocks: readonly unknown[] };
  readonly titles: readonly unknown[];
  /** What became of what the tools wrote, after people went on with it. */
  readonly outcomes: OutcomeReport;
}

const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * An editor's assistant changes a page, moves a block, translates and publishes; a chief approves each write.
 * It also tries a page that is somebody else's and one that is not there, and is told the same of both. Later the chief
 * goes on with what it made, and what became of each write is derived from the site's own history.
 */
export async function runSiteTour(folder: string): Promise<TourReport> {
  let isCacheReachable = true;
  // Code of the installation that fails after a write, as such code does.
  function flushEdgeCache(): void {
    if (!isCacheReachable) {
      throw new TypeError('Cannot read the session of a background process.');
    }
  }
  const pageHooks = { afterChange: [flushEdgeCache] };
  const { payload, content } = await openSite({ folder, pageHooks, logger: quiet });
  const ids = await addFirstContent(payload);
  isCacheReachable = false;
  const layout = async (): Promise<readonly { readonly id: string; readonly blockType: string }[]> => {
    const page: unknown = await payload.findByID({ collection: 'pages', id: ids.about, depth: 0 });
    return (page as { readonly layout: readonly { readonly id: string; readonly blockType: string }[] })
      .layout;
  };
  const picture = (await layout()).find(({ blockType }) => blockType === 'picture')?.id ?? '';
  const call = (tool: string, args: Readonly<Record<string, unknown>>) => ({
    call: { tool, arguments: args },
  });
  const runtime = createRuntime({
    // A script stands in for a model, so that the tour is the same every time.
    model: scriptedModel([
      call('find_pages', { title: 'About us' }),
      call('update_page_metadata', {
        id: ids.about,
        title: 'Who we are',
        description: 'People who make tools.',
      }),
      call('move_block', { page: ids.about, block: picture, position: 1 }),
      call('create_translation_draft', {
        id: ids.about,
        title: 'Wer wir sind',
        description: 'Wir machen Werkzeug.',
      }),
      call('set_image_alternative_text', { id: ids.logo, text: 'A hammer' }),
      call('publish_page', { id: ids.about }),
      call('update_page_metadata', { id: ids.secretPlans, title: 'Mine now', description: '' }),
      call('update_page_metadata', { id: 4711, title: 'Mine now', description: '' }),
      call('create_page_draft', { title: 'News' }),
      'Done.',
    ]),
    tools: siteTools(content),
    content,
    logger: quiet,
  });
  const chief = { id: String(ids.chief) };
  const cards: PauseCard[] = [];
  let result = await runtime.run({ actor: { id: String(ids.editor) }, prompt: 'Tidy up the page about us.' });
  while (result.status === 'paused') {
    for (const pause of result.pauses) {
      cards.push(await runtime.card(pause, chief));
      await runtime.approve(pause, chief);
    }
    result = await runtime.resume(result.runId);
  }
  const trace = await runtime.trace(result.runId, chief);
  const published: unknown = await payload.findByID({ collection: 'pages', id: ids.about, depth: 0 });
  const { docs } = await payload.find({ collection: 'pages', draft: true, sort: 'id', depth: 0 });
  // The next day the chief corrects the page and publishes it, and deletes the draft of the news.
  isCacheReachable = true;
  const { name, role } = (await payload.findByID({ collection: 'users', id: ids.chief })) as Record<
    string,
    unknown
  >;
  const asChief = {
    overrideAccess: false,
    user: { id: ids.chief, name, role, collection: 'users' } as unknown as TypedUser,
  };
  await payload.update({
    collection: 'pages',
    id: ids.about,
    data: { description: 'People who make good tools.', _status: 'published' },
    ...asChief,
  });
  const news = docs.find(({ title }) => title === 'News');
  await payload.delete({ collection: 'pages', id: news?.id ?? '', ...asChief });
  await runtime.outcomes.derive();
  const report = {
    ids,
    result,
    cards,
    answers: trace.filter((step) => step.kind === 'tool').map((step) => step.result.content),
    notes: trace.filter((step) => step.kind === 'note').map((step) => step.text),
    published: {
      title: (published as { readonly title: unknown }).title,
      blocks: (await layout()).map(({ blockType }) => blockType),
    },
    titles: docs.map(({ title }) => title as unknown),
    outcomes: await runtime.outcomes.report({ by: 'tool' }),
  };
  await payload.destroy();
  return report;
}
