import type { RuntimeError } from '../../errors.js';
import type { Statement, UnitOutcome, UnitRunner } from '../unit.js';

const MAX_ROUNDS = 8;

/**
 * Runs a unit that is the same twice, again and again until its answer is not lost.
 *
 * @param unavailable what is thrown when the store did not take it, or never answered
 */
export async function runUntilAnswered(
  runner: Pick<UnitRunner, 'run'>,
  unit: readonly Statement[],
  unavailable: (outcome: Extract<UnitOutcome, { kind: 'failed' | 'unknown' }>) => RuntimeError,
): Promise<Extract<UnitOutcome, { kind: 'committed' | 'refused' }>> {
  for (let round = 1; ; round += 1) {
    const outcome = await runner.run(unit);
    if (outcome.kind === 'committed' || outcome.kind === 'refused') {
      return outcome;
    }
    if (outcome.kind === 'failed' || round === MAX_ROUNDS) {
      throw unavailable(outcome);
    }
  }
}
