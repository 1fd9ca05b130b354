import { ToolEffect, isSafeToRetry, isWrite } from '../effect/tool-effect.js';
import { effectOf } from '../tool/effect-of.js';
import type { Tool } from '../tool/tool.js';

/** The `_meta` key of a tool: its effect, one of `read_only`, `idempotent_write`, `non_idempotent_write`. */
export const EFFECT_META_KEY = 'dev.toolwright/effect';

/** What the contract of a tool does not say, and an MCP client shows or asks. */
export interface ToolPresentation {
  /** For people. Default: the name in words, `rename_page` as `Rename page`. */
  readonly title?: string;
  /** Whether the tool deals with an open world (the web, mail) and not only with this system. Default true. */
  readonly openWorld?: boolean;
}

/** Every hint of MCP, none left to the default of a client. */
export interface ExplicitToolAnnotations {
  title: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/**
 * The hints of a tool, derived from its declared effect alone. A hint is advice to a client; what is
 * declared stands beside it under {@link EFFECT_META_KEY}.
 */
export function annotationsOf(tool: Tool, presentation: ToolPresentation = {}): ExplicitToolAnnotations {
  const effect = effectOf(tool);
  return {
    title: presentation.title ?? titleFromName(tool.name),
    readOnlyHint: effect === ToolEffect.READ_ONLY,
    // A writer that says nothing may destroy what was there before.
    destructiveHint: isWrite(effect) && (tool.destructive ?? true),
    idempotentHint: isSafeToRetry(effect),
    openWorldHint: presentation.openWorld ?? true,
  };
}

function titleFromName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/gu, '$1 $2')
    .split(/[\s_-]+/u)
    .filter((word) => word !== '')
    .map((word) => (word === word.toUpperCase() && word.length > 1 ? word : word.toLowerCase()));
  const title = words.join(' ');
  return title === '' ? name : title.charAt(0).toUpperCase() + title.slice(1);
}
