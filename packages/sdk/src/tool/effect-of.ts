import { ToolEffect, isWrite } from '../effect/tool-effect.js';
import type { Tool, WriterTool } from './tool.js';

const EFFECTS: ReadonlySet<unknown> = new Set(Object.values(ToolEffect));

/**
 * The declared effect of a tool at hand. A tool that declares none is read-only: a write declares
 * itself, it is never inferred. A declaration that is none of the three, which only unchecked code
 * can make, counts as the strictest.
 */
export function effectOf(tool: Tool): ToolEffect {
  const declared: unknown = tool.effect;
  if (declared === undefined) {
    return ToolEffect.READ_ONLY;
  }
  return EFFECTS.has(declared) ? (declared as ToolEffect) : ToolEffect.NON_IDEMPOTENT_WRITE;
}

/** Whether a tool declares a write, and so is given a writer's context. */
export function isWriterTool(tool: Tool): tool is WriterTool {
  return isWrite(effectOf(tool));
}
