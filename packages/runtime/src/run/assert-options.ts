import { RuntimeError } from '../errors.js';
import type { LoopLimits } from '../loop/loop-host.js';
import type { WorkTerms } from '../queue/queue-worker.js';

const MAX_MS = 2_147_483_647;

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when a limit is out of its range. */
export function assertLimits(limits: LoopLimits): LoopLimits {
  for (const [name, value] of Object.entries(limits) as [keyof LoopLimits, number | null][]) {
    if (name === 'pauseExpiresMs' && value === null) {
      continue;
    }
    const least = name === 'modelRetries' || name === 'callGraceMs' || name === 'modelBackoffMs' ? 0 : 1;
    if (!Number.isSafeInteger(value) || value === null || value < least || value > MAX_MS) {
      throw invalid(
        `limits.${name}`,
        `a whole number from ${String(least)} to ${String(MAX_MS)}`,
        typeof value === 'number' ? String(value) : typeof value,
      );
    }
  }
  return limits;
}

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when a number is out of its range. */
export function assertWork(terms: WorkTerms): WorkTerms {
  for (const [name, value] of Object.entries(terms) as [keyof WorkTerms, number][]) {
    if (!Number.isSafeInteger(value) || value < 1 || value > MAX_MS) {
      throw new RuntimeError(
        'INVALID_CONFIGURATION',
        `Cannot work: expected ${name} to be a whole number from 1 to ${String(MAX_MS)}, found ${String(value)}.`,
      );
    }
  }
  return terms;
}

/** The methods that each port must have, for hosts that are written in JavaScript. */
const PORT_METHODS: Readonly<Record<string, readonly string[]>> = {
  model: ['respond'],
  content: ['open'],
  history: ['mark', 'since'],
  policy: ['decide'],
  approvers: ['mayApprove'],
  redactor: ['redact'],
  store: ['create', 'read', 'claim', 'appendToPaused', 'requestCancel'],
  wakeUps: ['send', 'receive'],
  logger: ['debug', 'info', 'warn', 'error'],
  tracer: ['startSpan'],
  time: ['now', 'schedule'],
};

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when the model is missing or a port is none. */
export function assertPorts(options: object): void {
  const given = options as Readonly<Record<string, unknown>>;
  if (given['model'] === undefined) {
    throw invalid('model', 'a model', 'none');
  }
  for (const [name, methods] of Object.entries(PORT_METHODS)) {
    const port = given[name];
    if (
      port === undefined ||
      (name === 'wakeUps' && port === null) ||
      (name === 'history' && typeof port === 'function')
    ) {
      continue;
    }
    const missing = methods.find(
      (method) =>
        typeof port !== 'object' ||
        port === null ||
        typeof (port as Readonly<Record<string, unknown>>)[method] !== 'function',
    );
    if (missing !== undefined) {
      throw invalid(name, `an object with a method ${missing}`, 'something else');
    }
  }
}

function invalid(option: string, expected: string, found: string): RuntimeError {
  return new RuntimeError(
    'INVALID_CONFIGURATION',
    `Cannot make a runtime: expected ${option} to be ${expected}, found ${found}.`,
  );
}
