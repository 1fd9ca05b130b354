/** One kind of secret as it stands in text. */
export interface SecretShape {
  readonly name: string;
  /**
   * Global, and linear in the length of the text, which is foreign. With a group named `secret` only that part
   * is taken out, otherwise the whole match.
   */
  readonly pattern: RegExp;
}

/*
 * What the rules of secretlint miss, or find only in a longer form than a text that was cut may have. Prefixes
 * are as their issuers document them.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  // A key that lost its end to a cut is a key all the same; one in JSON has its line breaks escaped.
  {
    name: 'private_key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----END ))*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/gu,
  },
  // The user may be an address, and the password may hold an @: the last one before the path separates.
  {
    name: 'url_credentials',
    pattern: /\b[a-z][a-z0-9+.-]{1,30}:\/\/(?<secret>[^\s/?#"'<>\\]{1,500})@/giu,
  },
  {
    name: 'url_parameter',
    pattern:
      /[?&#;](?:[a-z0-9]{1,20}[_-])?(?:access[_-]?token|refresh[_-]?token|id[_-]?token|token|api[_-]?key|apikey|key|secret|client[_-]?secret|password|passwd|pwd|signature|sig|x-amz-signature|x-amz-security-token)=(?<secret>[^\s&#;"'<>\\]{4,4000})/giu,
  },
  {
    name: 'authorization',
    pattern:
      /\b(?:proxy-)?authorization["']?\s{0,5}[:=]\s{0,5}["']?(?:(?:basic|bearer|token|digest|negotiate|apikey)\s{1,5})?(?<secret>[^\s"',;<>]{6,4000})/giu,
  },
  { name: 'bearer', pattern: /\bbearer\s{1,5}(?<secret>[a-z0-9._~+/=-]{16,4000})/giu },
  {
    name: 'cookie',
    pattern: /\b(?:set-)?cookie["']?\s{0,5}:\s{0,5}["']?(?<secret>[^\s=;"'<>]{1,100}=[^\n\r"'<>]{4,4000})/giu,
  },
  {
    name: 'assignment',
    pattern:
      /(?:password|passwd|pwd|passphrase|secret|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|account[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|secret[_-]?access[_-]?key)\\?["']?\s{0,5}(?:=>|:=|=|:)\s{0,5}(?:\\?"(?<secret>[^"\\\n\r]{3,4000})|'(?<quoted>[^'\n\r]{3,4000})|(?<bare>[^\s"'`,;&<>()[\]{}\\]{6,4000}))/giu,
  },
  {
    name: 'json_web_token',
    pattern: /\beyJ[a-zA-Z0-9_-]{8,4000}\.[a-zA-Z0-9_-]{4,8000}(?:\.[a-zA-Z0-9_-]{0,4000}){0,3}/gu,
  },
  { name: 'aws_access_key_id', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,16}(?![A-Z0-9])/gu },
  { name: 'github', pattern: /\b(?:gh[oprsu]_[a-zA-Z0-9]{16,255}|github_pat_[a-zA-Z0-9_]{16,255})/gu },
  { name: 'gitlab', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|oas|soat|ft|imt|agent)-[a-zA-Z0-9_.-]{16,300}/gu },
  { name: 'google_api_key', pattern: /\bAIza[a-zA-Z0-9_-]{20,40}/gu },
  { name: 'google_oauth', pattern: /\b(?:ya29\.[a-zA-Z0-9_-]{16,1000}|GOCSPX-[a-zA-Z0-9_-]{16,60})/gu },
  {
    name: 'stripe',
    pattern: /\b(?:sk|rk)_(?:live|test)_[a-zA-Z0-9]{8,250}|\bwhsec_[a-zA-Z0-9+/=]{16,100}/gu,
  },
  { name: 'openai_or_anthropic', pattern: /\bsk-(?=[a-zA-Z_-]{0,300}[0-9])[a-zA-Z0-9_-]{20,300}/gu },
  { name: 'slack', pattern: /\b(?:xox[abeoprs]|xapp)-[a-zA-Z0-9-]{10,300}/gu },
  {
    name: 'webhook',
    pattern:
      /\bhttps:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[a-zA-Z0-9_/-]{10,300})/gu,
  },
  { name: 'npm', pattern: /\bnpm_[a-zA-Z0-9]{20,60}/gu },
  { name: 'sendgrid', pattern: /\bSG\.[a-zA-Z0-9_-]{10,40}\.[a-zA-Z0-9_-]{10,80}/gu },
  { name: 'hugging_face', pattern: /\bhf_[a-zA-Z0-9]{20,60}/gu },
  { name: 'telegram_bot', pattern: /\b[0-9]{8,10}:AA[a-zA-Z0-9_-]{32,34}/gu },
  { name: 'age_or_vault', pattern: /\b(?:AGE-SECRET-KEY-1[A-Z0-9]{20,80}|hv[sbr]\.[a-zA-Z0-9_-]{20,300})/gu },
];

const SECRET_NAME =
  /(?:password|passwd|pwd|passphrase|secret|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|private[_-]?key|account[_-]?key|token|authorization|cookie|credentials?)$/iu;
const MAX_NAME_LENGTH = 100;

/** Whether a member of this name holds a secret, whatever its text looks like. */
export function isSecretName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && SECRET_NAME.test(name);
}
