import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { CONTENT_WRITE_METHODS } from '@toolwright/sdk/contract-names';
import { reachedFrom } from '../../contract/reached-code.js';
import { mentionsSdk, toolsIn } from '../../contract/tools-in-file.js';
import { knownWrite } from '../../effects/known-writes.js';
import { bare, enclosingFunction, staticName, type FunctionNode } from '../../references/ast-shapes.js';
import { valueOrigins } from '../../references/value-origins.js';
import { createRule } from '../../rule-creator.js';
import { isConditional } from './conditional-work.js';

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
    return {
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
      for (const { node, through } of reachedFrom(preview, sourceCode)) {
        if (node.type !== AST_NODE_TYPES.CallExpression && node.type !== AST_NODE_TYPES.NewExpression) {
          continue;
        }
        const reason = contentWrite(node, sourceCode) ?? knownWrite(node, sourceCode)?.reason ?? null;
        const place = through ?? node;
        // A function that others share can be told not to write; then only its callers know.
        if (reason === null || reported.has(place) || (through !== null && isConditional(node, sourceCode))) {
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
