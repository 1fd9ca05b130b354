import type { ToolArtifact, ToolResult } from '@toolwright/sdk';
import { boundContent } from '@toolwright/sdk/call';
import { boundedJson } from '../json/bounded-json.js';

/** Most bytes (UTF-8) of content that reach the model from one call. */
export const MAX_CONTENT_BYTES = 50_000;
/** Most bytes (JSON) of all artifacts of one call. */
export const MAX_ARTIFACTS_BYTES = 50_000;
export const MAX_ARTIFACTS_DEPTH = 64;

/** The type of the one artifact that stands for artifacts that could not be kept. */
export const DROPPED_ARTIFACTS = 'toolwright.artifacts_dropped';

/**
 * Bounds what a tool returned. A result is only ever rebuilt with its own `with…`, which keeps every
 * other field, the write target before all.
 */
export function boundResult(result: ToolResult): ToolResult {
  const bounded = result.withContent(boundContent(result.content, MAX_CONTENT_BYTES));
  return bounded.kind === 'text' || bounded.kind === 'wrote'
    ? bounded.withArtifacts(boundArtifacts(bounded.artifacts))
    : bounded;
}

function boundArtifacts(artifacts: readonly ToolArtifact[]): readonly ToolArtifact[] {
  const kept = boundedJson(artifacts, { maxBytes: MAX_ARTIFACTS_BYTES, maxDepth: MAX_ARTIFACTS_DEPTH });
  if (kept.ok) {
    return kept.value as readonly ToolArtifact[];
  }
  return [{ type: DROPPED_ARTIFACTS, data: { count: artifacts.length, reason: kept.reason } }];
}
