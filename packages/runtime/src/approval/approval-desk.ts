import {
  errorClass,
  isStorableName,
  mayView,
  printableLine,
  type Logger,
  type Viewer,
} from '@toolwright/sdk';
import type { RunStore, StoredRun } from '../audit/run-journal.js';
import { RunState, type OpenCall } from '../audit/run-state.js';
import type { ApprovalDecidedStep, ApprovalRequestedStep, Step } from '../audit/step.js';
import { RuntimeError } from '../errors.js';
import { isExpired } from '../loop/decide-calls.js';
import { inputOf } from '../loop/prepared-input.js';
import type { ToolRegistry } from '../loop/tool-registry.js';
import type { Pause } from '../run/run-result.js';
import { pausesOf } from '../run/to-run-result.js';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';
import type { TimeSource } from '../time/time-source.js';
import type { Approvers } from './approvers.js';

/** What a person sees of a call that waits. */
export interface PauseCard extends Pause {
  readonly actor: { readonly id: string };
  /**
   * What the call would do, and its arguments; null where this viewer may not see them. A snapshot from
   * when the run paused: the record can have changed since.
   */
  readonly preview: { readonly lines: readonly string[]; readonly isCut: boolean } | null;
  readonly input: Readonly<Record<string, unknown>> | null;
  /** In words, why a person is asked, and that the preview is a snapshot. */
  readonly why: readonly string[];
  /** When the preview was made; ISO 8601. */
  readonly previewedAt: string;
}

interface DeskPorts {
  readonly store: RunStore;
  readonly registry: ToolRegistry;
  readonly approvers: Approvers;
  readonly redactor: Redactor;
  readonly time: TimeSource;
  readonly logger: Logger;
}

const MAX_REASON_LENGTH = 300;
/** Decisions about other calls of the run move its last step; each round sees them. */
const MAX_APPEND_ROUNDS = 50;

const WHY: Readonly<Record<ApprovalRequestedStep['reasons'][number], string>> = {
  policy: 'This tool writes, and the policy asks for a person.',
  repeats_unknown:
    'An identical call of this run ended without a known outcome: it may have written already. Read the record first.',
  repeats_write: 'An identical call is part of this run already, and this tool writes anew each time.',
};

const SNAPSHOT = 'The preview is a snapshot from when the run paused: the record can have changed since.';

/** Where paused calls are looked at and decided about. */
export class ApprovalDesk {
  readonly #ports: DeskPorts;

  constructor(ports: DeskPorts) {
    this.#ports = ports;
  }

  /** @throws RuntimeError with code `RUN_NOT_FOUND`. */
  async pauses(runId: string): Promise<readonly Pause[]> {
    const stored = await this.#read(runId);
    return stored.status === 'paused'
      ? pausesOf(runId, RunState.from(stored.steps), this.#ports.time.now())
      : [];
  }

  /** @throws RuntimeError with code `RUN_NOT_FOUND`, `APPROVAL_NOT_PENDING` or `APPROVAL_MISMATCH`. */
  async card(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>, viewer?: Viewer): Promise<PauseCard> {
    const { stored, open, request } = await this.#pending(pause);
    const input = inputOf(open.call);
    const tool = this.#ports.registry.get(request.tool)?.tool;
    const isVisible = await mayView(tool, inputOf(open.call), viewer);
    const { callId, tool: name, effect, reasons, digest, expiresAt, preview } = request;
    return {
      runId: pause.runId,
      callId,
      tool: name,
      effect,
      reasons,
      digest,
      expiresAt,
      actor: stored.run.actor,
      preview: isVisible ? preview : null,
      input: isVisible ? input : null,
      why: [...reasons.map((reason) => WHY[reason]), SNAPSHOT],
      previewedAt: request.at,
    };
  }

  /**
   * Records a decision about exactly this pause.
   *
   * @throws RuntimeError with code `RUN_NOT_FOUND`, `APPROVAL_NOT_PENDING` (decided already, or the run
   *   is not paused), `APPROVAL_MISMATCH` (the call is another one now), `APPROVAL_EXPIRED` or
   *   `APPROVAL_NOT_ALLOWED`.
   */
  async decide(
    phase: ApprovalDecidedStep['phase'],
    pause: Pick<Pause, 'runId' | 'callId' | 'digest'>,
    person: Viewer,
    reason: string | null,
  ): Promise<void> {
    if (typeof person.id !== 'string' || person.id === '') {
      throw notAllowed(pause, 'a person with an id', 'none');
    }
    if (!isStorableName(person.id)) {
      throw notAllowed(
        pause,
        'an id free of control characters and of halves of surrogate pairs',
        'at least one',
      );
    }
    // The model is told the reason of a declined call.
    const safe = reason === null ? null : await redactOrWithhold(this.#ports.redactor, reason);
    const why = safe === null ? null : printableLine(safe).slice(0, MAX_REASON_LENGTH);
    for (let round = 0; round < MAX_APPEND_ROUNDS; round += 1) {
      const { stored, request } = await this.#pending(pause);
      const now = this.#ports.time.now();
      if (isExpired(request, now)) {
        throw new RuntimeError(
          'APPROVAL_EXPIRED',
          `Cannot decide about call ${pause.callId}: the pause expired at ${String(request.expiresAt)}. ` +
            'Resume the run: the call is answered as not run.',
        );
      }
      if (phase === 'approved') {
        await this.#assertMayApprove(stored, request, person);
      }
      const lastSeq = stored.steps.length;
      const step: Step<ApprovalDecidedStep> = {
        kind: 'approval',
        phase,
        callId: pause.callId,
        digest: request.digest,
        by: printableLine(person.id),
        reason: why,
        seq: lastSeq + 1,
        at: now.toISOString(),
      };
      if (await this.#ports.store.appendToPaused(pause.runId, lastSeq, step)) {
        return;
      }
    }
    throw new RuntimeError(
      'STORE_UNAVAILABLE',
      `Cannot record the decision about call ${pause.callId}: the run kept changing. Read its pauses and decide anew.`,
    );
  }

  async #assertMayApprove(stored: StoredRun, request: ApprovalRequestedStep, person: Viewer): Promise<void> {
    const { runId, actor } = stored.run;
    const { callId, tool, effect } = request;
    let mayApprove = false;
    try {
      const answer: unknown = await this.#ports.approvers.mayApprove(person, {
        runId,
        callId,
        tool,
        effect,
        actor,
      });
      mayApprove = answer === true;
    } catch (error) {
      this.#ports.logger.error('The approvers port threw, so the approval is refused.', {
        runId,
        callId,
        error: errorClass(error),
      });
    }
    if (!mayApprove) {
      const found = person.id === actor.id ? "the run's own actor" : 'somebody who may not';
      throw notAllowed({ callId }, 'a person who may approve', found);
    }
  }

  async #pending(pause: Pick<Pause, 'runId' | 'callId' | 'digest'>): Promise<{
    readonly stored: StoredRun;
    readonly open: OpenCall;
    readonly request: Step<ApprovalRequestedStep>;
  }> {
    const stored = await this.#read(pause.runId);
    const open = RunState.from(stored.steps).openCalls.find(({ call }) => call.callId === pause.callId);
    if (stored.status !== 'paused' || open === undefined) {
      throw notPending(pause, stored.status === 'paused' ? 'no such call' : `a run that is ${stored.status}`);
    }
    const { request, decision } = open;
    if (request === null || decision !== null) {
      const found =
        decision === null ? 'a call that asks nobody' : `one that was ${decision.phase} by ${decision.by}`;
      throw notPending(pause, found);
    }
    if (request.digest !== pause.digest) {
      throw new RuntimeError(
        'APPROVAL_MISMATCH',
        `Cannot decide about call ${pause.callId}: expected the digest of the pause that stands now, found another. ` +
          'The call or its preview is not the one that was shown; read the pauses of the run and decide anew.',
      );
    }
    return { stored, open, request };
  }

  async #read(runId: string): Promise<StoredRun> {
    const stored = await this.#ports.store.read(runId);
    if (stored === null) {
      throw runNotFound(runId);
    }
    return stored;
  }
}

export function runNotFound(runId: string): RuntimeError {
  return new RuntimeError(
    'RUN_NOT_FOUND',
    `Cannot find run "${runId.slice(0, 100)}" in the store. Check the id, and that this is the store that the run was started on.`,
  );
}

function notAllowed(pause: { readonly callId: string }, expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'APPROVAL_NOT_ALLOWED',
    `Cannot approve call ${pause.callId}: expected ${expected}, found ${found}. ` +
      'The `approvers` of createRuntime decide who may; use `anyone` where the run acts for the person who confirms.',
  );
}

function notPending(pause: { readonly callId: string }, found: string): RuntimeError {
  return new RuntimeError(
    'APPROVAL_NOT_PENDING',
    `Cannot decide about call ${pause.callId}: expected a call that waits for a decision, found ${found}. ` +
      'Read the pauses of the run.',
  );
}
