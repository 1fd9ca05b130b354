import { ToolEffect } from '@toolwright/sdk';
import type { ModelMessage } from '../model/model.js';
import type { PreparedCall } from './prepared-call.js';
import type {
  ApprovalDecidedStep,
  ApprovalRequestedStep,
  ApprovalStep,
  FailureStep,
  ModelStep,
  ResolutionStep,
  Step,
  StoredTarget,
  ToolStep,
  WriteOutcome,
} from './step.js';

/** What is known about one call of the turn that is being answered. */
export interface OpenCall {
  readonly call: PreparedCall;
  /** The newest request; an older one is void with it. */
  request: Step<ApprovalRequestedStep> | null;
  decision: ApprovalDecidedStep | null;
  isWaived: boolean;
  /** The `seq` of the newest request or waiver; what happened later was not known to who decided. */
  askedAtSeq: number;
}

/** A call that ran, with what is known about it by now. */
export interface RanCall {
  readonly callId: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly argumentsDigest: string;
  /** Null for a read. */
  readonly outcome: WriteOutcome | null;
  readonly target: StoredTarget | null;
  /** Where the outcome stands. */
  readonly seq: number;
}

/**
 * Where a run stands, derived from its steps alone. A fresh run, a resume and a requeue all start from
 * here, so a call with a stored step can never be executed again.
 */
export class RunState {
  readonly messages: ModelMessage[] = [];
  /** Every call id of the run so far. */
  readonly callIds = new Set<string>();
  /** The calls of the newest turn that have no answer yet, in the model's order. */
  readonly openCalls: OpenCall[] = [];
  /** The calls that ran, in order. */
  readonly ran: RanCall[] = [];
  rounds = 0;
  lastSeq = 0;
  /** The model's last words, once it made no call. */
  answer: ModelStep | null = null;
  failure: FailureStep | null = null;

  static from(steps: readonly Step[]): RunState {
    const state = new RunState();
    for (const step of steps) {
      state.apply(step);
    }
    return state;
  }

  apply(step: Step): void {
    this.lastSeq = step.seq;
    switch (step.kind) {
      case 'request':
        this.messages.push(...step.messages);
        step.messages
          .flatMap((message) => (message.role === 'assistant' ? message.calls : []))
          .forEach(({ id }) => this.callIds.add(id));
        return;
      case 'model':
        this.#applyModel(step);
        return;
      case 'tool':
        this.ran.push(ranCall(step));
        this.#answer(step.callId, step.result.content);
        return;
      case 'resolution':
        this.#resolve(step);
        return;
      case 'denied':
        this.#answer(step.callId, step.answer);
        return;
      case 'approval':
        this.#applyApproval(step);
        return;
      case 'failure':
        this.failure = step;
        return;
      case 'write_target':
      case 'note':
        return;
    }
  }

  #applyModel(step: ModelStep): void {
    this.rounds = step.round;
    this.answer = step.calls.length === 0 ? step : null;
    const calls = step.calls.map((call) => ({
      id: call.callId,
      name: wireName(call.tool),
      // A server refuses a transcript whose arguments are no JSON; what came is in the step.
      arguments: call.refusal === null || isJsonObject(call.rawArguments) ? call.rawArguments : '{}',
    }));
    this.messages.push({ role: 'assistant', content: step.content, calls });
    for (const call of step.calls) {
      this.callIds.add(call.callId);
      this.openCalls.push({ call, request: null, decision: null, isWaived: false, askedAtSeq: 0 });
    }
  }

  #applyApproval(step: Step<ApprovalStep>): void {
    const open = this.openCalls.find(({ call }) => call.callId === step.callId);
    if (open === undefined) {
      return;
    }
    if (step.phase === 'requested') {
      open.request = step;
      open.decision = null;
      open.isWaived = false;
      open.askedAtSeq = step.seq;
    } else if (step.phase === 'waived') {
      open.isWaived = true;
      open.askedAtSeq = step.seq;
    } else if (step.digest === open.request?.digest) {
      open.decision = step;
    }
  }

  /** An open call is answered with what a person found; one that was answered gets another answer. */
  #resolve(step: Step<ResolutionStep>): void {
    const { callId, tool, outcome, target, seq } = step;
    const open = this.openCalls.find(({ call }) => call.callId === callId)?.call;
    const index = this.ran.findIndex((call) => call.callId === callId);
    const known = index < 0 ? open : this.ran[index];
    const { effect, argumentsDigest } = known ?? {
      effect: ToolEffect.NON_IDEMPOTENT_WRITE,
      argumentsDigest: '',
    };
    const resolved: RanCall = { callId, tool, effect, argumentsDigest, outcome, target, seq };
    this.ran.splice(index < 0 ? this.ran.length : index, 1, resolved);
    if (open !== undefined) {
      this.#answer(callId, resolutionText(step));
      return;
    }
    const told = this.messages.findIndex((message) => message.role === 'tool' && message.callId === callId);
    if (told >= 0) {
      this.messages[told] = { role: 'tool', callId, content: resolutionText(step) };
    }
  }

  #answer(callId: string, content: string): void {
    const index = this.openCalls.findIndex(({ call }) => call.callId === callId);
    if (index >= 0) {
      this.openCalls.splice(index, 1);
    }
    this.messages.push({ role: 'tool', callId, content });
  }
}

function ranCall({ callId, tool, effect, argumentsDigest, outcome, result, seq }: Step<ToolStep>): RanCall {
  return { callId, tool, effect, argumentsDigest, outcome, target: result.target, seq };
}

/** What the model is told; none of it suggests to run the call once more. */
function resolutionText({ outcome, target }: ResolutionStep): string {
  return outcome === 'landed' && target !== null
    ? `The outcome of this call was unknown. A person has looked: it wrote ${target.table}:${String(target.uid)}. Do not repeat the write.`
    : 'The outcome of this call was unknown. A person has looked: nothing was written.';
}

// A server refuses a transcript with a name that no tool can have; what the model wrote is in the step.
function wireName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, 64);
  return plain === '' ? 'unnamed' : plain;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
