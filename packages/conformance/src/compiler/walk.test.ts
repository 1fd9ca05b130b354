import { ts } from '../../engine/typescript.mjs';
import { describe, expect, it } from 'vitest';
import { contains, walk } from './walk.js';

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
}

describe('walk', () => {
  it('visits nodes in the order of the source, and stays out where it is told to', () => {
    const names: string[] = [];
    walk(parse('a(b, () => { c; }); d;'), (node) => {
      if (ts.isIdentifier(node)) {
        names.push(node.text);
      }
      return !ts.isArrowFunction(node);
    });
    expect(names).toEqual(['a', 'b', 'd']);
  });

  it('says when it leaves a node when it is asked to', () => {
    const seen: string[] = [];
    walk(
      parse('a(() => b); c;'),
      (node) => {
        seen.push(...(ts.isArrowFunction(node) ? ['('] : ts.isIdentifier(node) ? [node.text] : []));
        return true;
      },
      (node) => {
        seen.push(...(ts.isArrowFunction(node) ? [')'] : []));
      },
    );
    expect(seen.join('')).toBe('a(b)c');
  });

  it('reaches the end when an expression nests thousands deep', () => {
    const sum = Array.from({ length: 20_000 }, (_, index) => `'${String(index)}'`).join(' + ');
    const file = parse(`export const text = ${sum}; export const last = 1;`);
    expect(contains(file, (node) => ts.isIdentifier(node) && node.text === 'last')).toBe(true);
  });
});
