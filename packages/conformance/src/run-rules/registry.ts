// The folders are the registry: a new rule is found when `pnpm generate` runs.
export { RULES } from '../generated/rules.js';
