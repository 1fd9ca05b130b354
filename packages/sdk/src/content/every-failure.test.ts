import { expect, it } from 'vitest';
import { ContentWriteError } from './content-errors.js';
import { DURING, STEPS, SteppedContent, keyOf, type Step } from './fixtures/stepped-content.js';

// All 512 ways in which the nine steps of a write can fail together, with and without transactions.
const SUBSETS: readonly (readonly Step[])[] = Array.from({ length: 2 ** STEPS.length }, (_item, bits) =>
  STEPS.filter((_step, index) => (bits & (1 << index)) !== 0),
);

it.each([false, true])(
  'a write tells the truth and leaves nothing behind whichever steps fail (transactions: %s)',
  async (hasTransactions) => {
    for (const failing of SUBSETS) {
      const system = new SteppedContent();
      system.hasTransactions = hasTransactions;
      for (const step of failing) {
        system.at.set(step, () => {
          throw new Error(step);
        });
      }
      const session = system.open({ redact: (message) => message });
      const answer = await session.writer.create('pages', {}).catch((error: unknown) => error);
      const what = failing.join(', ');

      // Without a transaction the last step during the writes has nothing left to do.
      const isDuring = failing.some(
        (step) => DURING.includes(step) && (hasTransactions || step !== 'commit'),
      );
      const stored = [...system.rows.keys()];
      if (isDuring) {
        expect(answer, what).toBeInstanceOf(ContentWriteError);
        expect(session.landed(), what).toEqual([]);
        expect(session.failedWrite(), what).toBe(answer);
        expect((answer as ContentWriteError).landed.map(keyOf), what).toEqual(stored);
        expect(hasTransactions && stored.length > 0, what).toBe(false);
      } else {
        expect(
          session.landed().map(({ target }) => keyOf(target)),
          what,
        ).toEqual(stored);
        expect(stored, what).toHaveLength(1);
        expect(session.failedWrite(), what).toBeNull();
      }

      // Every step runs once at most, and whatever fails in the end cannot leak into the next run.
      expect(new Set(system.trace).size, what).toBe(system.trace.length);
      expect(system.cacheQueue, what).toEqual([]);
      expect(system.registry.size, what).toBe(failing.includes('registry reset') ? 1 : 0);
      expect(
        session.notes().filter((note) => note.includes('was stored') === isDuring),
        what,
      ).toEqual([]);
      const ran = system.trace.filter((step) => failing.includes(step as Step));
      expect(session.notes(), what).toHaveLength(ran.length - (isDuring ? 1 : 0));
      expect(session.pendingWrites(), what).toBe(0);
    }
  },
);
