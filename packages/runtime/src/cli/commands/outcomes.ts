import type { Derivation } from '../../outcome/derive-outcomes.js';
import type { OutcomeFilter } from '../../outcome/outcome-ledger.js';
import type {
  ExplicitGroup,
  ObservedGroup,
  OutcomeGroup,
  OutcomeGrouping,
  OutcomeReport,
} from '../../outcome/outcome-report.js';
import { badArguments, textOption, timeOption } from '../arguments.js';
import type { Command, CommandContext, CommandInput } from '../command.js';
import type { Cell, Printer } from '../printer.js';

const GROUPINGS: Readonly<Record<string, OutcomeGrouping>> = {
  tool: 'tool',
  model: 'model',
  'tool,model': 'tool_and_model',
};

export const outcomes: Command = {
  name: 'outcomes',
  summary: 'count what became of the records that tools wrote, and how people rated the calls',
  positionals: [],
  options: {
    derive: {
      type: 'boolean',
      help: "ask the content systems' histories first, and keep what has been decided",
    },
    again: {
      type: 'boolean',
      help: 'with --derive: also about what is unknown for good, as after it was asked of the wrong history',
    },
    tool: { type: 'string', value: 'NAME', help: 'only records that this tool wrote' },
    since: { type: 'string', value: 'TIME', help: 'only what landed since then: 30d, 36h, or 2026-01-31' },
    until: { type: 'string', value: 'TIME', help: 'only what landed before then, in the same way' },
    by: { type: 'string', value: 'WHAT', help: 'tool, model, or tool,model (the default)' },
    format: { type: 'string', value: 'FORMAT', help: 'table (the default), csv or json' },
  },
  async run(context) {
    const { printer, options } = context;
    const format = formatOf(context);
    const by = groupingOf(context);
    const filter = filterOf(context);
    const again = options['again'] === true;
    if (again && options['derive'] !== true) {
      throw badArguments('Expected --again together with --derive, found it alone.');
    }
    const { outcomes: source } = await context.runtime();
    const derivation = options['derive'] === true ? await source.derive({ ...filter, again }) : null;
    const report = await source.report({ ...filter, by });
    if (format === 'json') {
      printer.document({ ...(derivation === null ? {} : { derivation }), ...report });
      return;
    }
    if (format === 'csv') {
      if (derivation !== null) printer.aside(derivationLine(derivation));
      printer.csv(CSV_HEAD, csvRows(report));
      return;
    }
    if (derivation !== null) {
      printer.line(derivationLine(derivation));
      printer.line();
    }
    printReport(printer, report);
  },
};

function formatOf({ options, printer }: CommandContext): 'table' | 'csv' | 'json' {
  const format = textOption({ options, positionals: [] }, 'format') ?? (printer.isJson ? 'json' : 'table');
  if (format !== 'table' && format !== 'csv' && format !== 'json') {
    throw badArguments(`Expected --format to be table, csv or json, found ${JSON.stringify(format)}.`);
  }
  if (printer.isJson && format !== 'json') {
    throw badArguments(`Expected either --json or --format ${format}, found both.`);
  }
  return format;
}

function groupingOf(input: CommandInput): OutcomeGrouping {
  const text = textOption(input, 'by') ?? 'tool,model';
  const grouping = Object.hasOwn(GROUPINGS, text) ? GROUPINGS[text] : undefined;
  if (grouping === undefined) {
    throw badArguments(
      `Expected --by to be one of ${Object.keys(GROUPINGS).join(' or ')}, found ${JSON.stringify(text)}.`,
    );
  }
  return grouping;
}

function filterOf(context: CommandContext): OutcomeFilter {
  const tool = textOption(context, 'tool');
  const now = context.terminal.now();
  const [from, to] = [timeOption(context, 'since', now), timeOption(context, 'until', now)];
  return {
    ...(tool === null ? {} : { tool }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

function derivationLine(found: Derivation): string {
  const { lookedAt, accepted_unchanged: accepted, edited, discarded, undecided, unknown, failed } = found;
  const open = failed === 0 ? '' : `, ${String(failed)} whose history could not be read (see the log)`;
  return (
    `Looked at ${String(lookedAt)} records: ${String(accepted)} accepted unchanged, ${String(edited)} edited, ` +
    `${String(discarded)} discarded, ${String(undecided)} undecided, ${String(unknown)} unknown${open}.`
  );
}

function printReport(printer: Printer, { observed, explicit, by }: OutcomeReport): void {
  if (observed.length === 0) {
    printer.line('No record that a tool is known to have written.');
    return;
  }
  const head = by === 'tool_and_model' ? ['TOOL', 'MODEL'] : [by.toUpperCase()];
  printer.line("Observed in the content system's history, in records; shares are of the decided ones:");
  printer.table(
    [...head, 'LANDED', 'DECIDED', 'ACCEPTED UNCHANGED', 'EDITED', 'DISCARDED', 'UNDECIDED', 'UNKNOWN'],
    observed.map((group) => {
      const { landed, decided, counts, rates, undecided } = group;
      return [
        ...names(by, group),
        landed,
        decided,
        share(counts.accepted_unchanged, rates?.accepted_unchanged),
        share(counts.edited, rates?.edited),
        share(counts.discarded, rates?.discarded),
        undecided,
        unknownCell(group),
      ];
    }),
  );
  printer.line();
  printer.line('Said by people, in calls that wrote a record; shares are of the rated ones:');
  printer.table(
    [...head, 'CALLS', 'RATED', 'HELPFUL', 'NOT HELPFUL', 'UNRATED'],
    explicit.map((group) => {
      const { calls, rated, counts, rates, unrated } = group;
      return [
        ...names(by, group),
        calls,
        rated,
        share(counts.helpful, rates?.helpful),
        share(counts.not_helpful, rates?.not_helpful),
        unrated,
      ];
    }),
  );
}

function names(by: OutcomeGrouping, { tool, model }: OutcomeGroup): readonly string[] {
  const shown = model ?? '(unnamed)';
  if (by === 'tool_and_model') {
    return [tool ?? '', shown];
  }
  return [by === 'tool' ? (tool ?? '') : shown];
}

function share(count: number, rate: number | undefined): string {
  return rate === undefined ? String(count) : `${String(count)} (${(rate * 100).toFixed(1)} %)`;
}

function unknownCell({ unknown, unknownReasons }: ObservedGroup): string {
  const reasons = Object.entries(unknownReasons).map(([reason, count]) => `${reason} ${String(count)}`);
  return reasons.length === 0 ? String(unknown) : `${String(unknown)} (${reasons.join(', ')})`;
}

const CSV_HEAD = ['source', 'tool', 'model', 'value', 'reason', 'count', 'of', 'of_count', 'rate'];

/** One row a number, so that a sheet can pivot them. `of` names the denominator; the two sources have their own. */
function csvRows({ observed, explicit }: OutcomeReport): readonly (readonly Cell[])[] {
  return [...observed.flatMap(observedRows), ...explicit.flatMap(explicitRows)];
}

function observedRows(group: ObservedGroup): readonly (readonly Cell[])[] {
  const { tool, model, landed, decided, undecided, counts, rates, unknownReasons } = group;
  const row = (value: string, reason: string | null, count: number): readonly Cell[] => [
    ...['observed', tool, model, value, reason, count, 'landed', landed],
    ratio(count, landed),
  ];
  return [
    ...(['accepted_unchanged', 'edited', 'discarded'] as const).map((value) => [
      ...['observed', tool, model, value, null, counts[value], 'decided', decided],
      rates === null ? null : rates[value],
    ]),
    row('undecided', null, undecided),
    ...Object.entries(unknownReasons).map(([reason, count]) => row('unknown', reason, count)),
  ];
}

function explicitRows(group: ExplicitGroup): readonly (readonly Cell[])[] {
  const { tool, model, calls, rated, unrated, counts, rates } = group;
  return [
    ...(['helpful', 'not_helpful'] as const).map((value) => [
      ...['explicit', tool, model, value, null, counts[value], 'rated', rated],
      rates === null ? null : rates[value],
    ]),
    ['explicit', tool, model, 'unrated', null, unrated, 'calls', calls, ratio(unrated, calls)],
  ];
}

function ratio(count: number, of: number): number | null {
  return of === 0 ? null : count / of;
}
