// Controls, separators, and all that is invisible and may turn or hide text.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Foreign text made safe for a terminal: what cannot be seen is written out. */
export function escapeText(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
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
  });
}

/** A value as JSON text in which a terminal finds nothing to obey either. */
export function escapedJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  );
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
