import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { CONTENT_WRITE_METHODS } from '@toolwright/sdk/contract-names';
import { asksArguments, mayBeRuledOut } from '../../contract/guards.js';
import { reachableCode } from '../../contract/reachable-code.js';
import { reachedFrom, type ReachedNode } from '../../contract/reached-code.js';
import { mentionsSdk, toolsIn } from '../../contract/tools-in-file.js';
import { knownWrite, mayBeTemporary } from '../../effects/known-writes.js';
import {
  bare,
  descendants,
  enclosingFunction,
  staticName,
  type FunctionNode,
} from '../../references/ast-shapes.js';
import { valueOrigins } from '../../references/value-origins.js';
import { createRule } from '../../rule-creator.js';

type MessageId = 'writes' | 'writesThrough';
type Source = Readonly<TSESLint.SourceCode>;

export const noWriteInPreview = createRule<[], MessageId>({
  name: 'no-write-in-preview',
  meta: {
    type: 'problem',
    docs: {
      description: 'disallow a preview that writes',
      recommended: 'error',
      usesTypes: false,
    },
    schema: [],
    messages: {
      writes:
        'A preview says what a call would do, before anybody has agreed to it. This writes ({{reason}}). Read what the lines need, and write in execute().',
      writesThrough:
        'A preview says what a call would do, before anybody has agreed to it. This leads to {{write}}, which writes ({{reason}}). Read what the lines need, and write in execute().',
    },
  },
  create(context) {
    const { sourceCode } = context;
    if (!mentionsSdk(sourceCode)) {
      return {};
    }
    const reachable = reachableCode(['CallExpression', 'NewExpression']);
    return {
      ...reachable.listeners,
      'Program:exit'() {
        const seen = new Set<TSESTree.Node>();
        for (const { preview } of toolsIn(sourceCode)) {
          if (preview !== null && !seen.has(preview)) {
            seen.add(preview);
            check(preview);
          }
        }
      },
    };

    function check(preview: FunctionNode): void {
      const reported = new Set<TSESTree.Node>();
      for (const found of reachedFrom(preview, sourceCode)) {
        const { node, through } = found;
        if (node.type !== AST_NODE_TYPES.CallExpression && node.type !== AST_NODE_TYPES.NewExpression) {
          continue;
        }
        const place = through ?? node;
        if (reported.has(place)) {
          continue;
        }
        const write = knownWrite(node, sourceCode);
        const reason = contentWrite(node, sourceCode) ?? write?.reason ?? null;
        if (reason === null || !isCertain(found) || (write?.isLocal === true && mayBeScratch(node, found))) {
          continue;
        }
        reported.add(place);
        context.report({
          node: place,
          messageId: through === null ? 'writes' : 'writesThrough',
          data: { reason, write: `"${sourceCode.getText(node.callee)}"` },
        });
      }
    }
    function isCertain({ node, through, calls }: ReachedNode): boolean {
      const way = [...calls, node];
      if (!way.every((step) => reachable.has(step) && !mayBeRuledOut(step, sourceCode))) {
        return false;
      }
      // A function that others share can be told not to write; then only its callers know.
      return through === null || !way.slice(1).some((step) => asksArguments(step, sourceCode));
    }

    /** A function that is told where to write may be told a temporary file. */
    function mayBeScratch(
      write: TSESTree.CallExpression | TSESTree.NewExpression,
      found: ReachedNode,
    ): boolean {
      const isToldWhere =
        found.through !== null &&
        write.arguments
          .slice(0, 1)
          .some((path) =>
            descendants(path).some((node) =>
              valueOrigins(node, sourceCode).some(({ kind }) => kind === 'declared'),
            ),
          );
      return (
        isToldWhere &&
        found.calls.some((call) => call.arguments.some((argument) => mayBeTemporary(argument, sourceCode)))
      );
    }
  },
});

/** A write through the content handler of the context, cast to one that has the method. */
function contentWrite(node: TSESTree.CallExpression | TSESTree.NewExpression, source: Source): string | null {
  const callee = bare(node.callee);
  if (callee.type !== AST_NODE_TYPES.MemberExpression) {
    return null;
  }
  const method = staticName(callee);
  if (!CONTENT_WRITE_METHODS.some((known) => known === method)) {
    return null;
  }
  const isOfContext = valueOrigins(callee, source).some((origin) => {
    if (origin.kind !== 'declared' || origin.path.at(-2) !== 'content') {
      return origin.kind === 'declared' && origin.path.length === 2 && origin.path[0] === 'content';
    }
    const fn = enclosingFunction(origin.identifier);
    return fn?.params[1] === origin.declaration;
  });
  return isOfContext ? `${method ?? ''} of the content handler` : null;
}
