import type { TSESLint, TSESTree } from '@typescript-eslint/utils';

/** The statements and calls that the code can get to, by ESLint's own analysis of its paths. */
export interface ReachableCode {
  readonly listeners: TSESLint.RuleListener;
  has(node: TSESTree.Node): boolean;
}

interface Segment {
  readonly reachable: boolean;
}

/** @param kinds what is asked for: nothing else is remembered */
export function reachableCode(
  kinds: readonly ('CallExpression' | 'NewExpression' | 'ReturnStatement')[],
): ReachableCode {
  const reached = new Set<TSESTree.Node>();
  const paths: Set<Segment>[] = [];
  const enter = (segment: Segment): void => void paths.at(-1)?.add(segment);
  const leave = (segment: Segment): void => void paths.at(-1)?.delete(segment);
  const note = (node: TSESTree.Node): void => {
    for (const { reachable } of paths.at(-1) ?? []) {
      if (reachable) {
        reached.add(node);
      }
    }
  };
  return {
    listeners: {
      onCodePathStart: () => void paths.push(new Set()),
      onCodePathEnd: () => void paths.pop(),
      onCodePathSegmentStart: enter,
      onCodePathSegmentEnd: leave,
      onUnreachableCodePathSegmentStart: enter,
      onUnreachableCodePathSegmentEnd: leave,
      ...Object.fromEntries(kinds.map((kind) => [kind, note])),
    },
    has: (node) => reached.has(node),
  };
}
