import { SDK_MODULE, TOOL_DEFINITIONS } from '@toolwright/sdk/contract-names';
import { Evaluator } from '../../compiler/evaluator.js';
import type { ToolAdapter } from '../../discover/discovered-tool.js';
import { findDefinitions } from './find-definitions.js';
import { readDefinition } from './read-definition.js';
import { SdkContract } from './sdk-contract.js';
import { Wrappers } from './wrappers.js';

const { factory, readerInterface, writerInterface, union } = TOOL_DEFINITIONS;

/** Tools of our own SDK: calls of its factory, and classes and objects of its types. */
export const TOOLWRIGHT_ADAPTER: ToolAdapter = {
  framework: 'toolwright',
  looksFor:
    `calls of ${factory} from ${SDK_MODULE}, and classes and objects of its types ` +
    `${readerInterface}, ${writerInterface} and ${union}`,
  discover(project) {
    const contract = new SdkContract(project);
    const evaluator = new Evaluator(project, contract);
    const read = findDefinitions(project, evaluator, contract).flatMap((site) =>
      readDefinition(project, evaluator, site),
    );
    return new Wrappers(evaluator, contract, read).join();
  },
};
