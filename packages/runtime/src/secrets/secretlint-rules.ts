import { rules as RECOMMENDED } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';

/** Where a secret stands: from, and up to but without, as indices into the text. */
export type SecretRange = readonly [from: number, to: number];

/**
 * The rules without the one that lets a comment in the text turn others off: the text is foreign, and must
 * have no say in whether it is checked.
 *
 * They are called here and not by secretlint's own engine, which keeps performance marks of every text for
 * as long as the process lives; see docs/decisions.
 */
const RULES = RECOMMENDED.filter(({ meta }) => meta.id !== '@secretlint/secretlint-rule-filter-comments');

const START = { line: 1, column: 0 };

/** Finds what secretlint's recommended rules know. Rejects when a rule throws. */
export async function findSecrets(text: string): Promise<readonly SecretRange[]> {
  const found: SecretRange[] = [];
  const source = asSource(text);
  for (const rule of RULES) {
    const context: SecretLintRuleContext = {
      sharedOptions: {},
      createTranslator: () => (messageId, data) => ({
        messageId: String(messageId),
        message: '',
        data,
      }),
      report: ({ range }) => found.push([range[0], range[1]]),
      ignore: () => undefined,
    };
    await rule.create(context, {}).file?.(source);
  }
  return found;
}

/** A text that stands in no file: no rule can read one in its place. */
function asSource(content: string): SecretLintSourceCode {
  return {
    content,
    hasBOM: false,
    contentType: 'text',
    ext: '',
    filePath: undefined,
    physicalFilePath: undefined,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: START, end: START }),
    positionToIndex: () => 0,
    indexToPosition: () => START,
  };
}
