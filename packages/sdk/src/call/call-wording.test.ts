import { describe, expect, it } from 'vitest';
import { WriteTarget } from '../target/write-target.js';
import { answerWithNotes, boundContent, nameRecords } from './call-wording.js';

const landed = (uid: string | number) => ({ target: WriteTarget.of('pages', uid), mark: null });

describe('nameRecords', () => {
  it('names three records and counts the others when there are more', () => {
    expect(nameRecords([1, 2, 3, 4, 5].map(landed))).toBe('pages:1, pages:2, pages:3 and 2 more');
  });

  it('shows no bidirectional control when a uid carries one', () => {
    expect(nameRecords([landed('a\u202eb')])).toBe('pages:a b');
  });
});

describe('boundContent', () => {
  it('keeps a text as it is when it fits to the byte', () => {
    expect(boundContent('ä'.repeat(50), 100)).toBe('ä'.repeat(50));
  });

  it.each(['a', 'ä', '€', '😀'])(
    'cuts between code points and announces it when a text of %s is too long',
    (letter) => {
      for (const maxBytes of [100, 101, 102, 103]) {
        const cut = boundContent(letter.repeat(200), maxBytes);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
        expect(cut).toMatch(new RegExp(`^(?:${letter})+\\n\\[cut: the answer has \\d+ bytes\\]$`, 'u'));
      }
    },
  );
});

describe('answerWithNotes', () => {
  it('is the answer alone when there is no note', () => {
    expect(answerWithNotes('done', [], 1_000)).toBe('done');
  });

  it('keeps the notes when the answer is cut', () => {
    const told = answerWithNotes('x'.repeat(5_000), ['hook failed'], 1_000);
    expect(told).toContain('[cut: the answer has 5000 bytes]');
    expect(told.endsWith('\n\nhook failed')).toBe(true);
  });

  it('shows three notes of one line each when there are more', () => {
    expect(answerWithNotes('done', ['a\nb', 'c', 'd', 'e', 'f'], 1_000)).toBe(
      'done\n\na b\nc\nd\n(2 more in the log)',
    );
  });
});
