import type { ts } from '../../../engine/typescript.mjs';
import type { TypeQueries } from './type-queries.js';

/** Whether a type is a preserved one, or a promise of one. */
export function isPreservedType(queries: TypeQueries, type: ts.Type): boolean {
  const { forms, isTarget, preserved, promised } = queries.shapeOf(type);
  return (
    forms !== 0 ||
    isTarget ||
    preserved.length > 0 ||
    promised.some((inner) => isPreservedType(queries, inner))
  );
}

/** Whether what a type says can be called answers a preserved value. */
export function answersPreserved(queries: TypeQueries, type: ts.Type): boolean {
  const answer = queries.answerOfType(type, 0);
  return answer !== null && isPreservedType(queries, answer.type);
}
