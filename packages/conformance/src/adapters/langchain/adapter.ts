import type { ToolAdapter } from '../../discover/discovered-tool.js';
import { findFactoryTools, INPUT_THEN_CONTEXT } from '../../compiler/factory-tools.js';

/** Tools of LangChain: `tool(fn, { name })`, `new DynamicStructuredTool({ name, func })`, classes with `_call`. */
export const LANGCHAIN_ADAPTER: ToolAdapter = {
  framework: 'langchain',
  looksFor:
    'calls of tool, constructions of DynamicStructuredTool and DynamicTool, and subclasses of StructuredTool and Tool, ' +
    'from @langchain/core/tools or langchain',
  discover: (project) =>
    findFactoryTools(project, {
      framework: 'langchain',
      packages: ['@langchain/core', 'langchain'],
      factories: new Set(['tool', 'DynamicStructuredTool', 'DynamicTool']),
      bases: new Set(['StructuredTool', 'Tool']),
      nameKey: 'name',
      codeKeys: ['func', '_call'],
      argumentsOf: () => INPUT_THEN_CONTEXT,
    }),
};
