/** What a rule exports: `tool-names-unique` is `toolNamesUnique`. */
export function ruleConstant(id: string): string {
  return id.replace(/-([a-z0-9])/gu, (_match, letter: string) => letter.toUpperCase());
}

/** What an adapter exports: `ai-sdk` is `AI_SDK_ADAPTER`. */
export function adapterConstant(framework: string): string {
  return `${framework.replaceAll('-', '_').toUpperCase()}_ADAPTER`;
}
