import { printableLine } from '../failure/printable-line.js';
import { errorClass } from '../failure/thrown-value.js';
import type { ReaderContext, Viewer } from '../context/tool-context.js';
import { copyInput } from '../tool/copy-input.js';
import type { Tool } from '../tool/tool.js';

/** Arguments that the tool's schema has parsed. */
type ParsedInput = Readonly<Record<string, unknown>>;

/** Most lines that a preview shows. */
export const MAX_PREVIEW_LINES = 20;
/** Most characters (code points) of one line. */
export const MAX_PREVIEW_LINE_LENGTH = 500;

/** A preview as it is shown and stored: bounded and without control characters. */
export interface Preview {
  readonly lines: readonly string[];
  /** Whether something was cut; the last line then says so. */
  readonly isCut: boolean;
}

const CUT_NOTICE = '(cut: the full arguments are stored with the call)';

/** Bounds the lines of a preview and announces a cut. */
export function boundPreview(lines: readonly string[]): Preview {
  const shown: string[] = [];
  let isCut = false;
  for (const line of splitLines(lines)) {
    if (shown.length === MAX_PREVIEW_LINES) {
      isCut = true;
      break;
    }
    const bounded = boundLine(line);
    isCut ||= bounded.isCut;
    shown.push(bounded.line);
  }
  if (isCut) {
    // The notice is one of the lines that are shown, so that it counts like them.
    shown.splice(Math.min(shown.length, MAX_PREVIEW_LINES - 1), 1, CUT_NOTICE);
  }
  return Object.freeze({ lines: Object.freeze(shown), isCut });
}

// Lazily, and no further than is shown: a tool may hand over any amount of text.
function* splitLines(lines: readonly string[]): Generator<string> {
  for (const text of lines) {
    yield* String(text).split(/\r\n|[\r\n\u2028\u2029]/u, MAX_PREVIEW_LINES + 1);
  }
}

function boundLine(line: string): { readonly line: string; readonly isCut: boolean } {
  // A code point has at most two units, so this keeps enough of them to see that there are too many.
  const points = Array.from(printableLine(line.slice(0, 2 * MAX_PREVIEW_LINE_LENGTH + 2)));
  return points.length > MAX_PREVIEW_LINE_LENGTH
    ? { line: `${points.slice(0, MAX_PREVIEW_LINE_LENGTH - 1).join('')}…`, isCut: true }
    : { line: points.join(''), isCut: false };
}

/**
 * Asks a tool what a call would do. A tool without a preview answers with no lines; a preview that
 * throws becomes one line that names the error's class and not its message.
 */
export async function producePreview(
  tool: Tool,
  input: ParsedInput,
  context: ReaderContext,
): Promise<Preview> {
  if (tool.preview === undefined) {
    return { lines: [], isCut: false };
  }
  try {
    return boundPreview(await tool.preview(copyInput(input), context));
  } catch (error) {
    return boundPreview([`The preview failed (${errorClass(error)}).`]);
  }
}

/**
 * Whether a person may see a preview. Fails closed: no viewer, no tool, no answer (a tool without
 * `mayViewPreview` gives none) or a throw all mean no.
 */
export async function mayView(
  tool: Tool | undefined,
  input: ParsedInput,
  viewer: Viewer | undefined,
): Promise<boolean> {
  if (tool?.mayViewPreview === undefined || viewer === undefined) {
    return false;
  }
  try {
    return (await tool.mayViewPreview(copyInput(input), viewer)) === true;
  } catch {
    return false;
  }
}
