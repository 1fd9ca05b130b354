/**
 * Runs the built command on checked-out repositories, each in a process of its own, and puts its answers
 * beside labels: `tsx bench/corpus/measure-corpus.ts FOLDER LABELS.csv [--only TEXT] [--limit SECONDS] [--json FILE] [--details]`.
 * FOLDER holds one folder `owner__name` per repository, at the commit of its labels; nothing in it is executed.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkRepository, type CheckedRepository } from './check-repository.js';
import { compare, type Answer, type Judged, type Truth } from './compare.js';
import { readLabels, type Label } from './labels.js';

const TRUTHS: readonly Truth[] = [
  'claims less than it does',
  'claims what it does',
  'nobody can say',
  'claims nothing',
];
const ANSWERS: readonly Answer[] = ['violated', 'proven', 'inconclusive', 'not applicable', 'not found'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    limit: { type: 'string', default: '120' },
    json: { type: 'string' },
    details: { type: 'boolean' },
  },
});
const [folder, labelFile] = positionals;
if (folder === undefined || labelFile === undefined) {
  throw new Error(
    'usage: measure-corpus.ts FOLDER LABELS.csv [--only TEXT] [--limit SECONDS] [--json FILE] [--details]',
  );
}
const labels = readLabels(labelFile);
const present = new Set(
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
);
const repositories = [...new Set([...labels.map(({ repo }) => repo.replace('/', '__')), ...present])]
  .filter((name) => values.only === undefined || name.includes(values.only))
  .sort();

const measured: {
  readonly name: string;
  readonly checked: CheckedRepository;
  readonly judged: readonly Judged[];
}[] = [];
for (const name of repositories) {
  const own = labels.filter(({ repo }) => repo.replace('/', '__') === name);
  const checked = present.has(name)
    ? await checkRepository(path.join(folder, name), Number(values.limit))
    : missing(name);
  const judged = compare(own, checked);
  measured.push({ name, checked, judged });
  console.log(lineOf(name, own, checked, judged));
}

const all = measured.flatMap(({ judged }) => judged);
console.log(`\n${confusionTable(all)}\n`);
summarize(
  all,
  measured.map(({ checked }) => checked),
);
if (values.details === true) {
  all.filter(isOff).forEach((one) => {
    console.log(detailOf(one));
  });
}
if (values.json !== undefined) {
  writeFileSync(values.json, JSON.stringify(measured, null, 2));
}

function missing(name: string): CheckedRepository {
  return {
    tools: [],
    verdicts: [],
    problem: `${path.join(folder ?? '', name)} is not there`,
    exitCode: null,
    wallSeconds: 0,
    cpuSeconds: null,
    megabytes: null,
  };
}

function lineOf(
  name: string,
  own: readonly Label[],
  checked: CheckedRepository,
  judged: readonly Judged[],
): string {
  const found = judged.filter(({ tool }) => tool !== null);
  const unnamed = checked.tools.filter((tool) => tool.name === null).length;
  const cost = `${checked.cpuSeconds?.toFixed(1) ?? '?'} s CPU, ${checked.wallSeconds.toFixed(1)} s, ${checked.megabytes?.toFixed(0) ?? '?'} MB`;
  return [
    `${name}: ${String(checked.tools.length)} tools (${String(unnamed)} without a name)`,
    `${String(found.length)} of ${String(own.length)} labelled found`,
    `names ${String(judged.filter((one) => one.isNameRight).length)}`,
    `hints ${String(judged.filter((one) => one.isHintRight).length)}`,
    `exit ${String(checked.exitCode)}`,
    cost,
    ...(checked.problem === '' ? [] : [`PROBLEM ${checked.problem}`]),
  ].join('; ');
}

function confusionTable(judged: readonly Judged[]): string {
  const count = (truth: Truth, answer: Answer): string =>
    String(judged.filter((one) => one.truth === truth && one.answer === answer).length);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['label', ...ANSWERS]),
    row(['---', ...ANSWERS.map(() => '---:')]),
    ...TRUTHS.map((truth) => row([truth, ...ANSWERS.map((answer) => count(truth, answer))])),
  ].join('\n');
}

function summarize(judged: readonly Judged[], checked: readonly CheckedRepository[]): void {
  const isReadOnlyLie = (one: Judged): boolean =>
    one.truth === 'claims less than it does' && one.label.declaredReadOnly.startsWith('true');
  const lies = judged.filter(isReadOnlyLie);
  const found = lies.filter(({ answer }) => answer === 'violated').length;
  const wrong = judged.filter(
    ({ truth, answer }) => truth === 'claims what it does' && answer === 'violated',
  );
  const settled = judged.filter(({ truth }) => truth !== 'nobody can say' && truth !== 'claims nothing');
  const open = settled.filter(({ answer }) => answer === 'inconclusive').length;
  const percent = (part: number, whole: number): string =>
    whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)}%`;
  console.log(
    `labelled tools found: ${percent(judged.filter(({ tool }) => tool !== null).length, judged.length)}`,
  );
  console.log(`read-only tools that write, found: ${String(found)} of ${String(lies.length)}`);
  console.log(`false findings: ${String(wrong.length)} in ${String(judged.length)} tools`);
  console.log(`inconclusive, where the label says: ${percent(open, settled.length)}`);
  const problems = checked.filter(({ problem }) => problem !== '').length;
  console.log(`repositories with a problem: ${String(problems)} of ${String(checked.length)}`);
}

function isOff({ truth, answer, isNameRight, isHintRight }: Judged): boolean {
  const isJudged =
    truth === 'nobody can say' ||
    truth === 'claims nothing' ||
    (truth === 'claims less than it does' && answer === 'violated') ||
    (truth === 'claims what it does' && answer === 'proven');
  return !isJudged || !isNameRight || !isHintRight;
}

function detailOf({ label, tool, truth, answer, reason }: Judged): string {
  const place = `${label.repo} ${label.file}:${String(label.line)}`;
  const said = `labelled ${label.trueEffect} [${label.tier}], declared ${label.declaredReadOnly}/${label.declaredIdempotent}`;
  return `${place} ${label.tool} (${truth}; ${said}): ${answer}, effect ${tool?.effect ?? 'none'} ${reason}`;
}
