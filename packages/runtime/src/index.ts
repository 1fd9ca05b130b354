export {
  createRuntime,
  type EnqueueControls,
  type RunControls,
  type Runtime,
  type RuntimeOptions,
  type WorkControls,
} from './create-runtime.js';
export { AuditPersistenceError, RuntimeError, type RuntimeErrorCode } from './errors.js';
export { classifyFailure, isRetryable, type FailureClass } from './failure/failure-class.js';
export { ToolRegistry, type Plugin, type RegisteredTool } from './loop/tool-registry.js';
export type { LoopLimits } from './loop/loop-host.js';
export { pinoLogger } from './log/pino-logger.js';
export { REDACTED, type Redactor } from './secrets/redactor.js';
export { secretRedactor, type SecretRedactorOptions } from './secrets/secret-redactor.js';
export type { SecretShape } from './secrets/secret-shapes.js';
export {
  DROPPED_ARTIFACTS,
  MAX_ARTIFACTS_BYTES,
  MAX_ARTIFACTS_DEPTH,
  MAX_CONTENT_BYTES,
} from './loop/bound-result.js';
export {
  alwaysPause,
  neverPause,
  type ApprovalPolicy,
  type ApprovalQuestion,
} from './approval/approval-policy.js';
export { anyone, anyoneElse, type ApprovalAttempt, type Approvers } from './approval/approvers.js';
export type { PauseCard } from './approval/approval-desk.js';
export type { RunRequest } from './run/run-request.js';
export type {
  CancelledRun,
  CompletedRun,
  FailedRun,
  LostRun,
  Pause,
  PausedRun,
  RunResult,
  WriteReport,
} from './run/run-result.js';
export type {
  Model,
  ModelFinish,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelTurn,
  OfferedTool,
} from './model/model.js';
export { ModelError } from './model/model.js';
export {
  scriptedModel,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedTurn,
} from './model/scripted-model.js';
export type { CallRefusal, PreparedCall } from './audit/prepared-call.js';
export type {
  ApprovalDecidedStep,
  ApprovalRequestedStep,
  ApprovalStep,
  ApprovalWaivedStep,
  CallEnding,
  DenialReason,
  DeniedStep,
  FailureDetail,
  FailureStep,
  ModelStep,
  NoteStep,
  PauseReason,
  RequestStep,
  ResolutionStep,
  Step,
  StepBody,
  StepKind,
  StoredResult,
  StoredTarget,
  ToolStep,
  WriteOutcome,
  WriteTargetStep,
} from './audit/step.js';
export type {
  EvidenceTarget,
  FenceRequest,
  LateEvidence,
  RunJournal,
  RunRecord,
  RunStore,
  StoredRun,
  WriteFence,
} from './audit/run-journal.js';
export type { RunStatus, RunTransition } from './run/lifecycle.js';
export type { Disposition } from './run/disposition.js';
export {
  DEFAULT_LEASE,
  type LeaseTerms,
  type MonotonicClock,
  type QueuedRunStore,
  type ReapedRun,
} from './queue/queued-run-store.js';
export type { Beat, Heartbeat, HeartbeatOrder, Heartbeats } from './queue/heartbeats.js';
export type { WorkTerms } from './queue/queue-worker.js';
export type { DeadLetterNotice, PauseNotice, RunHooks } from './observe/run-hooks.js';
export type {
  DeadLetter,
  RequeueOptions,
  RunFilter,
  RunOperations,
  RunSummary,
  WriteResolution,
} from './operator/run-operations.js';
export type { HostHistory, Outcomes, ReportOptions } from './outcome/outcomes.js';
export type { Derivation, DeriveOptions } from './outcome/derive-outcomes.js';
export type {
  CallKey,
  Finding,
  LandedTarget,
  ObservedCount,
  ObservedOutcome,
  OpenFilter,
  OutcomeFilter,
  OutcomeLedger,
  Rating,
  RatingCount,
  TargetCursor,
  TargetOutcome,
} from './outcome/outcome-ledger.js';
export type { DecidedReason, ObservedValue, UnknownReason } from './outcome/observed-outcome.js';
export type {
  ExplicitGroup,
  ObservedGroup,
  OutcomeGroup,
  OutcomeGrouping,
  OutcomeReport,
} from './outcome/outcome-report.js';
export type { OperatorHost } from './cli/load-host.js';
export type { Schedule } from './schedule/schedule.js';
export type { ScheduleBook, ScheduleEntry, Tick } from './schedule/schedule-book.js';
export type { ScheduleStanding } from './schedule/schedule-standing.js';
export type { WakeUps } from './queue/wake-ups.js';
export { SqlRunStore, type SqlRunStoreOptions } from './store/sql/sql-run-store.js';
export type { Encryption } from './store/sql/step-codec.js';
export type { EncryptionKey, EncryptionKeys } from './store/seal/jwe-step-sealer.js';
export type { SealPlace, StepSealer } from './store/seal/step-sealer.js';
export { openRunStore, type RunStoreOptions } from './store/sql/open-run-store.js';
export { openDatabase, type DatabaseOptions, type OpenDatabase } from './store/sql/open-database.js';
export type { PostgresOptions } from './store/sql/postgres/open-postgres.js';
export type { SqliteOptions } from './store/sql/sqlite/open-sqlite.js';
export type { SqlDialect, SqlDialectName } from './store/sql/dialect.js';
export type { SqlRow, SqlValue, Statement, UnitOutcome, UnitRunner } from './store/unit.js';
export { MemoryRunStore } from './store/memory-run-store.js';
export { systemTime, type TimeSource } from './time/time-source.js';
