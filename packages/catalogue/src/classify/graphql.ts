import { OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql/language/ast.js';
import { Kind } from 'graphql/language/kinds.js';
import { parse } from 'graphql/language/parser.js';

import { alternativesOf, inputOf, textPartsOf, type AbstractValue } from '../model/abstract-value.js';
import {
  cannotSay,
  dependsOn,
  joinAlternatives,
  joinSequence,
  reads,
  writes,
  type Judgement,
} from './judgement.js';
import { readVerbs } from './shipped-verbs.js';

/** What sending a GraphQL document does. Never throws. */
export function classifyGraphql(document: string | AbstractValue): Judgement {
  const value: AbstractValue =
    typeof document === 'string' ? { kind: 'constant', value: document } : document;
  const alternatives = alternativesOf(value).map((one, index) => ({
    label: `document ${index + 1}`,
    judgement: classifyOne(one),
  }));
  return joinAlternatives(alternatives, 'document', inputOf(value));
}

function classifyOne(value: AbstractValue): Judgement {
  const parts = textPartsOf(value);
  if (value.kind === 'unknown' && value.name !== undefined) return byIdentifier(value.name);
  if (parts === null) return cannotSay('remote', 'the GraphQL document is not known');
  if (parts.every((part) => part.trim() === '') && parts.length > 1) {
    return dependsOn(value, 'document', writes('remote', 'write', 'a GraphQL document'), 'is a mutation');
  }
  const parsed = parseLeniently(parts);
  if (parsed !== null) return judgeDocument(parsed);
  return byLeadingWord(parts, value);
}

/** Holes are fragments or selections: they are left out first, then stood in for by a name. */
function parseLeniently(parts: readonly string[]): DocumentNode | null {
  if (isHeadless(parts)) return null;
  const candidates = [parts.join(' '), parts.join(' toolwright_hole '), parts.join(' { toolwright_hole } ')];
  for (const text of candidates) {
    try {
      return parse(text, { noLocation: true });
    } catch {
      // The next reading of the holes may be a document.
    }
  }
  return null;
}

function judgeDocument(document: DocumentNode): Judgement {
  const operations = document.definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (operations.length === 0) return reads('remote', 'pure', 'the GraphQL document holds no operation');
  const alternatives = operations.map((operation) => ({
    label: operation.name?.value ?? operation.operation,
    judgement: judgeOperation(operation),
  }));
  return joinAlternatives(alternatives, 'operationName', null);
}

function judgeOperation(operation: OperationDefinitionNode): Judgement {
  if (operation.operation !== OperationTypeNode.MUTATION) {
    return reads('remote', 'read', `the GraphQL document is a ${operation.operation}`);
  }
  const fields = operation.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD ? [selection.name.value] : [],
  );
  const unknown = writes('remote', 'write', 'the GraphQL document is a mutation');
  return joinSequence(fields.map(judgeMutationField), unknown);
}

/** That a mutation writes is certain; what kind of write it is, its name says. */
function judgeMutationField(field: string): Judgement {
  const byName = readVerbs().judge(field, 'remote');
  const reason = `the GraphQL mutation ${field} writes`;
  if (byName.effect !== 'remote' || byName.certainty !== 'always') return writes('remote', 'write', reason);
  return writes('remote', byName.kind, reason, { converges: byName.converges });
}

/** `CreateIssueDocument`, `GetIssueQuery`: what generated code calls a document. */
function byIdentifier(name: string): Judgement {
  if (/mutation/i.test(name)) {
    return writes('remote', 'write', `the document is called ${name}`, { confidence: 'by-name' });
  }
  if (/quer(y|ies)|subscription/i.test(name)) {
    return reads('remote', 'read', `the document is called ${name}`, 'by-name');
  }
  return readVerbs().judge(name.replace(/(_?gql|_?document|Doc)$/i, ''), 'remote');
}

/** A hole at the head may be a fragment, or the keyword itself. */
function isHeadless(parts: readonly string[]): boolean {
  const [head = '', next = ''] = parts;
  return parts.length > 1 && head.trim() === '' && !/^\s*(query|mutation|subscription|fragment)\b/.test(next);
}

function byLeadingWord(parts: readonly string[], value: AbstractValue): Judgement {
  const text = parts.join(' ').replace(/#.*/g, '');
  const words = /^\s*(query|mutation|subscription|\{)/.exec(text)?.[1];
  if (/\bmutation\b[^{]*\{/.test(text) && words !== 'query' && words !== '{') {
    return writes('remote', 'write', 'the GraphQL document is a mutation', { confidence: 'by-name' });
  }
  if (words !== undefined && !isHeadless(parts) && !/\bmutation\b/.test(text)) {
    return reads('remote', 'read', 'the GraphQL document is a query', 'by-name');
  }
  return dependsOn(value, 'document', writes('remote', 'write', 'a GraphQL document'), 'is a mutation');
}
