/** Names and globs, apart by blanks, as the data files write them: `get list* *Sync`. */
export interface NamePattern {
  readonly exact: ReadonlySet<string>;
  readonly globs: readonly Glob[];
}

interface Glob {
  readonly expression: RegExp;
  /** Literal characters: the more, the closer the match. */
  readonly weight: number;
}

/** Parses names apart by blanks. */
export function parseNames(names: string): NamePattern {
  const exact = new Set<string>();
  const globs: Glob[] = [];
  for (const name of names.split(' ')) {
    if (name === '') continue;
    if (name.includes('*')) {
      globs.push({ expression: globExpression(name), weight: name.replaceAll('*', '').length });
    } else exact.add(name);
  }
  return { exact, globs };
}

/** How well a name matches: infinite for an exact name, literal characters for a glob, -1 for no match. */
export function matchWeight(pattern: NamePattern, name: string): number {
  if (pattern.exact.has(name)) return Number.POSITIVE_INFINITY;
  let best = -1;
  for (const glob of pattern.globs) {
    if (glob.weight > best && glob.expression.test(name)) best = glob.weight;
  }
  return best;
}

/** A whole-string expression for a text in which `*` stands for any characters. */
export function globExpression(glob: string, flags = ''): RegExp {
  const escaped = glob.split('*').map((literal) => literal.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, `${flags}s`);
}
