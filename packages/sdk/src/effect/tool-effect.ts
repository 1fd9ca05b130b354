/**
 * What a tool does to the world. The effect is a property of the code: write it as a literal, never
 * read it from configuration, environment, arguments or an administrator's setting.
 */
export const ToolEffect = Object.freeze({
  /** Changes nothing. */
  READ_ONLY: 'read_only',
  /** Writes, and a second run with the same arguments leaves the same state as the first. */
  IDEMPOTENT_WRITE: 'idempotent_write',
  /** Writes, and a second run writes again. */
  NON_IDEMPOTENT_WRITE: 'non_idempotent_write',
} as const);

export type ToolEffect = (typeof ToolEffect)[keyof typeof ToolEffect];

/** The two effects of a tool that writes. */
export type WriteEffect = Exclude<ToolEffect, 'read_only'>;

/** Whether a tool with this effect changes anything. */
export function isWrite(effect: ToolEffect): effect is WriteEffect {
  return effect !== ToolEffect.READ_ONLY;
}

/** Whether a call with this effect may be run again when it is not known that the first one ran. */
export function isSafeToRetry(effect: ToolEffect): boolean {
  return effect !== ToolEffect.NON_IDEMPOTENT_WRITE;
}
