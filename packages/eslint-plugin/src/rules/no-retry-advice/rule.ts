import { retryAdviceIn } from '@toolwright/catalogue';
import { AST_NODE_TYPES, type TSESTree } from '@typescript-eslint/utils';
import { mayBeRuledOut } from '../../contract/guards.js';
import { literalTexts } from '../../contract/literal-texts.js';
import { reachedFrom } from '../../contract/reached-code.js';
import { factoryKind } from '../../contract/result-ends.js';
import { mentionsSdk, toolsIn } from '../../contract/tools-in-file.js';
import { createRule } from '../../rule-creator.js';

export const noRetryAdvice = createRule<[], 'advice'>({
  name: 'no-retry-advice',
  meta: {
    type: 'suggestion',
    docs: {
      description: 'disallow a tool that writes from telling the model to try again',
      recommended: 'warn',
      usesTypes: false,
    },
    schema: [],
    messages: {
      advice:
        'This error of a tool that writes says "{{advice}}". The write may have landed, and the model will do it twice. Say what happened, and which record to read before anything is written again.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    if (!mentionsSdk(sourceCode)) {
      return {};
    }
    return {
      'Program:exit'() {
        const errors = new Set<TSESTree.CallExpression>();
        for (const { role, execute } of toolsIn(sourceCode)) {
          if (role === 'writer' && execute !== null) {
            for (const { node, calls } of reachedFrom(execute, sourceCode)) {
              if (
                node.type === AST_NODE_TYPES.CallExpression &&
                factoryKind(node, sourceCode) === 'error' &&
                ![...calls, node].some((step) => mayBeRuledOut(step, sourceCode))
              ) {
                errors.add(node);
              }
            }
          }
        }
        errors.forEach(check);
      },
    };

    function check(call: TSESTree.CallExpression): void {
      const [text] = call.arguments;
      if (text === undefined) {
        return;
      }
      for (const candidate of literalTexts(text, sourceCode)) {
        const advice = retryAdviceIn(candidate);
        if (advice !== null) {
          context.report({ node: text, messageId: 'advice', data: { advice } });
          return;
        }
      }
    }
  },
});
