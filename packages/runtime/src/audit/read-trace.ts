import { mayView, type Viewer } from '@toolwright/sdk';
import type { ToolRegistry } from '../loop/tool-registry.js';
import { inputOf } from '../loop/prepared-input.js';
import type { PreparedCall } from './prepared-call.js';
import type { Redactor } from '../secrets/redactor.js';
import { shownStep } from './shown-step.js';
import type { Step } from './step.js';

interface TraceView {
  readonly registry: ToolRegistry;
  readonly redactor: Redactor;
  readonly viewer: Viewer | undefined;
}

const WITHHELD = '(withheld)';

/**
 * The trace as this viewer may see it: a preview, and the arguments that say the same, go through the tool's
 * `mayViewPreview`; the secrets of all arguments are taken out.
 */
export async function readTrace(
  steps: readonly Step[],
  { registry, redactor, viewer }: TraceView,
): Promise<readonly Step[]> {
  const calls = new Map(
    steps.flatMap((step) => (step.kind === 'model' ? step.calls : [])).map((call) => [call.callId, call]),
  );
  const hidden = new Set<string>();
  for (const step of steps) {
    if (step.kind === 'approval' && step.phase === 'requested' && !hidden.has(step.callId)) {
      const input = inputOf(calls.get(step.callId) ?? { arguments: null });
      if (!(await mayView(registry.get(step.tool)?.tool, input, viewer))) {
        hidden.add(step.callId);
      }
    }
  }
  return Promise.all(steps.map(async (step) => withheld(await shownStep(step, redactor), hidden)));
}

function withheld(step: Step, hidden: ReadonlySet<string>): Step {
  if (step.kind === 'model') {
    return {
      ...step,
      calls: step.calls.map((call) => (hidden.has(call.callId) ? withoutArguments(call) : call)),
    };
  }
  return step.kind === 'approval' && step.phase === 'requested' && hidden.has(step.callId)
    ? { ...step, preview: { lines: [WITHHELD], isCut: false } }
    : step;
}

function withoutArguments(call: PreparedCall): PreparedCall {
  return { ...call, rawArguments: WITHHELD, arguments: WITHHELD };
}
