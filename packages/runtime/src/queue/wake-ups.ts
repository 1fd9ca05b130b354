/**
 * Messages that say a run is worth looking at. They may come twice, late, out of order, or not at all:
 * the run's row decides, and a reconciler sends queued rows again. Losing every message costs time and
 * no run.
 */
export interface WakeUps {
  /** Resolves when the transport has taken it; a transport that cannot take it logs that and resolves. */
  send(runId: string, notBefore: Date | null): Promise<void>;
  /**
   * Hands each message to the handler, at most `concurrency` at a time.
   *
   * @returns stops taking messages and waits for the handlers that run.
   */
  receive(handler: (runId: string) => Promise<void>, concurrency: number): Promise<() => Promise<void>>;
}
