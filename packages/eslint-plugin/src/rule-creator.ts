import { ESLintUtils } from '@typescript-eslint/utils';
import { packageFolder } from './package-metadata.js';

/** What a rule's `meta.docs` says beside the description. */
export interface RuleDocs {
  /** The preset that turns the rule on, and how. */
  readonly recommended: 'error' | 'warn';
  /** Whether the rule sees more where the parser offers types. Without them it reads imports and syntax. */
  readonly usesTypes: boolean;
}

/** Makes a rule whose page is `src/rules/<name>/rule.md` of this package. */
export const createRule = ESLintUtils.RuleCreator<RuleDocs>(
  (name) => new URL(`src/rules/${name}/rule.md`, packageFolder()).href,
);
