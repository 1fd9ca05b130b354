import { ts } from '../../engine/typescript.mjs';
import { applyFunction } from './apply-function.js';
import { nameText } from './class-members.js';
import { isWritten } from './reduce-reference.js';
import { ABSENT, type Evaluation, type Scope, type StaticValue, undecided, valueOf } from './static-value.js';
import { shortText, skipWrappers } from './syntax.js';

/** A member of an object literal: the last part of it that sets the key wins. */
export function literalMember(
  evaluation: Evaluation,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
  key: string,
): StaticValue {
  const written = ownLiteralMember(evaluation, node, scope, key);
  return withLaterChanges(evaluation, node, scope, key, written);
}

function ownLiteralMember(
  evaluation: Evaluation,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
  key: string,
): StaticValue {
  for (const property of [...node.properties].reverse()) {
    if (ts.isSpreadAssignment(property)) {
      const spread = spreadMember(evaluation, valueOf(property.expression, scope), property.expression, key);
      if (spread !== null) {
        return spread;
      }
      continue;
    }
    const name = nameText(evaluation, property.name, scope);
    if (name === null) {
      return undecided(`a computed key may be ${key}`, property);
    }
    if (name !== key) {
      continue;
    }
    if (ts.isPropertyAssignment(property)) {
      return valueOf(property.initializer, scope);
    }
    if (ts.isShorthandPropertyAssignment(property)) {
      return valueOf(property.name, scope);
    }
    if (ts.isSetAccessorDeclaration(property)) {
      continue;
    }
    if (ts.isGetAccessorDeclaration(property)) {
      return applyFunction(evaluation, property, scope, []);
    }
    return { kind: 'function', node: property, scope };
  }
  return ABSENT;
}

/** What a spread contributes to a key; null when nothing. */
function spreadMember(
  evaluation: Evaluation,
  spread: StaticValue,
  node: ts.Expression,
  key: string,
): StaticValue | null {
  const value = evaluation.property(spread, key);
  const reduced = evaluation.reduce(value);
  if (reduced.kind === 'constant' && reduced.value === undefined) {
    return null;
  }
  // `...(condition && { key })` adds nothing when the condition fails, whatever that is.
  if (reduced.kind === 'unknown' && reduced.parameter === undefined && !mayHave(evaluation, node, key)) {
    return null;
  }
  return value;
}

/** Whether a type allows a key. A value of an unknown type may have any. */
function mayHave(evaluation: Evaluation, node: ts.Expression, key: string): boolean {
  const type = evaluation.checker.getTypeAtLocation(node);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(
    (part) =>
      (part.flags &
        (ts.TypeFlags.Any |
          ts.TypeFlags.Unknown |
          ts.TypeFlags.TypeParameter |
          ts.TypeFlags.NonPrimitive)) !==
        0 ||
      evaluation.checker.getPropertyOfType(part, key) !== undefined ||
      evaluation.checker.getIndexInfosOfType(part).length > 0,
  );
}

/** `definition.effect = …` and `Object.assign(definition, …)` after an object was made. */
function withLaterChanges(
  evaluation: Evaluation,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
  key: string,
  written: StaticValue,
): StaticValue {
  const holder = skipWrappers.outward(node).parent;
  if (!ts.isVariableDeclaration(holder) || !ts.isIdentifier(holder.name)) {
    return written;
  }
  const symbol = evaluation.checker.getSymbolAtLocation(holder.name);
  if (symbol === undefined) {
    return written;
  }
  const changes = evaluation.references
    .referencesTo(symbol)
    .flatMap((reference) => changeBy(evaluation, reference, scope, key));
  const [only] = changes;
  if (only === undefined) {
    return written;
  }
  const settled = settledBy(evaluation, changes, written, holder, scope);
  if (settled !== null) {
    return settled;
  }
  const statement = ts.findAncestor(only.node, ts.isExpressionStatement);
  const isAlways = changes.length === 1 && statement?.parent === holder.parent.parent.parent;
  return isAlways
    ? only.value
    : {
        kind: 'choice',
        options: [written, ...changes.map(({ value }) => value)],
        cause: undecided(`${shortText(holder.name)} is changed after it was made`, only.node),
      };
}

interface Change {
  readonly node: ts.Node;
  readonly value: StaticValue;
}

/**
 * The value after changes in the function that made the object, where every `if` and `switch` around them is
 * decided; null where one is not.
 */
function settledBy(
  evaluation: Evaluation,
  changes: readonly Change[],
  written: StaticValue,
  holder: ts.VariableDeclaration,
  scope: Scope,
): StaticValue | null {
  const block = holder.parent.parent.parent;
  let settled = written;
  for (const change of [...changes].sort((a, b) => a.node.pos - b.node.pos)) {
    const isMade = happens(evaluation, change.node, block, scope);
    if (isMade === null) {
      return null;
    }
    settled = isMade ? change.value : settled;
  }
  return settled;
}

/** Whether the conditions between a block and a statement in it let the statement run; null when that is open. */
function happens(evaluation: Evaluation, node: ts.Node, block: ts.Node, scope: Scope): boolean | null {
  for (let child = node; child !== block; child = child.parent) {
    const { parent } = child as { readonly parent: ts.Node | undefined };
    if (parent === undefined || ts.isFunctionLike(child) || ts.isIterationStatement(child, false)) {
      return null;
    }
    if (ts.isTryStatement(parent) || ts.isConditionalExpression(parent) || ts.isBinaryExpression(parent)) {
      if (parent !== node.parent) {
        return null;
      }
    } else if (ts.isIfStatement(parent) && child !== parent.expression) {
      const condition = evaluation.fold(valueOf(parent.expression, scope));
      if (condition.kind !== 'constant') {
        return null;
      }
      if (Boolean(condition.value) !== (child === parent.thenStatement)) {
        return false;
      }
    } else if (ts.isCaseOrDefaultClause(child)) {
      const isTaken = takesClause(evaluation, child, scope);
      if (isTaken !== true) {
        return isTaken;
      }
    }
  }
  return true;
}

/** Whether a `switch` comes to a clause; falling through without a `break` counts for the clauses before it. */
function takesClause(evaluation: Evaluation, clause: ts.CaseOrDefaultClause, scope: Scope): boolean | null {
  const { clauses } = clause.parent;
  const subject = evaluation.fold(valueOf(clause.parent.parent.expression, scope));
  if (subject.kind !== 'constant') {
    return null;
  }
  const labels = clauses.map((one) =>
    ts.isCaseClause(one) ? evaluation.fold(valueOf(one.expression, scope)) : null,
  );
  if (labels.some((label) => label?.kind === 'unknown')) {
    return null;
  }
  const matching = labels.findIndex((label) => label?.kind === 'constant' && label.value === subject.value);
  const start = matching < 0 ? clauses.findIndex((one) => ts.isDefaultClause(one)) : matching;
  const end = clauses.findIndex(
    (one, index) => index >= start && one.statements.some((statement) => endsClause(statement)),
  );
  const index = clauses.indexOf(clause);
  return start >= 0 && index >= start && (end < 0 || index <= end);
}

function endsClause(statement: ts.Statement): boolean {
  return ts.isBlock(statement)
    ? statement.statements.some((inner) => endsClause(inner))
    : ts.isBreakStatement(statement) || ts.isReturnStatement(statement) || ts.isThrowStatement(statement);
}

function changeBy(
  evaluation: Evaluation,
  reference: ts.Identifier,
  scope: Scope,
  key: string,
): readonly Change[] {
  const { parent } = reference;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === reference) {
    return parent.name.text === key && isWritten(parent) && ts.isBinaryExpression(parent.parent)
      ? [{ node: parent, value: valueOf(parent.parent.right, scope) }]
      : [];
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === reference) {
    const index = evaluation.fold(valueOf(parent.argumentExpression, scope));
    const matches = index.kind === 'constant' ? String(index.value) === key : true;
    return matches && isWritten(parent) && ts.isBinaryExpression(parent.parent)
      ? [{ node: parent, value: valueOf(parent.parent.right, scope) }]
      : [];
  }
  if (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === reference &&
    isGlobalMember(parent.expression, 'Object', 'assign') &&
    !isValueUsed(parent)
  ) {
    return parent.arguments.slice(1).flatMap((source) => {
      const value = spreadMember(evaluation, valueOf(source, scope), source, key);
      return value === null ? [] : [{ node: parent, value }];
    });
  }
  return [];
}

function isValueUsed(call: ts.CallExpression): boolean {
  return !ts.isExpressionStatement(call.parent);
}

/** `Object.assign` and its like, by their names: nobody shadows them and means well. */
export function isGlobalMember(node: ts.Expression, object: string, member: string): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === member &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === object
  );
}

/** The keys of an object literal, spreads included; null where they are not all known. */
export function literalKeys(
  evaluation: Evaluation,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
): readonly string[] | null {
  const keys = new Set<string>();
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = evaluation.reduce(valueOf(property.expression, scope));
      const inner =
        spread.kind === 'expression' && ts.isObjectLiteralExpression(spread.node)
          ? literalKeys(evaluation, spread.node, spread.scope)
          : null;
      if (inner === null) {
        return null;
      }
      inner.forEach((key) => keys.add(key));
      continue;
    }
    const name = nameText(evaluation, property.name, scope);
    if (name === null) {
      return null;
    }
    keys.add(name);
  }
  return [...keys];
}
