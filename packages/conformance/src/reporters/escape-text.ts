// Control characters, separators of lines and paragraphs, and all that is invisible and may turn or hide
// text: bidirectional marks, embeddings and isolates, zero-width characters, variation selectors, tags.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text from analysed code, made safe for a terminal and for a build log: what cannot be seen is
 * written out, and nothing that a runner takes for a command is left at a start.
 */
export function escapeText(text: string): string {
  return escapeCommands(text.replace(UNPRINTABLE, escapeCharacter));
}

/** A line of source: like {@link escapeText}, with tabs as two spaces. */
export function escapeLine(line: string): string {
  return escapeText(line.replaceAll('\t', '  '));
}

/** Text that goes into a single line, cut to a length. */
export function cutText(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}

function escapeCharacter(character: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default:
      return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  }
}

function escapeCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/u, '$1\\u{3a}').replaceAll('##[', '\\u{23}#[');
}
