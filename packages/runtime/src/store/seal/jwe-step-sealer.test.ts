import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jweStepSealer } from './jwe-step-sealer.js';

const key = (id: string) => ({ id, secret: randomBytes(32) });
const OLD = key('2025');
const NEW = key('2026');
const place = { runId: 'run-1', seq: 2, callIds: ['call_1', 'call_2'] };
const TEXT = '{"arguments":"née 🗝"}';

const failure = async (opening: Promise<unknown>): Promise<{ code: string; message: string }> =>
  (await opening.then(
    () => expect.fail('it opened'),
    (error: unknown) => error,
  )) as { code: string; message: string };

describe('jweStepSealer', () => {
  it('opens what it sealed, and what an older key sealed', async () => {
    const old = jweStepSealer({ keys: [OLD] });
    const both = jweStepSealer({ keys: [NEW, OLD] });
    const sealed = await old.seal(place, TEXT);
    expect(sealed).not.toContain('arguments');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('arguments');
    expect(await both.open(place, sealed)).toBe(TEXT);
    expect(await both.open(place, await both.seal(place, TEXT))).toBe(TEXT);
    expect([both.isCurrent(sealed), old.isCurrent(sealed)]).toEqual([false, true]);
  });

  it('seals the same text differently each time', async () => {
    const sealer = jweStepSealer({ keys: [NEW] });
    expect(await sealer.seal(place, TEXT)).not.toBe(await sealer.seal(place, TEXT));
  });

  it('takes a secret in base64', async () => {
    const secret = NEW.secret.toString('base64');
    const sealed = await jweStepSealer({ keys: [{ id: NEW.id, secret }] }).seal(place, TEXT);
    expect(await jweStepSealer({ keys: [NEW] }).open(place, sealed)).toBe(TEXT);
  });

  it.each([
    ['another run', { ...place, runId: 'run-2' }],
    ['another step', { ...place, seq: 3 }],
    ['another call', { ...place, callIds: ['call_1', 'call_3'] }],
    ['fewer calls', { ...place, callIds: ['call_1'] }],
  ])('does not open at %s', async (_what, elsewhere) => {
    const sealer = jweStepSealer({ keys: [NEW] });
    const { code, message } = await failure(sealer.open(elsewhere, await sealer.seal(place, TEXT)));
    expect(code).toBe('WRONG_KEY');
    expect(message).toContain('another step');
  });

  it('says which key is missing when it has another one', async () => {
    const sealed = await jweStepSealer({ keys: [OLD] }).seal(place, TEXT);
    const { code, message } = await failure(jweStepSealer({ keys: [NEW] }).open(place, sealed));
    expect(code).toBe('WRONG_KEY');
    expect(message).toContain('"2025"');
  });

  it('does not open with another secret of the same id, or when a character was changed', async () => {
    const sealed = await jweStepSealer({ keys: [NEW] }).seal(place, TEXT);
    const impostor = jweStepSealer({ keys: [{ id: NEW.id, secret: OLD.secret }] });
    expect((await failure(impostor.open(place, sealed))).code).toBe('WRONG_KEY');
    for (const part of [0, 1, 2, 3, 4]) {
      const parts = sealed.split('.');
      parts[part] = (parts[part]!.startsWith('A') ? 'B' : 'A') + parts[part]!.slice(1);
      const opening = jweStepSealer({ keys: [NEW] }).open(place, parts.join('.'));
      expect((await failure(opening)).code).toBe('WRONG_KEY');
    }
    expect((await failure(jweStepSealer({ keys: [NEW] }).open(place, 'x'))).code).toBe('WRONG_KEY');
  });

  it.each([
    ['there is none', []],
    ['an id stands twice', [NEW, { ...OLD, id: NEW.id }]],
    ['an id is empty', [{ id: '', secret: NEW.secret }]],
    ['a secret is too short', [{ id: 'a', secret: Buffer.from('hunter2') }]],
    ['a secret is a passphrase', [{ id: 'a', secret: 'correct horse battery staple' }]],
  ])('refuses the keys, and shows nothing of them, when %s', (_what, keys) => {
    expect(() => jweStepSealer({ keys })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
    expect(() => jweStepSealer({ keys })).not.toThrow(/hunter2|horse/u);
  });
});
