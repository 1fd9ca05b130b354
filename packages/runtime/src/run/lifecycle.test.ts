import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RUN_STATUSES, TRANSITIONS, isEnded, mayTransition, type Transition } from './lifecycle.js';

const page = readFileSync(new URL('LIFECYCLE.md', import.meta.url), 'utf8');

/** The cells of every row of a table, without code marks; a dash is nothing. */
function rows(heading: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim().replace(/^–$/u, '')),
  );
}

describe('the transitions', () => {
  const all: readonly Transition[] = TRANSITIONS;

  it('stand in LIFECYCLE.md as they stand in the code', () => {
    expect(rows('Transition')).toEqual(
      all.map(({ name, from, to, by, guards }) => [name, from ?? '', to, by, guards.join(', ')]),
    );
    expect(rows('State').map(([state]) => state)).toEqual([...RUN_STATUSES]);
  });

  it('have names of their own, and no two ways for one actor between the same states', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const ways = all.map(({ from, to, by }) => `${String(from)}>${to}>${by}`);
    expect(new Set(ways).size).toBe(ways.length);
  });

  it('leave every state reachable', () => {
    expect(new Set(all.map(({ to }) => to))).toEqual(new Set(RUN_STATUSES));
  });

  it('are guarded whenever they leave a run that somebody owns', () => {
    for (const { from, by, guards } of all) {
      if (from === 'running') {
        expect(guards).toContain(by === 'reaper' ? 'lease_expired' : 'held');
      }
    }
  });

  it('never report success, rest or a cancellation over an open write', () => {
    for (const { from, to, guards } of all) {
      if (from === 'running' && (to === 'completed' || to === 'paused' || to === 'cancelled')) {
        expect(guards).toContain('no_fence');
      }
    }
  });

  it('take nobody but a person on from an ended run', () => {
    expect(RUN_STATUSES.filter(isEnded)).toEqual(['completed', 'failed', 'cancelled']);
    expect(mayTransition('failed', 'queued', 'person')).toBe(true);
    expect(mayTransition('failed', 'queued', 'reaper')).toBe(false);
    expect(mayTransition('paused', 'completed', 'owner')).toBe(false);
  });
});
