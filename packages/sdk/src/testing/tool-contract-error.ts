import type { CallFailure, ContractRule } from '../call/call-outcome.js';
import { SdkError } from '../errors.js';
import type { ToolRecord } from './test-host.js';

type ContractViolation = Extract<CallFailure, { readonly kind: 'contract_violation' }>;

/** What each rule expects, and what its author does about it. */
const RULES: Readonly<Record<ContractRule, { readonly expected: string; readonly remedy: string }>> = {
  'answers-a-tool-result': {
    expected: 'an answer made by a factory of ToolResult',
    remedy:
      'Return what ToolResult.text, wrote, unchanged, refused or error made; rebuild a result with withContent, ' +
      'never with a spread; install one copy of @toolwright/sdk only.',
  },
  'writer-returns-target': {
    expected: 'a writing tool to answer wrote, unchanged, refused or error',
    remedy:
      'Answer with ToolResult.wrote(target, …), or with unchanged when there was nothing to change. ' +
      'If the tool writes nothing, declare no effect.',
  },
  'reader-returns-no-target': {
    expected: 'a read-only tool to answer text, refused or an error without a target',
    remedy: 'Answer with ToolResult.text(…). If the tool writes, declare its effect.',
  },
  'nothing-claimed-after-a-write': {
    expected: 'no refused and no unchanged once the content handler has written',
    remedy: 'Refuse before the first write; after one, answer wrote, or error with the target.',
  },
  'waits-for-its-writes': {
    expected: 'an answer after every write has settled',
    remedy: 'Await each call of context.content that writes before the tool answers.',
  },
};

/** A tool answered in a way that its declaration does not allow. What happened is in `record`. */
export class ToolContractError extends SdkError {
  override readonly name = 'ToolContractError';
  readonly rule: ContractRule;
  readonly record: ToolRecord;

  constructor(violation: ContractViolation, record: ToolRecord) {
    const { expected, remedy } = RULES[violation.rule];
    const wrote = record.landed.map(({ target }) => `${target.table}:${String(target.uid)}`).join(', ');
    super(
      'CONTRACT_VIOLATION',
      `The tool "${record.toolName}" broke its contract (${violation.rule}): expected ${expected}, ` +
        `found ${violation.found}${wrote === '' ? '' : ` after writing ${wrote}`}. ${remedy}`,
    );
    this.rule = violation.rule;
    this.record = record;
  }
}
