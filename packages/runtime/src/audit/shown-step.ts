import { redactJsonText } from '../secrets/redact-json.js';
import type { Redactor } from '../secrets/redactor.js';
import type { Step } from './step.js';

/**
 * A step as a trace shows it: with the secrets of its arguments taken out. Whatever else it says was redacted
 * before it was recorded; the exact arguments stay, because they are what runs.
 */
export async function shownStep(step: Step, redactor: Redactor): Promise<Step> {
  if (step.kind !== 'model') {
    return step;
  }
  const calls = step.calls.map(async (call) => ({
    ...call,
    arguments: call.arguments === null ? null : await redactJsonText(redactor, call.arguments),
  }));
  return { ...step, calls: await Promise.all(calls) };
}
