import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLANTED_SECRETS } from './fixtures/planted-secrets.js';
import { redactJson, redactJsonText } from './redact-json.js';
import { REDACTED, redactOrWithhold } from './redactor.js';
import { secretRedactor } from './secret-redactor.js';

const redactor = secretRedactor();

describe('secretRedactor', () => {
  it.each(PLANTED_SECRETS)('takes out $kind wherever it stands', async ({ text, secret }) => {
    for (const around of [text, `see ${text}.`, `{"note":${JSON.stringify(text)}}`, `a\n${text}\nb`]) {
      const redacted = await redactor.redact(around);
      expect(redacted).toContain(REDACTED);
      for (const part of [secret].flat()) expect(redacted).not.toContain(part);
    }
  });

  it.each([
    ['https://ann:pw-4711@example.com/a?b=c', 'https://[redacted]@example.com/a?b=c'],
    ['postgres://app:p@ss@db.local:5432/app', 'postgres://[redacted]@db.local:5432/app'],
    ['GET /v1/pages?lang=de&api_key=abcdef123&page=2', 'GET /v1/pages?lang=de&api_key=[redacted]&page=2'],
    ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [redacted]'],
    ['DB_PASSWORD="correct horse" npm start', 'DB_PASSWORD="[redacted]" npm start'],
    ['the id AKIAIOSFODNN7ABCDEFG alone', 'the id [redacted] alone'],
  ])('leaves what is no secret readable: %s', async (text, expected) => {
    expect(await redactor.redact(text)).toBe(expected);
  });

  it.each([
    'Created page 12 "Passwords and how to keep them".',
    'The page https://example.com/key-facts?id=12 has 3 tokens of 4000.',
    'Mail anna@example.com or see ssh-keygen(1); commit 9fceb02d0ae598e95dc970b74767f19372d61af8.',
    'npm_config_registry and sk-loading-spinner-container are names.',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'Password: too short. Secret ingredient: love.',
  ])('leaves a text alone when it has no secret: %s', async (text) => {
    expect(await redactor.redact(text)).toBe(text);
  });

  it('still finds a key when a cut took its end', async () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn';
    expect(await redactor.redact(`${key}…`)).toBe(REDACTED);
    expect(await redactor.redact('ghp_wWPw5k4aXcaT4fNP0…')).toBe(`${REDACTED}…`);
  });

  it('checks a text that asks not to be checked', async () => {
    const text = '// secretlint-disable\nxoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx';
    expect(await redactor.redact(text)).toBe(`// secretlint-disable\n${REDACTED}`);
  });

  it('takes out the shapes of the host too', async () => {
    const own = secretRedactor({ shapes: [{ name: 'badge', pattern: /BADGE-(?<secret>\d+)/gu }] });
    expect(await own.redact('BADGE-4711 and AKIAIOSFODNN7ABCDEFG')).toBe('BADGE-[redacted] and [redacted]');
  });

  it('changes nothing the second time', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...PLANTED_SECRETS.map(({ text }) => text), REDACTED, '://', '@', '=', ': ', '"', '\n'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const once = await redactor.redact(pieces.join(' '));
        expect(await redactor.redact(once)).toBe(once);
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});

describe('redactJson', () => {
  it('redacts texts and names, and leaves numbers, flags and shape', async () => {
    const value = { 'key AKIAIOSFODNN7ABCDEFG': [1, true, null, 'AKIAIOSFODNN7ABCDEFG'], ok: 'fine' };
    expect(await redactJson(redactor, value)).toEqual({
      'key [redacted]': [1, true, null, REDACTED],
      ok: 'fine',
    });
  });

  it.each(['password', 'dbPassword', 'API_KEY', 'client_secret', 'accessToken', 'Authorization'])(
    'takes out what a member called %s says, whatever it looks like',
    async (name) => {
      expect(await redactJson(redactor, { [name]: 'two words' })).toEqual({ [name]: REDACTED });
    },
  );

  it('gives the very text back when nothing is in it', async () => {
    expect(await redactJsonText(redactor, '{ "a" : 1 }')).toBe('{ "a" : 1 }');
    expect(await redactJsonText(redactor, 'no JSON AKIAIOSFODNN7ABCDEFG')).toBe('no JSON [redacted]');
    expect(await redactJsonText(redactor, '{"__proto__":"AKIAIOSFODNN7ABCDEFG"}')).toBe(
      '{"__proto__":"[redacted]"}',
    );
  });
});

describe('redactOrWithhold', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('no catalogue'))],
    ['answers no text', () => Promise.resolve(undefined as unknown as string)],
  ])('withholds the text when the redactor %s', async (_what, redact) => {
    expect(await redactOrWithhold({ redact }, 'secret')).toMatch(/^\[withheld/u);
  });
});
