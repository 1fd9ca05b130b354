import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { ReferenceIndex } from '../../compiler/reference-index.js';
import { EMPTY_SCOPE, valueOf } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import type { RawHandlerTypes } from './raw-handler-types.js';

/** Whether a type says nothing. */
export function isOpen(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
}

/** The type of the objects that a value constructs, where they are raw handlers; else null. */
export function instanceType(
  evaluator: Evaluator,
  types: RawHandlerTypes,
  node: ts.Expression,
): ts.Type | null {
  const type = evaluator.checker.getTypeAtLocation(node);
  const made = type.getConstructSignatures().map((signature) => signature.getReturnType());
  const raw = made.find((one) => types.kindOf(one) === 'raw');
  if (raw !== undefined) {
    return raw;
  }
  const value = isOpen(type) ? evaluator.reduce(valueOf(node, EMPTY_SCOPE)) : null;
  return value?.kind === 'class' && types.isRawDeclaration(value.node)
    ? evaluator.checker.getTypeAtLocation(value.node)
    : null;
}

/** The class whose objects a type describes, where the project declares it; else null. */
export function classOf(type: ts.Type): ts.Node | null {
  const parts = type.isUnion() ? type.types : [type];
  for (const part of parts) {
    const declaration = (part.symbol as ts.Symbol | undefined)?.declarations?.[0];
    if (declaration !== undefined && ts.isClassLike(declaration)) {
      return declaration;
    }
  }
  return null;
}

/** The class that `Reflect.construct(X, …)` or `Object.create(X.prototype)` constructs; else null. */
export function reflectedClass(node: ts.CallExpression, references: ReferenceIndex): ts.Expression | null {
  const [first, second] = node.arguments;
  const callee = skipWrappers.inward(node.expression);
  const text = callee.getText();
  const isConstruct =
    /(^|\.)Reflect(\.construct|\[['"]construct['"]\])$/u.test(text) ||
    (ts.isIdentifier(callee) && callee.text === 'construct' && isFromReflect(callee, references));
  if (isConstruct) {
    return first ?? null;
  }
  const prototype = text === 'Object.create' ? first : text === 'Object.setPrototypeOf' ? second : undefined;
  return prototype !== undefined &&
    ts.isPropertyAccessExpression(prototype) &&
    prototype.name.text === 'prototype'
    ? prototype.expression
    : null;
}

/** `const { construct } = Reflect`. */
function isFromReflect(callee: ts.Identifier, references: ReferenceIndex): boolean {
  const declaration = references.symbolAt(callee)?.valueDeclaration;
  return (
    declaration !== undefined &&
    ts.isBindingElement(declaration) &&
    ts.isVariableDeclaration(declaration.parent.parent) &&
    declaration.parent.parent.initializer?.getText() === 'Reflect'
  );
}
