import type { RuleId } from '@toolwright/conformance';

/** The conformance rule that each lint rule is the local half of. */
export const RULE_PAIRS: Readonly<Record<string, RuleId>> = {
  'keep-result-fields': 'result-rebuild-keeps-fields',
  'no-configurable-effect': 'effect-is-constant',
  'no-raw-content-handler': 'raw-handler-stays-wrapped',
  'no-retry-advice': 'no-retry-advice',
  'no-target-from-reader': 'reader-returns-no-target',
  'no-write-in-preview': 'preview-never-writes',
  'require-write-target': 'writer-returns-target',
};
