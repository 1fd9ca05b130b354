/** What the command knows of the process around it; tests hand in their own. */
export interface Terminal {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Of the terminal, where there is one. */
  readonly columns?: number | undefined;
  now(): Date;
  /** Calls back when somebody asks the process to end. @returns forgets it. */
  onStopSignal(stop: () => void): () => void;
}

export interface OutputStream {
  write(text: string): unknown;
}
