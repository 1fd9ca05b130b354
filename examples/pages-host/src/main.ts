import { runPagesHost } from './pages-host.js';
import { traceLine } from './trace-lines.js';

const { card, result, trace, targets, titles } = await runPagesHost();

console.log('What the person who decides is shown:');
for (const line of card.preview?.lines ?? ['(withheld)']) {
  console.log(`  ${line}`);
}
console.log('\nThe trace of the run:');
for (const step of trace) {
  console.log(traceLine(step));
}
console.log('\nRead back:');
for (const [index, { table, uid }] of targets.entries()) {
  console.log(
    `  ${table}:${String(uid)} is stored in the trace, and has the title "${String(titles[index])}" in SQLite`,
  );
}

const isAsExpected =
  result.status === 'completed' &&
  result.writes.every(({ outcome }) => outcome === 'landed') &&
  targets.length === 1 &&
  titles[0] === 'Who we are';
if (!isAsExpected) {
  console.error('\nThe run did not end as expected: one write that landed, with its record in the trace.');
  process.exitCode = 1;
}
