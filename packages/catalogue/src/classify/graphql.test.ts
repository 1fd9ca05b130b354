import { describe, expect, it } from 'vitest';

import { constant, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';
import { classifyGraphql } from './graphql.js';

describe('classifyGraphql', () => {
  it.each([
    'query { viewer { id } }',
    '{ viewer { id } }',
    'query A($n: Int!) { issues(first: $n) { nodes { ...F } } } fragment F on Issue { id }',
    'subscription { issueChanged { id } }',
    '# mutation { deleteIssue }\nquery A { a(text: "mutation { x }") { id } }',
    'fragment F on Issue { id }',
  ])('reads: %s', (text) => {
    expect(classifyGraphql(text)).toMatchObject({ effect: 'none', certainty: 'always' });
  });

  it.each([
    ['mutation { createIssue(input: {}) { id } }', 'create', 'no'],
    ['mutation M { updateIssue(id: 1) { id } }', 'set', 'yes'],
    ['mutation { issueDelete(id: 1) { id } }', 'delete', 'yes'],
    ['mutation { updateA { id } createB { id } }', 'create', 'no'],
    ['mutation { frobnicate { id } }', 'write', 'unknown'],
    ['mutation { ...F } fragment F on Mutation { createA { id } }', 'write', 'unknown'],
  ])('writes: %s', (text, kind, converges) => {
    expect(classifyGraphql(text)).toMatchObject({
      effect: 'remote',
      certainty: 'always',
      confidence: 'proven',
      kind,
      converges,
    });
  });

  it('is conditional when a document holds a query and a mutation', () => {
    expect(classifyGraphql('query A { a } mutation B { createB { id } }')).toMatchObject({
      certainty: 'conditional',
      condition: { writesWhen: ['B'], readsWhen: ['A'] },
    });
  });

  it('reads around holes for fragments and selections', () => {
    const value = (head: string, tail: string): AbstractValue => ({
      kind: 'template',
      parts: [constant(head), UNKNOWN, constant(tail)],
    });
    expect(classifyGraphql(value('query A { issue { ...F } } ', ''))).toMatchObject({
      effect: 'none',
      confidence: 'proven',
    });
    expect(classifyGraphql(value('mutation { createIssue { ', ' } }'))).toMatchObject({
      effect: 'remote',
      kind: 'create',
    });
  });

  it('is undecided when it is not known whether it is a mutation', () => {
    const value: AbstractValue = {
      kind: 'template',
      parts: [{ kind: 'input', path: 'operation' }, constant(' { a }')],
    };
    expect(classifyGraphql(value)).toMatchObject({
      effect: 'remote',
      certainty: 'undecided',
      condition: { input: 'operation' },
    });
    expect(classifyGraphql({ kind: 'input', path: 'query' }).certainty).toBe('undecided');
  });

  it.each([
    ['GetIssuesQuery', 'none'],
    ['CreateIssueMutation', 'remote'],
    ['UpdateIssueDocument', 'remote'],
    ['ListIssuesDocument', 'none'],
  ])('judges the generated document %s by its name', (name, effect) => {
    expect(classifyGraphql({ kind: 'unknown', name })).toMatchObject({ effect, confidence: 'by-name' });
  });

  it('can not say what a document is whose name says nothing', () => {
    expect(classifyGraphql({ kind: 'unknown', name: 'document' }).certainty).toBe('undecided');
    expect(classifyGraphql({ kind: 'function' }).effect).toBe('unknown');
  });

  it('never throws, whatever the text', () => {
    for (const text of ['', '{', 'mutation {', '}', '"""', '{'.repeat(5000), '\u0000']) {
      expect(() => classifyGraphql(text)).not.toThrow();
    }
  });
});
