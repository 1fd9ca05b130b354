/**
 * How one call is judged and put into words: for hosts that run tools themselves. A tool author needs
 * none of it.
 */
export { openCallContent, type CallContent } from './call-content.js';
export { withinDeadline, type DeadlineOptions, type Settled } from './call-deadline.js';
export {
  judgeCall,
  type CallEvidence,
  type CallFailure,
  type CallOutcome,
  type ContractRule,
  type JudgedCall,
  type Settlement,
} from './call-outcome.js';
export type { Timer } from './call-timer.js';
export {
  answerWithNotes,
  boundContent,
  declinedCall,
  withToolsWords,
  writtenThenFailed,
} from './call-wording.js';
export { advisesRetry } from './retry-advice.js';
export { assertDefinition } from '../tool/assert-definition.js';
