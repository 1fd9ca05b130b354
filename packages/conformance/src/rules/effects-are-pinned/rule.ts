import type { FactBase, ManifestEntry, ManifestFact, ToolFacts } from '../../model/fact-base.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic, RuleVerdict } from '../../model/verdict.js';

const ID = 'effects-are-pinned';
const UPDATE = 'Run toolwright-conformance --update-manifest if that is meant, and commit the file.';

/** A new or vanished writer is a breaking change of a plugin, so it is a conscious edit of a committed file. */
export const effectsArePinned: Rule = {
  id: ID,
  summary: 'The committed effects manifest equals what the code declares.',
  check(facts) {
    const asked = facts.manifests.filter(
      (one) => one.entries !== null || one.problem !== '' || one.isRequired,
    );
    const diagnostics = asked.flatMap((manifest) => compare(manifest, facts));
    return { verdicts: [verdictOf(asked, diagnostics)], diagnostics };
  },
};

function verdictOf(asked: readonly ManifestFact[], diagnostics: readonly Diagnostic[]): RuleVerdict {
  const base = { rule: ID, toolId: null, location: null, confidence: 'proven' } as const;
  if (asked.length === 0) {
    return { ...base, verdict: 'not_applicable', reason: 'No effects manifest is committed.' };
  }
  const violated = diagnostics.filter(({ verdict }) => verdict === 'violated').length;
  if (violated > 0) {
    return {
      ...base,
      verdict: 'violated',
      reason: `${String(violated)} ${violated === 1 ? 'difference' : 'differences'} between the manifest and the code.`,
    };
  }
  return diagnostics.length > 0
    ? {
        ...base,
        verdict: 'inconclusive',
        reason: 'Not every tool has a name and an effect that are literals.',
      }
    : { ...base, verdict: 'proven', reason: '' };
}

function compare(manifest: ManifestFact, facts: FactBase): readonly Diagnostic[] {
  const tools = facts.tools.filter(
    ({ plugin, isWrapper }) => plugin === manifest.plugin && isWrapper !== true,
  );
  if (manifest.entries === null) {
    const message =
      manifest.problem === ''
        ? `The configuration requires ${manifest.file}, and there is none. ${UPDATE}`
        : `${manifest.file} cannot be used: ${manifest.problem}. ${UPDATE}`;
    return [finding('violated', message, { file: manifest.file, line: 1, column: 1 }, null)];
  }
  const pinned = new Map(manifest.entries.map((entry) => [entry.name, entry]));
  const declared = new Set(tools.map(({ name }) => name.value));
  const vanished = manifest.entries.filter(({ name }) => !declared.has(name));
  return [
    ...tools.flatMap((tool) => compareTool(tool, pinned, manifest.file)),
    ...vanished.map((entry) =>
      finding(
        'violated',
        `The manifest pins ${JSON.stringify(entry.name)}, which no tool of the plugin is called. ${UPDATE}`,
        entry.location,
        null,
      ),
    ),
  ];
}

function compareTool(
  tool: ToolFacts,
  pinned: ReadonlyMap<string, ManifestEntry>,
  file: string,
): readonly Diagnostic[] {
  const { name, effect } = tool;
  if (name.value === null || (effect.value === null && effect.kind !== 'absent')) {
    const what = name.value === null ? name : effect;
    const message = `Whether ${file} pins this tool cannot be decided: ${what.why}.`;
    return [finding('inconclusive', message, what.location, tool)];
  }
  const entry = pinned.get(name.value);
  if (entry === undefined) {
    const message = `${file} does not pin this tool, which is new or renamed. ${UPDATE}`;
    return [finding('violated', message, name.location, tool)];
  }
  if (entry.effect === effect.value) {
    return [];
  }
  const message = `${file} pins ${shown(entry.effect)}, and the code declares ${shown(effect.value)}. ${UPDATE}`;
  return [
    {
      ...finding('violated', message, effect.location, tool),
      witness: [
        { ...entry.location, message: `pinned as ${shown(entry.effect)}` },
        { ...effect.location, message: `declared as ${shown(effect.value)}` },
      ],
    },
  ];
}

function shown(effect: ManifestEntry['effect']): string {
  return effect ?? 'no effect';
}

function finding(
  verdict: Diagnostic['verdict'],
  message: string,
  location: Diagnostic['location'],
  tool: ToolFacts | null,
): Diagnostic {
  return {
    rule: ID,
    verdict,
    message,
    toolId: tool?.id ?? null,
    location,
    confidence: 'proven',
    witness: [],
  };
}
