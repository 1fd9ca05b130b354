import type { ExtraEntry } from '../model/library-file.js';
import { pathText } from './catalogue-value.js';
import { globExpression } from './name-pattern.js';

interface CompiledEntry {
  readonly entry: ExtraEntry;
  readonly expression: RegExp;
}

/** A project's own entries, by module. The last one that matches counts. */
export class ExtraEntries {
  readonly #byModule = new Map<string, CompiledEntry[]>();

  constructor(entries: readonly ExtraEntry[]) {
    for (const entry of entries) {
      const compiled = { entry, expression: memberExpression(entry.member) };
      const module = withoutNodePrefix(entry.module);
      const known = this.#byModule.get(module);
      if (known === undefined) this.#byModule.set(module, [compiled]);
      else known.push(compiled);
    }
  }

  has(module: string): boolean {
    return this.#byModule.has(withoutNodePrefix(module));
  }

  find(module: string, path: readonly string[]): ExtraEntry | null {
    const compiled = this.#byModule.get(withoutNodePrefix(module));
    if (compiled === undefined) return null;
    // A default export and the module itself are one and the same to whoever writes an entry.
    const texts = path[0] === 'default' ? [pathText(path), pathText(path.slice(1))] : [pathText(path)];
    const match = compiled.findLast(({ expression }) => texts.some((text) => expression.test(text)));
    return match?.entry ?? null;
  }
}

/** `*` stands for any characters of one name. */
function memberExpression(member: string): RegExp {
  const names = member
    .split('.')
    .map((name) => globExpression(name).source.slice(1, -1).replaceAll('.*', '[^.]*'));
  return new RegExp(`^${names.join('\\.')}$`);
}

function withoutNodePrefix(module: string): string {
  return module.startsWith('node:') ? module.slice('node:'.length) : module;
}
