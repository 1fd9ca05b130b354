import type { TSESTree } from '@typescript-eslint/utils';
import { executeEnds, placeOf } from '../../contract/execute-ends.js';
import { reachableCode } from '../../contract/reachable-code.js';
import { mentionsSdk, toolsIn } from '../../contract/tools-in-file.js';
import type { FunctionNode } from '../../references/ast-shapes.js';
import { createRule } from '../../rule-creator.js';
import { typeInformation } from '../../types/type-information.js';

type MessageId = 'neverNamesTarget' | 'text';

export const requireWriteTarget = createRule<[], MessageId>({
  name: 'require-write-target',
  meta: {
    type: 'problem',
    docs: {
      description: 'require a tool that writes to name the record that it wrote',
      recommended: 'error',
      usesTypes: true,
    },
    schema: [],
    messages: {
      text: 'This tool declares a write, so ToolResult.text() hides which record it wrote. Return ToolResult.wrote() with the target, or unchanged(), refused() or error() where it wrote nothing.',
      neverNamesTarget:
        'This tool declares a write, and no path of it names a record. Return ToolResult.wrote() with the target where it writes, or declare it read-only.',
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
        for (const { role, execute, definition } of toolsIn(context.sourceCode)) {
          if (role === 'writer' && execute !== null) {
            check(execute, definition);
          }
        }
      },
    };

    function check(execute: FunctionNode, definition: TSESTree.Node): void {
      const returns = executeEnds(
        execute,
        reachable,
        context.sourceCode,
        typeInformation(context),
        ({ kind }) => kind === 'text',
      );
      const texts = new Set(
        returns.flatMap(({ returned, ends }) =>
          ends.flatMap((end) =>
            end.kind === 'text' && end.isCertain && returned !== null
              ? [placeOf(end, returned, execute)]
              : [],
          ),
        ),
      );
      texts.forEach((node) => context.report({ node, messageId: 'text' }));
      const all = returns.flatMap(({ ends }) => ends);
      const isKnown = all.length > 0 && all.every(({ kind }) => kind !== 'unknown' && kind !== 'text');
      if (isKnown && all.every(({ target }) => target === 'absent')) {
        context.report({ loc: headOf(execute, definition), messageId: 'neverNamesTarget' });
      }
    }

    /** The line that opens the function, so that a whole body is not underlined. */
    function headOf(execute: FunctionNode, definition: TSESTree.Node): TSESTree.SourceLocation {
      const named = execute.parent.range[0] >= definition.range[0] ? execute.parent : execute;
      return { start: named.loc.start, end: execute.body.loc.start };
    }
  },
});
