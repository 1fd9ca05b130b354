import type { TSESLint, TSESTree } from '@typescript-eslint/utils';

/** The `return` statements that the code can get to, by ESLint's own analysis of its paths. */
export interface ReachableReturns {
  readonly listeners: TSESLint.RuleListener;
  has(statement: TSESTree.ReturnStatement): boolean;
}

interface Segment {
  readonly reachable: boolean;
}

export function reachableReturns(): ReachableReturns {
  const returns = new Set<TSESTree.Node>();
  const paths: Set<Segment>[] = [];
  const enter = (segment: Segment): void => void paths.at(-1)?.add(segment);
  const leave = (segment: Segment): void => void paths.at(-1)?.delete(segment);
  return {
    listeners: {
      onCodePathStart: () => void paths.push(new Set()),
      onCodePathEnd: () => void paths.pop(),
      onCodePathSegmentStart: enter,
      onCodePathSegmentEnd: leave,
      onUnreachableCodePathSegmentStart: enter,
      onUnreachableCodePathSegmentEnd: leave,
      ReturnStatement(node) {
        if ([...(paths.at(-1) ?? [])].some(({ reachable }) => reachable)) {
          returns.add(node);
        }
      },
    },
    has: (statement) => returns.has(statement),
  };
}
