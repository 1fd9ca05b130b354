import type { ESLint } from 'eslint';
import { rules } from './generated/rules.js';
import { packageMetadata } from './package-metadata.js';
import { NAMESPACE, presetsOf, type Presets } from './presets.js';

export { LintError, type LintErrorCode } from './errors.js';
export type { Presets } from './presets.js';
export type { TypesSetting } from './types/type-information.js';

/** The plugin as a flat configuration takes it. */
export interface ToolwrightPlugin extends ESLint.Plugin {
  readonly configs: ESLint.Plugin['configs'] & Presets;
}

const plugin: ESLint.Plugin = {
  meta: { ...packageMetadata(), namespace: NAMESPACE },
  // ESLint's types of a rule's context and the parser's are two descriptions of one object.
  rules: rules as unknown as NonNullable<ESLint.Plugin['rules']>,
};

export const configs: Presets = presetsOf(plugin);

const toolwright: ToolwrightPlugin = Object.assign(plugin, { configs: { ...configs } });

export default toolwright;
