import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runSiteTour } from './site-tour.js';

const folder = await mkdtemp(path.join(tmpdir(), 'payload-site-'));
try {
  const { cards, answers, notes, published, result } = await runSiteTour(folder);
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
  const outcomes = result.writes.map(({ outcome }) => outcome);
  const isAsExpected =
    result.status === 'completed' &&
    outcomes.filter((outcome) => outcome === 'landed').length === 6 &&
    outcomes.filter((outcome) => outcome === 'not_landed').length === 2 &&
    published.title === 'Who we are';
  if (!isAsExpected) {
    console.error(`\nThe tour did not end as expected: ${result.status}, ${outcomes.join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
