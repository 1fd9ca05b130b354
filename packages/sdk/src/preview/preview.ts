import { printableLine } from '../failure/printable-line.js';
import { errorClass } from '../failure/thrown-value.js';
import type { ReaderContext, Viewer } from '../context/tool-context.js';
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

/** Bounds the lines of a preview and announces a cut. */
export function boundPreview(lines: readonly string[]): Preview {
  let isCut = false;
  const bounded: string[] = [];
  for (const line of lines.flatMap((text) => String(text).split(/\r\n|\r|\n/u))) {
    if (bounded.length === MAX_PREVIEW_LINES) {
      isCut = true;
      break;
    }
    const points = Array.from(printableLine(line));
    if (points.length > MAX_PREVIEW_LINE_LENGTH) {
      isCut = true;
      bounded.push(`${points.slice(0, MAX_PREVIEW_LINE_LENGTH - 1).join('')}…`);
    } else {
      bounded.push(points.join(''));
    }
  }
  if (isCut) {
    const notice = '(cut: the full arguments are stored with the call)';
    if (bounded.length === MAX_PREVIEW_LINES) {
      bounded[MAX_PREVIEW_LINES - 1] = notice;
    } else {
      bounded.push(notice);
    }
  }
  return { lines: bounded, isCut };
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
    return boundPreview(await tool.preview(input, context));
  } catch (error) {
    return boundPreview([`The preview failed (${errorClass(error)}).`]);
  }
}

/**
 * Whether a person may see a preview. Fails closed: no viewer, no tool, no answer or a throw all
 * mean no. A tool without `mayViewPreview` gives no answer, so its preview is withheld from everybody
 * but the run's own surface, which does not ask.
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
    return (await tool.mayViewPreview(input, viewer)) === true;
  } catch {
    return false;
  }
}

export { errorClass, printableLine };
