import type { ToolAdapter } from '../../discover/discovered-tool.js';
import { findFactoryTools, INPUT_THEN_CONTEXT } from '../../compiler/factory-tools.js';

/** Function tools of the OpenAI Agents SDK: `tool({ name, parameters, execute })`. */
export const OPENAI_AGENTS_ADAPTER: ToolAdapter = {
  framework: 'openai-agents',
  looksFor: 'calls of tool from @openai/agents',
  discover: (project) =>
    findFactoryTools(project, {
      framework: 'openai-agents',
      packages: ['@openai/agents', '@openai/agents-core', '@openai/agents-realtime'],
      factories: new Set(['tool']),
      bases: new Set(),
      nameKey: 'name',
      codeKeys: ['execute'],
      argumentsOf: () => INPUT_THEN_CONTEXT,
    }),
};
