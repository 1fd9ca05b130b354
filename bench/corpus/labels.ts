import { readFileSync } from 'node:fs';

export type Effect = 'read_only' | 'idempotent_write' | 'non_idempotent_write';
/** `(default)`: the server's own registrar fills the hint in. */
export type LabelledHint = 'true' | 'false' | 'none' | 'true(default)' | 'false(default)';

/** What somebody who read the code says of one tool. */
export interface Label {
  /** `owner/name`. */
  readonly repo: string;
  readonly commit: string;
  readonly tool: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly declaredReadOnly: LabelledHint;
  readonly declaredIdempotent: LabelledHint;
  readonly trueEffect: Effect | 'unknown';
  /** `read`: the handler was read in full; `calls`: every external call; `line`: the cited line alone. */
  readonly tier: string;
  readonly howYouKnow: string;
}

/** Reads a label file: CSV with a heading, `repo,commit,tool,file:line,declared_readonly,…`. */
export function readLabels(fileName: string): readonly Label[] {
  const [heading = [], ...rows] = parseCsv(readFileSync(fileName, 'utf8'));
  const column = (row: readonly string[], name: string): string => {
    const index = heading.indexOf(name);
    if (index < 0) {
      throw new Error(`${fileName} has no column "${name}"; it has ${heading.join(', ')}.`);
    }
    return row[index] ?? '';
  };
  return rows.map((row) => {
    const place = column(row, 'file:line');
    const colon = place.lastIndexOf(':');
    const howYouKnow = column(row, 'how_you_know');
    return {
      repo: column(row, 'repo'),
      commit: column(row, 'commit'),
      tool: column(row, 'tool'),
      file: place.slice(0, colon),
      line: Number(place.slice(colon + 1)),
      declaredReadOnly: column(row, 'declared_readonly') as LabelledHint,
      declaredIdempotent: column(row, 'declared_idempotent') as LabelledHint,
      trueEffect: column(row, 'true_effect') as Label['trueEffect'],
      tier: /^\[(\w+)\]/u.exec(howYouKnow)?.[1] ?? '',
      howYouKnow,
    };
  });
}

/** The effect that hints claim: absent is not false, and without any nothing is claimed. */
export function declaredEffect(label: Label): Effect | null {
  const isTrue = (hint: LabelledHint): boolean => hint.startsWith('true');
  if (isTrue(label.declaredReadOnly)) {
    return 'read_only';
  }
  if (label.declaredReadOnly === 'none' && label.declaredIdempotent === 'none') {
    return null;
  }
  return isTrue(label.declaredIdempotent) ? 'idempotent_write' : 'non_idempotent_write';
}

/** CSV as RFC 4180 has it. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? '';
    if (isQuoted) {
      if (char !== '"') {
        field += char;
      } else if (text[index + 1] === '"') {
        field += char;
        index += 1;
      } else {
        isQuoted = false;
      }
    } else if (char === '"') {
      isQuoted = true;
    } else if (char === ',') {
      row.push(field);
      field = '';
    } else if (char === '\n') {
      rows.push([...row, field.replace(/\r$/u, '')]);
      row = [];
      field = '';
    } else {
      field += char;
    }
  }
  return [...rows, ...(field === '' && row.length === 0 ? [] : [[...row, field]])];
}
