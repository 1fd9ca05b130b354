import type { ESLint, Linter } from 'eslint';
import { rules } from './generated/rules.js';
import { SETTINGS_KEY, type TypesSetting } from './types/type-information.js';

/** What a rule's id starts with in a configuration: `@toolwright/no-raw-content-handler`. */
export const NAMESPACE = '@toolwright';

/** The configurations that this plugin offers, by name. */
export interface Presets {
  /** Every rule as it works without types: imports and syntax of one file. */
  readonly recommended: Linter.Config;
  /** The same rules, and an error for a file whose parser offers no types. */
  readonly recommendedTypeChecked: Linter.Config;
  /** For files that no TypeScript project has: the rules stay on and ask for no types. */
  readonly disableTypeChecked: Linter.Config;
}

export function presetsOf(plugin: ESLint.Plugin): Presets {
  const recommended: Linter.RulesRecord = Object.fromEntries(
    Object.entries(rules).map(([id, rule]) => [`${NAMESPACE}/${id}`, rule.meta.docs?.recommended ?? 'error']),
  );
  const plugins = { [NAMESPACE]: plugin };
  return {
    recommended: { name: `${NAMESPACE}/recommended`, plugins, rules: recommended },
    recommendedTypeChecked: {
      name: `${NAMESPACE}/recommended-type-checked`,
      plugins,
      settings: askForTypes('required'),
      rules: recommended,
    },
    disableTypeChecked: { name: `${NAMESPACE}/disable-type-checked`, settings: askForTypes('off') },
  };
}

function askForTypes(types: TypesSetting): Record<string, unknown> {
  return { [SETTINGS_KEY]: { types } };
}
