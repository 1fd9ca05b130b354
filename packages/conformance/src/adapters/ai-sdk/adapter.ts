import type { ToolAdapter } from '../../discover/discovered-tool.js';
import { findFactoryTools, INPUT_THEN_CONTEXT } from '../../compiler/factory-tools.js';

/** Tools of Vercel's AI SDK: `tool({ … })` in a record, whose keys are their names. */
export const AI_SDK_ADAPTER: ToolAdapter = {
  framework: 'ai-sdk',
  looksFor: 'calls of tool and dynamicTool from ai, named by their keys in a record',
  discover: (project) =>
    findFactoryTools(project, {
      framework: 'ai-sdk',
      packages: ['ai', '@ai-sdk/provider-utils'],
      factories: new Set(['tool', 'dynamicTool']),
      bases: new Set(),
      nameKey: null,
      codeKeys: ['execute'],
      argumentsOf: () => INPUT_THEN_CONTEXT,
    }),
};
