import type { Tracer } from '@opentelemetry/api';
import type { Logger, SafeContentHandler } from '@toolwright/sdk';
import type { ApprovalPolicy } from '../approval/approval-policy.js';
import type { RunJournal } from '../audit/run-journal.js';
import type { StepRecorder } from '../audit/step-recorder.js';
import type { Model } from '../model/model.js';
import type { TimeSource } from '../time/time-source.js';
import type { Redactor } from '../secrets/redactor.js';
import type { ToolRegistry } from './tool-registry.js';

/** How much, and how long, a run may take. Every time is in milliseconds. */
export interface LoopLimits {
  /** Most answers of the model in one run. */
  readonly maxRounds: number;
  /** Most calls of one answer; the rest is refused. */
  readonly maxCallsPerTurn: number;
  /** Deadline of a call whose tool has none of its own. */
  readonly callTimeoutMs: number;
  /** How long a call may take to settle once its signal has aborted. */
  readonly callGraceMs: number;
  readonly previewTimeoutMs: number;
  readonly modelTimeoutMs: number;
  /** How often a model that failed retryably is asked anew within a round. */
  readonly modelRetries: number;
  /** First wait before a model is asked anew; doubles each time. */
  readonly modelBackoffMs: number;
  /** Most bytes of one call's arguments. */
  readonly maxArgumentBytes: number;
  /** When a pause expires; null for never. */
  readonly pauseExpiresMs: number | null;
}

export const DEFAULT_LIMITS: LoopLimits = {
  maxRounds: 20,
  maxCallsPerTurn: 32,
  callTimeoutMs: 60_000,
  callGraceMs: 2_000,
  previewTimeoutMs: 10_000,
  modelTimeoutMs: 120_000,
  modelRetries: 2,
  modelBackoffMs: 1_000,
  maxArgumentBytes: 256 * 1024,
  pauseExpiresMs: null,
};

/** What a host gives to every run. */
export interface LoopHost {
  readonly registry: ToolRegistry;
  readonly model: Model;
  readonly content: SafeContentHandler;
  readonly policy: ApprovalPolicy;
  readonly redactor: Redactor;
  readonly tracer: Tracer;
  readonly logger: Logger;
  readonly time: TimeSource;
  readonly limits: LoopLimits;
}

/** One hold on one run, as the parts of the loop share it. */
export interface Segment {
  readonly host: LoopHost;
  readonly journal: RunJournal;
  readonly recorder: StepRecorder;
  /** Aborts when the run is cancelled or lost. */
  readonly cancel: AbortSignal;
  readonly onText?: (delta: string) => void;
}
