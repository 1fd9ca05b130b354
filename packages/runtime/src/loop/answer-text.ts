/*
 * What the loop itself tells a model about calls that never ran. None of these sentences suggests to
 * run a call once more.
 */

export const NOTHING_DONE = 'The call did not run and nothing was done';

export const APPROVAL_EXPIRED = `Nobody decided about this call in time. ${NOTHING_DONE}.`;

export const APPROVAL_VOID = `The call is not the one that was approved. ${NOTHING_DONE}.`;

export const TOOL_CHANGED = `The tool changed after this call was made. ${NOTHING_DONE}.`;

export const CANCELLED = `The run was cancelled before this call started. ${NOTHING_DONE}.`;

export function contentUnavailable(why: string): string {
  return `The content system could not be opened (${why}). ${NOTHING_DONE}.`;
}

export const TOOL_GONE = `The tool is not installed any more. ${NOTHING_DONE}.`;
