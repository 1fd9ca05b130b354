import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { PRESERVED_TAG, RESULT_TYPE, SDK_MODULE } from '@toolwright/sdk/contract-names';
import { mayBeRuledOut } from '../../contract/guards.js';
import { variableOf } from '../../contract/result-kinds.js';
import { bare, staticName } from '../../references/ast-shapes.js';
import { createRule } from '../../rule-creator.js';
import { programMentions } from '../../types/program-mentions.js';
import { typeInformation } from '../../types/type-information.js';
import { factoryRebuild } from './factory-rebuild.js';
import { LiveResults } from './live-results.js';
import { dropsArtifacts, objectRebuild } from './object-rebuild.js';

type MessageId = 'freshFailure' | 'lostByFactory' | 'lostByLiteral' | 'lostArtifacts' | 'useWithContent';

export const keepResultFields = createRule<[], MessageId>({
  name: 'keep-result-fields',
  meta: {
    type: 'problem',
    docs: {
      description: 'require a rebuilt tool result to keep every field of the result that it is made from',
      recommended: 'error',
      usesTypes: true,
    },
    hasSuggestions: true,
    schema: [],
    messages: {
      lostByFactory:
        'This makes a new result out of "{{name}}" and leaves its {{fields}} behind. Rebuild it with {{name}}.withContent(), which keeps every other field.',
      freshFailure:
        'This answers in place of "{{name}}", which can name a record that was written, and forgets it. Rebuild "{{name}}" with withContent(), or pass its target on.',
      lostByLiteral:
        'This makes a new {{type}} out of "{{name}}" and leaves its {{fields}} behind. Spread "{{name}}" first, then set what changes.',
      lostArtifacts:
        'This drops the artifacts of "{{name}}". Make the new ones from {{name}}.artifacts, or leave them alone.',
      useWithContent: 'Rebuild "{{name}}" with withContent().',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const types = typeInformation(context);
    const isTagged = types !== null && programMentions(types.program, `@${PRESERVED_TAG}`, SDK_MODULE);
    if (!isTagged && !canHoldResults(sourceCode.text)) {
      return {};
    }
    const calls: TSESTree.CallExpression[] = [];
    const objects: TSESTree.ObjectExpression[] = [];
    return {
      CallExpression: (node) => void calls.push(node),
      ObjectExpression: (node) => void objects.push(node),
      'Program:exit'() {
        const results = new LiveResults(sourceCode, types);
        for (const call of calls) {
          checkFactory(call, results);
          checkArtifacts(call, results);
        }
        for (const object of objects) {
          const rebuild = objectRebuild(object, sourceCode, types);
          if (rebuild !== null && !mayBeRuledOut(object, sourceCode)) {
            const { name, type, lost } = rebuild;
            context.report({
              node: object,
              messageId: 'lostByLiteral',
              data: { name, type, fields: list(lost) },
            });
          }
        }
      },
    };

    function checkFactory(call: TSESTree.CallExpression, results: LiveResults): void {
      const rebuild = factoryRebuild(call, results, sourceCode);
      if (rebuild === null || mayBeRuledOut(call, sourceCode)) {
        return;
      }
      const { name, lost, isFresh, replacement } = rebuild;
      context.report({
        node: call,
        messageId: isFresh ? 'freshFailure' : 'lostByFactory',
        data: { name, fields: list(lost) },
        suggest:
          replacement === null
            ? []
            : [
                {
                  messageId: 'useWithContent',
                  data: { name },
                  fix: (fixer: TSESLint.RuleFixer) => fixer.replaceText(call, replacement),
                },
              ],
      });
    }

    function checkArtifacts(call: TSESTree.CallExpression, results: LiveResults): void {
      const callee = bare(call.callee);
      if (callee.type !== AST_NODE_TYPES.MemberExpression || staticName(callee) !== 'withArtifacts') {
        return;
      }
      const object = bare(callee.object);
      const variable = object.type === AST_NODE_TYPES.Identifier ? variableOf(object, sourceCode) : null;
      const live = variable === null ? null : results.resultIn(variable, call);
      if (
        live === null ||
        !results.hasArtifacts(live) ||
        !dropsArtifacts(call, live.variable, sourceCode) ||
        mayBeRuledOut(call, sourceCode)
      ) {
        return;
      }
      context.report({ node: call, messageId: 'lostArtifacts', data: { name: live.variable.name } });
    }
  },
});

/** Whether a file can hold a result, or a type of its own that is marked as one to preserve. */
function canHoldResults(text: string): boolean {
  return (
    text.includes(SDK_MODULE) ||
    text.includes('CallToolResult') ||
    text.includes(RESULT_TYPE) ||
    text.includes(`@${PRESERVED_TAG}`)
  );
}

function list(fields: readonly string[]): string {
  return fields.length < 2 ? fields.join('') : `${fields.slice(0, -1).join(', ')} and ${fields.at(-1) ?? ''}`;
}
