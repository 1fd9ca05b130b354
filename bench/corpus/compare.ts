import type { CheckedRepository, CheckedTool, CheckedVerdict } from './check-repository.js';
import { declaredEffect, type Label } from './labels.js';

/** What a label lets one expect of the rules about effects. */
export type Truth = 'claims less than it does' | 'claims what it does' | 'nobody can say' | 'claims nothing';
export type Answer = 'violated' | 'proven' | 'inconclusive' | 'not applicable' | 'not found';

export interface Judged {
  readonly label: Label;
  readonly tool: CheckedTool | null;
  readonly isNameRight: boolean;
  readonly isHintRight: boolean;
  readonly truth: Truth;
  readonly answer: Answer;
  readonly reason: string;
}

const EFFECT_RULES = ['effect-matches-code', 'idempotent-write-converges'];
/** A label's line is that of the definition or of its first property. */
const LINES_APART = 3;

/** Puts each label beside the tool that was found for it, and what was said of that. */
export function compare(labels: readonly Label[], checked: CheckedRepository): readonly Judged[] {
  return labels.map((label) => {
    const tool = toolFor(label, checked.tools);
    const { answer, reason } = answerFor(tool, checked.verdicts);
    return {
      label,
      tool,
      isNameRight: tool?.name === label.tool,
      isHintRight: tool !== null && tool.effect === declaredEffect(label),
      truth: truthOf(label),
      answer,
      reason,
    };
  });
}

function toolFor(label: Label, tools: readonly CheckedTool[]): CheckedTool | null {
  const inFile = tools.filter(({ file }) => file === label.file);
  const named = inFile.filter(({ name }) => name === label.tool);
  const near = inFile.filter(({ line }) => Math.abs(line - label.line) <= LINES_APART);
  return nearest(label, named) ?? nearest(label, near);
}

function nearest(label: Label, tools: readonly CheckedTool[]): CheckedTool | null {
  const distance = ({ line }: CheckedTool): number => Math.abs(line - label.line);
  return tools.reduce<CheckedTool | null>(
    (best, one) => (best === null || distance(one) < distance(best) ? one : best),
    null,
  );
}

/** A delete labelled either way is right; an effect that a label calls unknown settles nothing. */
function truthOf(label: Label): Truth {
  const declared = declaredEffect(label);
  if (declared === null) {
    return 'claims nothing';
  }
  if (label.trueEffect === 'unknown') {
    return 'nobody can say';
  }
  if (declared === 'read_only') {
    return label.trueEffect === 'read_only' ? 'claims what it does' : 'claims less than it does';
  }
  return declared === 'idempotent_write' && label.trueEffect === 'non_idempotent_write'
    ? 'claims less than it does'
    : 'claims what it does';
}

function answerFor(
  tool: CheckedTool | null,
  verdicts: readonly CheckedVerdict[],
): { readonly answer: Answer; readonly reason: string } {
  if (tool === null) {
    return { answer: 'not found', reason: '' };
  }
  const own = verdicts.filter(({ toolId, rule }) => toolId === tool.id && EFFECT_RULES.includes(rule));
  for (const verdict of ['violated', 'inconclusive', 'proven'] as const) {
    const found = own.find((one) => one.verdict === verdict);
    if (found !== undefined) {
      return { answer: verdict, reason: `${found.rule}: ${found.reason}` };
    }
  }
  return { answer: 'not applicable', reason: own[0]?.reason ?? '' };
}
