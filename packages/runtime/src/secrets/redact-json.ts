import { MAX_JSON_DEPTH } from '../json/canonical-json.js';
import { REDACTED, redactOrWithhold, type Redactor } from './redactor.js';
import { isSecretName } from './secret-shapes.js';

/**
 * A copy of a JSON value whose texts, names of members included, are redacted. A member that is called
 * `password` or `token` has its text taken out whatever it looks like.
 */
export async function redactJson(redactor: Redactor, value: unknown, depth = 0): Promise<unknown> {
  if (typeof value === 'string') {
    return redactOrWithhold(redactor, value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth > MAX_JSON_DEPTH) {
    return '[withheld: too deep]';
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map((item) => redactJson(redactor, item, depth + 1)));
  }
  const members = await Promise.all(
    Object.entries(value).map(async ([name, member]: [string, unknown]) => [
      await redactOrWithhold(redactor, name),
      typeof member === 'string' && isSecretName(name)
        ? REDACTED
        : await redactJson(redactor, member, depth + 1),
    ]),
  );
  return Object.fromEntries(members) as unknown;
}

/** The same for a JSON text; text that is no JSON is redacted as text. Unchanged where nothing was found. */
export async function redactJsonText(redactor: Redactor, text: string): Promise<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return redactOrWithhold(redactor, text);
  }
  const plain = JSON.stringify(value);
  const redacted = JSON.stringify(await redactJson(redactor, value));
  return redacted === plain ? text : redacted;
}
