import type { Rule } from '../model/rule.js';
import { effectIsConstant } from '../rules/effect-is-constant/rule.js';
import { rawHandlerStaysWrapped } from '../rules/raw-handler-stays-wrapped/rule.js';
import { toolNamesUnique } from '../rules/tool-names-unique/rule.js';

/** Every rule, in the order of the report. */
export const RULES: readonly Rule[] = [effectIsConstant, toolNamesUnique, rawHandlerStaysWrapped];
