import { executeEnds, placeOf } from '../../contract/execute-ends.js';
import { reachableCode } from '../../contract/reachable-code.js';
import { mentionsSdk, toolsIn } from '../../contract/tools-in-file.js';
import type { FunctionNode } from '../../references/ast-shapes.js';
import { createRule } from '../../rule-creator.js';
import { typeInformation } from '../../types/type-information.js';

export const noTargetFromReader = createRule<[], 'target'>({
  name: 'no-target-from-reader',
  meta: {
    type: 'problem',
    docs: {
      description: 'disallow a read-only tool from naming a record that it wrote',
      recommended: 'error',
      usesTypes: true,
    },
    schema: [],
    messages: {
      target:
        'This tool is read-only, by its effect or because it declares none, and it names a record that it wrote. Declare the write with a literal of ToolEffect, or return ToolResult.text().',
    },
  },
  create(context) {
    if (!mentionsSdk(context.sourceCode)) {
      return {};
    }
    const reachable = reachableCode(['ReturnStatement']);
    return {
      ...reachable.listeners,
      'Program:exit'() {
        for (const { role, execute } of toolsIn(context.sourceCode)) {
          if (role === 'reader' && execute !== null) {
            check(execute);
          }
        }
      },
    };

    function check(execute: FunctionNode): void {
      const returns = executeEnds(
        execute,
        reachable,
        context.sourceCode,
        typeInformation(context),
        ({ target }) => target === 'present',
      );
      const places = new Set(
        returns.flatMap(({ returned, ends }) =>
          ends.flatMap((end) =>
            end.target === 'present' && end.isCertain && returned !== null
              ? [placeOf(end, returned, execute)]
              : [],
          ),
        ),
      );
      places.forEach((node) => context.report({ node, messageId: 'target' }));
    }
  },
});
