import { describe, expect, it } from 'vitest';
import { cutLine, printableLine } from './printable-line.js';

describe('printableLine', () => {
  it.each([
    ['a line break', '\n'],
    ['an escape', '\u001b'],
    ['a C1 control', '\u0085'],
    ['a right-to-left override', '\u202e'],
    ['an isolate', '\u2066'],
    ['an Arabic letter mark', '\u061c'],
    ['a zero-width space', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
    ['a line separator', '\u2028'],
    ['a Hangul filler', '\u3164'],
    ['a Hangul jamo filler', '\u115f'],
    ['a tag', '\u{e0041}'],
    ['a variation selector of the supplement', '\u{e0101}'],
    ['a lone surrogate', '\ud800'],
  ])('replaces %s', (_what, character) => {
    expect(printableLine(`a${character}b`)).toBe('a b');
  });

  it('keeps text, accents, other scripts and emoji', () => {
    const text = 'Grüße, 你好, שלום, 😀 é';
    expect(printableLine(text)).toBe(text);
  });
});

describe('cutLine', () => {
  it('leaves a text that fits', () => {
    expect(cutLine('abc', 3)).toBe('abc');
  });

  it('marks a cut within the length', () => {
    expect(cutLine('abcd', 3)).toBe('ab…');
  });

  it('never cuts a code point in two', () => {
    expect(cutLine('a😀😀', 4)).toBe('a😀…');
    expect(cutLine('😀😀', 3)).toBe('😀…');
    expect(cutLine('😀😀', 2)).toBe('…');
  });
});
