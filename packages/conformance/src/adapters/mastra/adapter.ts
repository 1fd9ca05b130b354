import { ts } from '../../../engine/typescript.mjs';
import type { EntryArgument, ToolAdapter } from '../../discover/discovered-tool.js';
import { findFactoryTools, INPUT_THEN_CONTEXT } from '../../compiler/factory-tools.js';

const INPUT_IN_CONTEXT: readonly EntryArgument[] = [
  { kind: 'object', members: { context: { kind: 'input' } } },
  { kind: 'context' },
];

/** Tools of Mastra: `createTool({ id, execute })`. */
export const MASTRA_ADAPTER: ToolAdapter = {
  framework: 'mastra',
  looksFor: 'calls of createTool from @mastra/core',
  discover: (project) =>
    findFactoryTools(project, {
      framework: 'mastra',
      packages: ['@mastra/core'],
      factories: new Set(['createTool', 'Tool']),
      bases: new Set(),
      nameKey: 'id',
      codeKeys: ['execute'],
      argumentsOf: (code) => (takesContext(code) ? INPUT_IN_CONTEXT : INPUT_THEN_CONTEXT),
    }),
};

/** Before version 1 the input was the member `context` of the one argument. */
function takesContext(code: ts.SignatureDeclaration | null): boolean {
  const name = code?.parameters[0]?.name;
  return (
    name !== undefined &&
    ts.isObjectBindingPattern(name) &&
    name.elements.some((element) => (element.propertyName ?? element.name).getText() === 'context')
  );
}
