import { mentionsSdk, toolsIn } from '../../contract/tools-in-file.js';
import { createRule } from '../../rule-creator.js';

export const noConfigurableEffect = createRule<[], 'configurable'>({
  name: 'no-configurable-effect',
  meta: {
    type: 'problem',
    docs: {
      description: "disallow a tool's effect that is only known when the code runs",
      recommended: 'error',
      usesTypes: false,
    },
    schema: [],
    messages: {
      configurable:
        'The effect of this tool comes from {{from}}. An effect is a property of the code: write one literal of ToolEffect, and define two tools where there are two effects.',
    },
  },
  create(context) {
    if (!mentionsSdk(context.sourceCode)) {
      return {};
    }
    return {
      'Program:exit'() {
        for (const { effect, effectNode } of toolsIn(context.sourceCode)) {
          if (effect.kind === 'configurable' && effectNode !== null) {
            context.report({ node: effectNode, messageId: 'configurable', data: { from: effect.from } });
          }
        }
      },
    };
  },
});
