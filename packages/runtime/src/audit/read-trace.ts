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

const WITHHELD = { lines: ['(withheld)'], isCut: false };

/**
 * The trace as this viewer may see it: every preview goes through the tool's `mayViewPreview`, and the secrets of
 * arguments are taken out.
 */
export async function readTrace(
  steps: readonly Step[],
  { registry, redactor, viewer }: TraceView,
): Promise<readonly Step[]> {
  const calls = new Map<string, PreparedCall>();
  const seen: Step[] = [];
  for (const step of steps) {
    if (step.kind === 'model') {
      step.calls.forEach((call) => calls.set(call.callId, call));
    }
    if (step.kind === 'approval' && step.phase === 'requested') {
      const call = calls.get(step.callId);
      const input = inputOf(call ?? { arguments: null });
      const isVisible = await mayView(registry.get(step.tool)?.tool, input, viewer);
      seen.push(isVisible ? step : { ...step, preview: WITHHELD });
    } else {
      seen.push(await shownStep(step, redactor));
    }
  }
  return seen;
}
