import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runSiteTour } from './site-tour.js';

const folder = await mkdtemp(path.join(tmpdir(), 'payload-site-'));
try {
  const { cards, answers, notes, published, result, outcomes } = await runSiteTour(folder);
  console.log('What the person who decides is shown:');
  for (const card of cards) {
    console.log(['', ...(card.preview?.lines ?? ['(withheld)'])].join('\n  '));
  }
  console.log('\nWhat the model is told:');
  for (const answer of answers) {
    console.log(`  ${answer}`);
  }
  console.log(
    `\n${notes.length} failures of a hook after a write. The first of them:\n  ${String(notes[0])}`,
  );
  console.log(`\nEverybody sees "${String(published.title)}", blocks: ${published.blocks.join(', ')}.`);
  console.log('\nThe next day a person corrects the page and deletes the news. What became of each write:');
  for (const { tool, counts, unknownReasons } of outcomes.observed) {
    const said = Object.entries({ ...counts, ...unknownReasons }).filter(([, count]) => count > 0);
    console.log(`  ${String(tool).padEnd(26)} ${said.map(([what]) => what).join(', ')}`);
  }
  const landed = result.writes.map(({ outcome }) => outcome);
  const edited = outcomes.observed.find(({ tool }) => tool === 'update_page_metadata')?.counts.edited;
  const isAsExpected =
    result.status === 'completed' &&
    landed.filter((outcome) => outcome === 'landed').length === 6 &&
    landed.filter((outcome) => outcome === 'not_landed').length === 2 &&
    edited === 1 &&
    published.title === 'Who we are';
  if (!isAsExpected) {
    console.error(`\nThe tour did not end as expected: ${result.status}, ${landed.join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
