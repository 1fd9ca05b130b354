import { ts } from '../../engine/typescript.mjs';
import { nameText } from './class-members.js';
import type { Possibilities } from './possible-values.js';
import { type FunctionNode, type Scope, type StaticValue, valueOf } from './static-value.js';
import { walk } from './walk.js';

/** What a member of an object, as far as the object itself is known, may be. */
export function memberOf(possible: Possibilities, leaf: StaticValue, key: string): readonly StaticValue[] {
  switch (leaf.kind) {
    case 'expression':
      return memberOfExpression(possible, leaf.node, leaf.scope, key);
    case 'instance': {
      const member = possible.evaluation.property(leaf, key);
      return member.kind === 'unknown'
        ? assignedInClass(leaf.node, key).flatMap((one) => possible.of(valueOf(one, leaf.scope)))
        : definedOnly(possible, member);
    }
    case 'class':
    case 'module':
      return definedOnly(possible, possible.evaluation.property(leaf, key));
    case 'array': {
      const item = leaf.items[Number(key)];
      return item === undefined ? [] : possible.of(item);
    }
    case 'merged':
      return leaf.parts.flatMap((part) => possible.member(part, key));
    case 'choice':
      return leaf.options.flatMap((option) => possible.member(option, key));
    case 'constant':
    case 'function':
    case 'unknown':
      return [];
  }
}

function definedOnly(possible: Possibilities, member: StaticValue): readonly StaticValue[] {
  if (member.kind === 'unknown' || (member.kind === 'constant' && member.value === undefined)) {
    return [];
  }
  return possible.of(member);
}

function memberOfExpression(
  possible: Possibilities,
  node: ts.Expression,
  scope: Scope,
  key: string,
): readonly StaticValue[] {
  if (ts.isObjectLiteralExpression(node)) {
    return memberOfLiteral(possible, node, scope, key);
  }
  if (ts.isArrayLiteralExpression(node)) {
    const item = node.elements[Number(key)];
    return item === undefined || ts.isSpreadElement(item) ? [] : possible.of(valueOf(item, scope));
  }
  // A factory that cannot be found most likely answers an object with what it was given.
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    for (const argument of node.arguments ?? []) {
      for (const leaf of possible.of(valueOf(argument, scope))) {
        if (leaf.kind === 'expression' && ts.isObjectLiteralExpression(leaf.node)) {
          const members = memberOfLiteral(possible, leaf.node, leaf.scope, key);
          if (members.length > 0) {
            return members;
          }
        }
      }
    }
  }
  return [];
}

function memberOfLiteral(
  possible: Possibilities,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
  key: string,
): readonly StaticValue[] {
  for (const property of [...node.properties].reverse()) {
    if (ts.isSpreadAssignment(property)) {
      const members = possible.member(valueOf(property.expression, scope), key);
      if (members.length > 0) {
        return members;
      }
      continue;
    }
    if (nameText(possible.evaluation, property.name, scope) !== key) {
      continue;
    }
    if (ts.isPropertyAssignment(property)) {
      return possible.of(valueOf(property.initializer, scope));
    }
    if (ts.isShorthandPropertyAssignment(property)) {
      return possible.of(valueOf(property.name, scope));
    }
    if (ts.isMethodDeclaration(property)) {
      return [{ kind: 'function', node: property, scope }];
    }
    if (ts.isGetAccessorDeclaration(property)) {
      return returnedBy(property).flatMap((one) => possible.of(valueOf(one, scope)));
    }
  }
  return [];
}

function assignedInClass(node: ts.ClassLikeDeclaration, key: string): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  for (const member of node.members) {
    if (
      ts.isPropertyDeclaration(member) &&
      member.initializer !== undefined &&
      member.name.getText() === key
    ) {
      found.push(member.initializer);
    }
    walk(member, (child) => {
      if (
        ts.isBinaryExpression(child) &&
        child.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(child.left) &&
        child.left.expression.kind === ts.SyntaxKind.ThisKeyword &&
        child.left.name.text === key
      ) {
        found.push(child.right);
      }
      return !ts.isClassLike(child);
    });
  }
  return found;
}

/** Every expression that a function returns or yields. */
export function returnedBy(node: FunctionNode): readonly ts.Expression[] {
  const { body } = node;
  if (body === undefined) {
    return [];
  }
  if (!ts.isBlock(body)) {
    return [body];
  }
  const found: ts.Expression[] = [];
  walk(body, (child) => {
    if ((ts.isReturnStatement(child) || ts.isYieldExpression(child)) && child.expression !== undefined) {
      found.push(child.expression);
    }
    return !ts.isFunctionLike(child) && !ts.isClassLike(child);
  });
  return found;
}
