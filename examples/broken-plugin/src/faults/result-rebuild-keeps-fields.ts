import { ToolResult } from '@toolwright/sdk';

const MAX_LENGTH = 2_000;

// FAULT result-rebuild-keeps-fields: the result goes in with its target and comes out without it. Every
// type fits, every test of a tool alone passes, and no write that goes through here is ever recorded.
// RIGHT: return result.withContent(shorten(result.content)), which keeps all other fields.

/** Shortens what a model is told. */
export function shortenAnswer(result: ToolResult): ToolResult {
  return result.isError
    ? ToolResult.error(shorten(result.content))
    : ToolResult.text(shorten(result.content), { artifacts: result.artifacts });
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
