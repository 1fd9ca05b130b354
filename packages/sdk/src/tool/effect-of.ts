import { ToolEffect } from '../effect/tool-effect.js';
import type { Tool } from './tool.js';

/**
 * The declared effect of a tool at hand. A tool that declares none is read-only: a write declares
 * itself, it is never inferred.
 */
export function effectOf(tool: Tool): ToolEffect {
  return tool.effect ?? ToolEffect.READ_ONLY;
}
