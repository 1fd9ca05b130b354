import type { ToolFacts } from '../../model/fact-base.js';
import type { WitnessStep } from '../../model/location.js';
import type { Rule } from '../../model/rule.js';
import type { Diagnostic, RuleVerdict } from '../../model/verdict.js';

const ID = 'tool-names-unique';

/** The model names the tool that it calls, so two of one name are one tool too many. */
export const toolNamesUnique: Rule = {
  id: ID,
  summary: 'Two tools of one plugin never share a name.',
  check(facts) {
    const diagnostics: Diagnostic[] = [];
    const named = facts.tools.filter(({ isWrapper }) => isWrapper !== true);
    const namesakes = groupByName(named);
    for (const tool of named.filter((one) => one.name.value === null)) {
      diagnostics.push({
        rule: ID,
        verdict: 'inconclusive',
        message: `The tool's name is no literal of the code (${tool.name.why}), so whether another tool has it cannot be decided. Write the name here.`,
        toolId: tool.id,
        location: tool.name.location,
        confidence: 'proven',
        witness: [],
      });
    }
    for (const tools of namesakes.values()) {
      if (tools.length > 1) {
        diagnostics.push(
          ...tools.map((tool) =>
            duplicate(
              tool,
              tools.filter((one) => one !== tool),
            ),
          ),
        );
      }
    }
    const unnamed = new Set(named.filter((one) => one.name.value === null).map((one) => one.plugin));
    return { verdicts: facts.tools.map((tool) => verdictOf(tool, namesakes, unnamed)), diagnostics };
  },
};

function groupByName(tools: readonly ToolFacts[]): ReadonlyMap<string, readonly ToolFacts[]> {
  const groups = new Map<string, ToolFacts[]>();
  for (const tool of tools) {
    if (tool.name.value !== null) {
      const key = keyOf(tool);
      groups.set(key, [...(groups.get(key) ?? []), tool]);
    }
  }
  return groups;
}

function keyOf(tool: ToolFacts): string {
  return JSON.stringify([tool.plugin, tool.framework, tool.name.value]);
}

function duplicate(tool: ToolFacts, others: readonly ToolFacts[]): Diagnostic {
  const witness: readonly WitnessStep[] = [
    { ...tool.name.location, message: 'the name is given here' },
    ...others.map((other) => ({ ...other.name.location, message: 'and here again' })),
  ];
  return {
    rule: ID,
    verdict: 'violated',
    message: `Another tool of this plugin is called ${JSON.stringify(tool.name.value)} too, so a call by name reaches only one of them. Rename one.`,
    toolId: tool.id,
    location: tool.name.location,
    confidence: 'proven',
    witness,
  };
}

function verdictOf(
  tool: ToolFacts,
  namesakes: ReadonlyMap<string, readonly ToolFacts[]>,
  pluginsWithUnnamed: ReadonlySet<string>,
): RuleVerdict {
  const base = { rule: ID, toolId: tool.id, location: null, confidence: 'proven' } as const;
  if (tool.isWrapper === true) {
    return { ...base, verdict: 'not_applicable', reason: 'It has the name of the tool that it wraps.' };
  }
  if (tool.name.value === null) {
    return {
      ...base,
      verdict: 'inconclusive',
      reason: `The name is no literal of the code: ${tool.name.why}.`,
    };
  }
  const others = (namesakes.get(keyOf(tool)) ?? []).filter((one) => one !== tool);
  const [other] = others;
  return other === undefined
    ? {
        ...base,
        verdict: 'proven',
        reason: pluginsWithUnnamed.has(tool.plugin)
          ? 'Compared with the tools of this plugin whose names are literals.'
          : '',
      }
    : {
        ...base,
        verdict: 'violated',
        reason: `The name is also given at ${other.name.location.file}:${String(other.name.location.line)}.`,
      };
}
