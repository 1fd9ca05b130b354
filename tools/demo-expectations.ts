import * as z from 'zod';

const REPORT = z.object({
  schemaVersion: z.literal(1),
  summary: z.object({ tools: z.number(), proven: z.number(), violated: z.number() }),
  tools: z.array(z.object({ name: z.string().nullable(), effect: z.string().nullable() })),
  verdicts: z.array(z.object({ tool: z.string().nullable(), rule: z.string(), verdict: z.string() })),
  diagnostics: z.array(
    z.object({
      rule: z.string(),
      verdict: z.string(),
      file: z.string(),
      witness: z.array(z.object({ file: z.string(), line: z.number() })),
    }),
  ),
});

export type DemoReport = z.output<typeof REPORT>;

/** The parts of a conformance report that the demonstration relies on. Throws when they are not there. */
export function parseReport(json: string): DemoReport {
  return REPORT.parse(JSON.parse(json));
}

const EFFECTS = [
  'create_page: non_idempotent_write',
  'read_page: read_only',
  'rename_page: idempotent_write',
];

/** What is proven of a tool of the good plugin, by the tool's name. */
const PROVEN: Readonly<Record<string, readonly string[]>> = {
  create_page: ['writer-returns-target', 'effect-is-constant', 'tool-names-unique'],
  read_page: ['reader-returns-no-target', 'effect-is-constant', 'tool-names-unique'],
  rename_page: ['writer-returns-target', 'effect-is-constant', 'tool-names-unique'],
};

export function soundPluginProblems(report: DemoReport): readonly string[] {
  const effects = report.tools.map(({ name, effect }) => `${String(name)}: ${String(effect)}`).sort();
  const bad = report.verdicts.filter(({ verdict }) => verdict !== 'proven' && verdict !== 'not_applicable');
  const unproven = Object.entries(PROVEN).flatMap(([tool, rules]) =>
    rules
      .filter(
        (rule) => !report.verdicts.some((v) => v.tool === tool && v.rule === rule && v.verdict === 'proven'),
      )
      .map((rule) => `expected ${rule} to be proven of ${tool}`),
  );
  const isWrapped = report.verdicts.some(
    (v) => v.rule === 'raw-handler-stays-wrapped' && v.verdict === 'proven',
  );
  return [
    ...(effects.join() === EFFECTS.join()
      ? []
      : [`expected the tools ${EFFECTS.join(', ')}, found ${effects.join(', ')}`]),
    ...bad.map(
      ({ tool, rule, verdict }) =>
        `expected nothing but proof, found ${rule} ${verdict} of ${tool ?? 'the project'}`,
    ),
    ...unproven,
    ...(isWrapped ? [] : ['expected raw-handler-stays-wrapped to be proven']),
  ];
}

/** The rules that the broken plugin breaks, each in a file of its own name. */
export const BROKEN_RULES = [
  'writer-returns-target',
  'reader-returns-no-target',
  'result-rebuild-keeps-fields',
  'raw-handler-stays-wrapped',
  'effect-is-constant',
  'tool-names-unique',
] as const;

export function brokenPluginProblems(report: DemoReport): readonly string[] {
  const violated = report.diagnostics.filter(({ verdict }) => verdict === 'violated');
  const missed = BROKEN_RULES.flatMap((rule) => {
    const own = violated.filter((found) => found.rule === rule && found.file.endsWith(`/faults/${rule}.ts`));
    if (own.length === 0) {
      return [`expected a finding of ${rule} in faults/${rule}.ts, found none`];
    }
    return own.some(({ witness }) => witness.length > 0)
      ? []
      : [`expected a way that leads to the finding of ${rule}`];
  });
  const strays = violated.filter(({ rule, file }) => !file.endsWith(`/faults/${rule}.ts`));
  return [
    ...missed,
    ...strays.map(({ rule, file }) => `expected one fault per file, found ${rule} in ${file}`),
  ];
}
