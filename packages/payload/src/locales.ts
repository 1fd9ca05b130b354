import type { Payload } from 'payload';

/** The codes of the configured locales; null where content has none. */
export function localeCodesOf(payload: Payload): readonly string[] | null {
  const { localization } = payload.config;
  return localization === false ? null : localization.localeCodes;
}
