import { ts } from '../../engine/typescript.mjs';
import { applyFunction, argumentsOf, bindParameters } from './apply-function.js';
import { declaredValue, isWritten } from './reduce-reference.js';
import {
  ABSENT,
  type Evaluation,
  notConstant,
  type MutableScope,
  type Scope,
  type StaticValue,
  undecided,
  valueOf,
} from './static-value.js';
import { enclosingFunction } from './syntax.js';
import { walk } from './walk.js';

/**
 * An object of a class. Where the arguments are not known, the constructor's parameters stay open for
 * callers to decide.
 *
 * @param argumentsIn - the arguments, evaluated in the object's own scope, so that what is bound in it
 *   later holds for them too
 */
export function constructInstance(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  argumentsIn: (scope: Scope) => readonly StaticValue[] | null,
  outer: Scope,
): StaticValue {
  const scope: MutableScope = new Map(outer);
  const instance: StaticValue = { kind: 'instance', node, scope };
  let current: ts.ClassLikeDeclaration | null = node;
  let given = argumentsIn(scope);
  const seen = new Set<ts.Node>();
  while (current !== null && !seen.has(current)) {
    seen.add(current);
    scope.set(current, instance);
    const own = constructorOf(current);
    if (own !== null) {
      bindParameters(evaluation, own.parameters, given, scope);
      const superCall = superCallIn(own);
      given = superCall === null ? [] : argumentsOf(evaluation, superCall, scope);
    }
    const base = baseClass(evaluation, current, scope);
    current = base?.kind === 'class' ? base.node : null;
  }
  return instance;
}

/** The class that a class extends, as a value; null when it extends none. */
export function baseClass(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
): StaticValue | null {
  const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const expression = clause?.types[0]?.expression;
  return expression === undefined ? null : evaluation.reduce(valueOf(expression, scope));
}

/** The constructor that runs for a class: its own, or the nearest one above it. */
export function effectiveConstructor(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
): ts.ConstructorDeclaration | null {
  const seen = new Set<ts.Node>();
  let current: ts.ClassLikeDeclaration | null = node;
  while (current !== null && !seen.has(current)) {
    seen.add(current);
    const own = constructorOf(current);
    if (own !== null) {
      return own;
    }
    const base = baseClass(evaluation, current, scope);
    current = base?.kind === 'class' ? base.node : null;
  }
  return null;
}

/** A member of an object, searched along its class and the classes above. */
export function instanceMember(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
  key: string,
): StaticValue {
  const seen = new Set<ts.Node>();
  let current: ts.ClassLikeDeclaration = node;
  for (;;) {
    seen.add(current);
    const own = ownMember(evaluation, current, scope, key, false);
    if (own !== null) {
      return own;
    }
    const base = baseClass(evaluation, current, scope);
    if (base === null) {
      return ABSENT;
    }
    if (base.kind !== 'class' || seen.has(base.node)) {
      return inheritedFromElsewhere(evaluation, current, key, base);
    }
    current = base.node;
  }
}

/** A static member of a class, its own or inherited. */
export function staticMember(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
  key: string,
): StaticValue {
  const own = ownMember(evaluation, node, scope, key, true);
  if (own !== null) {
    return own;
  }
  const base = baseClass(evaluation, node, scope);
  return base?.kind === 'class' && base.node !== node
    ? staticMember(evaluation, base.node, base.scope, key)
    : ABSENT;
}

function ownMember(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
  key: string,
  isStatic: boolean,
): StaticValue | null {
  const named = node.members.filter(
    (member) =>
      member.name !== undefined &&
      nameText(evaluation, member.name, scope) === key &&
      hasStatic(member) === isStatic,
  );
  const assigned = assignmentsTo(node, key, isStatic);
  const getter = named.find((member) => ts.isGetAccessorDeclaration(member));
  if (getter !== undefined && ts.isGetAccessorDeclaration(getter)) {
    return applyFunction(evaluation, getter, scope, []);
  }
  const method = named.find((member) => ts.isMethodDeclaration(member) && member.body !== undefined);
  if (method !== undefined && ts.isMethodDeclaration(method)) {
    return { kind: 'function', node: method, scope };
  }
  const property = named.find((member) => ts.isPropertyDeclaration(member));
  const initial =
    property !== undefined && ts.isPropertyDeclaration(property) ? property.initializer : undefined;
  const parameter = isStatic
    ? undefined
    : constructorOf(node)?.parameters.find(
        (one) =>
          ts.isParameterPropertyDeclaration(one, one.parent) &&
          ts.isIdentifier(one.name) &&
          one.name.text === key,
      );
  if (assigned.length > 0) {
    return assignedMember(node, scope, key, assigned);
  }
  if (parameter !== undefined) {
    return (
      scope.get(parameter) ?? undecided(`${key} is a parameter of the constructor`, parameter, parameter)
    );
  }
  if (initial !== undefined) {
    return valueOf(initial, scope);
  }
  if (property === undefined || isAbstract(property)) {
    return null;
  }
  return ts.isPropertyDeclaration(property) && property.type !== undefined && !isOptional(property)
    ? undecided(`${key} is declared without a value`, property)
    : null;
}

/** A field that code assigns: known when the constructor does it once, always, at its top level. */
function assignedMember(
  node: ts.ClassLikeDeclaration,
  scope: Scope,
  key: string,
  assigned: readonly ts.BinaryExpression[],
): StaticValue {
  const [only] = assigned;
  if (only === undefined) {
    return ABSENT;
  }
  const elsewhere = assigned.find((one) => {
    const owner = enclosingFunction(one);
    return owner === null || !ts.isConstructorDeclaration(owner);
  });
  if (elsewhere !== undefined) {
    return notConstant(`a method assigns ${key} again`, elsewhere);
  }
  const isPlain =
    assigned.length === 1 &&
    only.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isExpressionStatement(only.parent) &&
    only.parent.parent === constructorOf(node)?.body;
  if (isPlain) {
    return valueOf(only.right, scope);
  }
  return {
    kind: 'choice',
    options: assigned.map((one) => valueOf(one.right, scope)),
    cause: undecided(`the constructor assigns ${key} on a condition`, only),
  };
}

interface Assignments {
  readonly ofInstance: ReadonlyMap<string, readonly ts.BinaryExpression[]>;
  readonly ofClass: ReadonlyMap<string, readonly ts.BinaryExpression[]>;
}

const ASSIGNMENTS = new WeakMap<ts.ClassLikeDeclaration, Assignments>();

function assignmentsTo(
  node: ts.ClassLikeDeclaration,
  key: string,
  isStatic: boolean,
): readonly ts.BinaryExpression[] {
  const known = ASSIGNMENTS.get(node) ?? findAssignments(node);
  ASSIGNMENTS.set(node, known);
  return (isStatic ? known.ofClass : known.ofInstance).get(key) ?? [];
}

function findAssignments(node: ts.ClassLikeDeclaration): Assignments {
  const collect = (
    roots: readonly ts.Node[],
    isHolder: (holder: ts.Expression) => boolean,
  ): Map<string, ts.BinaryExpression[]> => {
    const found = new Map<string, ts.BinaryExpression[]>();
    for (const root of roots) {
      walk(root, (child) => {
        if (
          ts.isPropertyAccessExpression(child) &&
          isHolder(child.expression) &&
          isWritten(child) &&
          ts.isBinaryExpression(child.parent)
        ) {
          found.set(child.name.text, [...(found.get(child.name.text) ?? []), child.parent]);
        }
        // `this` in another class is another object.
        return !ts.isClassLike(child);
      });
    }
    return found;
  };
  const name = node.name?.text;
  return {
    ofInstance: collect(node.members, (holder) => holder.kind === ts.SyntaxKind.ThisKeyword),
    ofClass:
      name === undefined
        ? new Map()
        : collect(
            [node.getSourceFile(), ...node.members],
            (holder) => ts.isIdentifier(holder) && holder.text === name,
          ),
  };
}

function inheritedFromElsewhere(
  evaluation: Evaluation,
  node: ts.ClassLikeDeclaration,
  key: string,
  base: StaticValue,
): StaticValue {
  const type = evaluation.checker.getTypeAtLocation(node);
  const property = evaluation.checker.getPropertyOfType(type, key);
  const declaration = property?.declarations?.[0];
  if (declaration?.getSourceFile().isDeclarationFile === true) {
    return declaredValue(evaluation, declaration, declaration);
  }
  const isKnownBase = evaluation.checker.getBaseTypes(type as ts.InterfaceType).length > 0;
  if (property === undefined && isKnownBase) {
    return ABSENT;
  }
  return base.kind === 'unknown'
    ? base
    : undecided(`${key} may be inherited from a class whose code cannot be found`, node);
}

function constructorOf(node: ts.ClassLikeDeclaration): ts.ConstructorDeclaration | null {
  return (
    node.members.find(
      (member): member is ts.ConstructorDeclaration =>
        ts.isConstructorDeclaration(member) && member.body !== undefined,
    ) ?? null
  );
}

function superCallIn(node: ts.ConstructorDeclaration): ts.CallExpression | null {
  const find = (child: ts.Node): ts.CallExpression | undefined => {
    if (ts.isCallExpression(child) && child.expression.kind === ts.SyntaxKind.SuperKeyword) {
      return child;
    }
    return ts.isClassLike(child) ? undefined : ts.forEachChild(child, find);
  };
  return (node.body === undefined ? undefined : find(node.body)) ?? null;
}

/** The text of a member's name; a computed one is worked out. */
export function nameText(
  evaluation: Evaluation,
  name: ts.PropertyName | ts.BindingName,
  scope: Scope,
): string | null {
  if (ts.isComputedPropertyName(name)) {
    const folded = evaluation.fold(valueOf(name.expression, scope));
    return folded.kind === 'constant' ? String(folded.value) : null;
  }
  return ts.isIdentifier(name) ||
    ts.isStringLiteralLike(name) ||
    ts.isNumericLiteral(name) ||
    ts.isPrivateIdentifier(name)
    ? name.text
    : null;
}

function hasStatic(member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
}

function isAbstract(member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Abstract) !== 0;
}

function isOptional(member: ts.ClassElement): boolean {
  return ts.isPropertyDeclaration(member) && member.questionToken !== undefined;
}
