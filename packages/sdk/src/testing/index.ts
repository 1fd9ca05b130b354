/**
 * For tests of tools: a host in memory that runs one call with its preview, its approval and its result,
 * a content system in memory, and matchers for what a call did.
 *
 * Nothing here needs vitest. Its matchers are added by `import '@toolwright/sdk/testing/vitest'`, once, in
 * a setup file or in a test; another test runner takes `toolMatchers` in its own `expect.extend`.
 */
export {
  createTestHost,
  runTool,
  type RunToolOptions,
  type TestHost,
  type TestHostOptions,
  type ToolRecord,
} from './test-host.js';
export { InMemoryContent, type InMemoryContentOptions } from './in-memory-content.js';
export type { InMemoryEvent, InMemoryFinishingStep, InMemoryHook } from './in-memory-raw-handler.js';
export { createTestClock, type TestClock } from './test-clock.js';
export { createRecordingLogger, type LogEntry, type RecordingLogger } from './recording-logger.js';
export { ToolContractError } from './tool-contract-error.js';
export { toolMatchers, type ExpectedText, type MatcherAnswer } from './tool-matchers.js';
export type { ApprovalDecision, ApprovalRequest, ApproveCall, CallApproval } from '../call/call-approval.js';
export type { CallFailure, CallOutcome, ContractRule } from '../call/call-outcome.js';
export type { CallRecord } from '../call/tool-call.js';
export type { Timer } from '../call/call-timer.js';
