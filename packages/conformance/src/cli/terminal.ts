/** What the command knows of the process around it; tests hand in their own. */
export interface Terminal {
  /** Absolute. */
  readonly cwd: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the caller can run the same again with a larger stack. */
  readonly hasLargerStack?: boolean;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
}

export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Colours are for people: on a terminal, unless NO_COLOR says no or FORCE_COLOR says yes anyway. */
export function isColored(stream: OutputStream, env: Terminal['env']): boolean {
  if (isSet(env['NO_COLOR'])) {
    return false;
  }
  if (isSet(env['FORCE_COLOR'])) {
    return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  }
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
