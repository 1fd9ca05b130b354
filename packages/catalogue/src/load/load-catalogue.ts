import { CatalogueError } from '../errors.js';
import { readVerbs } from '../classify/shipped-verbs.js';
import { Catalogue } from '../lookup/catalogue.js';
import { ExtraEntries } from '../lookup/extra-entries.js';
import { EFFECT_CLASSES, READ_KINDS, WRITE_KINDS } from '../model/effect.js';
import type { ExtraEntry } from '../model/library-file.js';
import { shippedIndex } from './library-files.js';

/**
 * The catalogue as shipped, with a project's own entries over it. The files are read once.
 *
 * @throws CatalogueError `BAD_ENTRY` for an entry that is not of the form of `ExtraEntry`;
 * `DATA_UNREADABLE` when the package is incomplete.
 */
export function loadCatalogue(extra: readonly ExtraEntry[] = []): Catalogue {
  extra.forEach(checkExtraEntry);
  return new Catalogue(shippedIndex(), new ExtraEntries(extra), readVerbs());
}

const FIELDS = new Set(['module', 'member', 'effect', 'kind', 'touches', 'calls', 'reason']);
const REACHES = ['nothing', 'session', 'local', 'remote', 'content'];

/** Checks one entry of a project's configuration; what it says is the user's to mend, so it says where. */
function checkExtraEntry(entry: unknown, index: number): void {
  const fail = (expected: string, found: unknown): never => {
    throw new CatalogueError(
      'BAD_ENTRY',
      `Adding the project's catalogue entry ${index} failed: expected ${expected}, found ${show(found)}. Correct the entry in the configuration.`,
    );
  };
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return fail('an object with `module`, `member`, `effect` and `reason`', entry);
  }
  const fields = entry as Readonly<Record<string, unknown>>;
  const unknownField = Object.keys(fields).find((name) => !FIELDS.has(name));
  if (unknownField !== undefined) return fail(`only the fields ${[...FIELDS].join(', ')}`, unknownField);
  for (const name of ['module', 'member', 'reason']) {
    if (typeof fields[name] !== 'string' || fields[name] === '')
      return fail(`a text in \`${name}\``, fields[name]);
  }
  if (!isOneOf(EFFECT_CLASSES, fields['effect']))
    return fail(`\`effect\` to be one of ${EFFECT_CLASSES.join(', ')}`, fields['effect']);
  const kinds = fields['effect'] === 'none' ? READ_KINDS : WRITE_KINDS;
  if (fields['kind'] !== undefined && !isOneOf(kinds, fields['kind'])) {
    return fail(`\`kind\` of effect ${fields['effect']} to be one of ${kinds.join(', ')}`, fields['kind']);
  }
  if (fields['touches'] !== undefined && !isOneOf(REACHES, fields['touches'])) {
    return fail(`\`touches\` to be one of ${REACHES.join(', ')}`, fields['touches']);
  }
  if (fields['calls'] !== undefined && typeof fields['calls'] !== 'string')
    return fail('a text in `calls`', fields['calls']);
}

function isOneOf<T extends string>(allowed: readonly T[], value: unknown): value is T {
  return (allowed as readonly unknown[]).includes(value);
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
