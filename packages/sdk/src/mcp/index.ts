/**
 * Serves tools over the Model Context Protocol. Needs `@modelcontextprotocol/server` 2.
 *
 * A client decides what it asks its user before a call; the hints that it goes by are all explicit
 * here. A host that must decide by itself hands over `approve`.
 */
export {
  createToolHandler,
  createToolServer,
  serveToolsOverStdio,
  toolServerFactory,
  type ToolServerOptions,
} from './tool-server.js';
export { registerTools, type McpCaller, type RegisterToolsOptions } from './register-tools.js';
export {
  EFFECT_META_KEY,
  annotationsOf,
  type ExplicitToolAnnotations,
  type ToolPresentation,
} from './tool-annotations.js';
export { LANDED_META_KEY, OUTCOME_META_KEY, TARGET_META_KEY } from './call-tool-result.js';
export { stderrLogger } from './stderr-logger.js';
export type { ApprovalDecision, ApprovalRequest, ApproveCall, CallApproval } from '../call/call-approval.js';
export type { CallFailure, CallOutcome, ContractRule } from '../call/call-outcome.js';
export type { CallRecord } from '../call/tool-call.js';
export type { Timer } from '../call/call-timer.js';
