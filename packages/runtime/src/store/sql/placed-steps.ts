import type { Step } from '../../audit/step.js';
import type { EncodedStep, StepCodec } from './step-codec.js';

/** A step with what its row holds. */
export interface PlacedStep {
  readonly step: Step;
  readonly encoded: EncodedStep;
}

/** Steps of one run, each with what its row holds. */
export function placeSteps(
  codec: Pick<StepCodec, 'encode'>,
  runId: string,
  steps: readonly Step[],
): Promise<readonly PlacedStep[]> {
  return Promise.all(steps.map(async (step) => ({ step, encoded: await codec.encode(runId, step) })));
}
