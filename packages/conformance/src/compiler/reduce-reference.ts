import { ts } from '../../engine/typescript.mjs';
import {
  ABSENT,
  constant,
  type Evaluation,
  notConstant,
  type Scope,
  type StaticValue,
  undecided,
  undecidedBecause,
  type UnknownValue,
  valueOf,
} from './static-value.js';
import { bindingPath, isConstVariable, shortText } from './syntax.js';

const { SyntaxKind, TypeFlags } = ts;

const PROCESS_MEMBERS: Readonly<Record<string, string>> = {
  env: 'the environment',
  argv: 'the command line',
  args: 'the command line',
  execArgv: 'the command line',
  platform: 'the platform',
};
const SURROUNDINGS = new Set(['process', 'Deno', 'Bun']);
const PROCESS_MODULES = new Set(['process', 'node:process']);

/** What a name stands for. */
export function reduceIdentifier(evaluation: Evaluation, node: ts.Identifier, scope: Scope): StaticValue {
  if (node.text === 'undefined') {
    return ABSENT;
  }
  const environment = environmentRead(evaluation, node);
  if (environment !== null) {
    return environment;
  }
  const symbol = evaluation.references.symbolAt(node);
  if (symbol?.declarations === undefined || symbol.declarations.length === 0) {
    return unresolved(evaluation, node);
  }
  return reduceSymbol(evaluation, symbol, node, scope);
}

/** What a symbol stands for where `node` uses it. */
export function reduceSymbol(
  evaluation: Evaluation,
  symbol: ts.Symbol,
  node: ts.Node,
  scope: Scope,
): StaticValue {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (declaration === undefined) {
    return unresolved(evaluation, node);
  }
  if (declaration.getSourceFile().fileName.endsWith('.json')) {
    const file = evaluation.project.relative(declaration.getSourceFile().fileName);
    return notConstant(`it is read from the JSON file ${file}`, node);
  }
  if ((symbol.flags & (ts.SymbolFlags.Module | ts.SymbolFlags.Enum)) !== 0 && !ts.isClassLike(declaration)) {
    return { kind: 'module', symbol, node };
  }
  return reduceDeclaration(evaluation, symbol, declaration, node, scope);
}

function reduceDeclaration(
  evaluation: Evaluation,
  symbol: ts.Symbol,
  declaration: ts.Declaration,
  node: ts.Node,
  scope: Scope,
): StaticValue {
  if (ts.isParameter(declaration)) {
    return reduceParameter(declaration, node, scope);
  }
  if (ts.isBindingElement(declaration)) {
    return isReassigned(evaluation, symbol)
      ? notConstant(`${symbol.name} is assigned again`, node)
      : reduceBinding(evaluation, declaration, node, scope);
  }
  if (ts.isVariableDeclaration(declaration)) {
    return reduceVariable(evaluation, symbol, declaration, node, scope);
  }
  if (ts.isEnumMember(declaration)) {
    const value = evaluation.checker.getConstantValue(declaration);
    return value === undefined
      ? undecided(`${symbol.name} is a computed member of an enum`, node)
      : constant(value, node);
  }
  if (declaration.getSourceFile().isDeclarationFile) {
    return declaredValue(evaluation, declaration, node);
  }
  if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) {
    return { kind: 'function', node: declaration, scope };
  }
  if (ts.isClassLike(declaration)) {
    return { kind: 'class', node: declaration, scope };
  }
  if (ts.isExportAssignment(declaration)) {
    return valueOf(declaration.expression, scope);
  }
  if (ts.isPropertyAssignment(declaration)) {
    return valueOf(declaration.initializer, scope);
  }
  // `exports.NAME = …` in CommonJS is a declaration, too.
  if (ts.isBinaryExpression(declaration) && declaration.operatorToken.kind === SyntaxKind.EqualsToken) {
    return valueOf(declaration.right, scope);
  }
  if (ts.isPropertyAccessExpression(declaration) && ts.isBinaryExpression(declaration.parent)) {
    return valueOf(declaration.parent.right, scope);
  }
  return undecided(`${shortText(node)} is no constant that can be worked out`, node);
}

function reduceParameter(parameter: ts.ParameterDeclaration, node: ts.Node, scope: Scope): StaticValue {
  return (
    scope.get(parameter) ??
    undecided(`${shortText(node)} is the parameter ${shortText(parameter.name)}`, node, parameter)
  );
}

function reduceBinding(
  evaluation: Evaluation,
  element: ts.BindingElement,
  node: ts.Node,
  scope: Scope,
): StaticValue {
  // The rest of an object has the members that were not taken out of it; nobody reads the others from it.
  const { parent: pattern } = element;
  const isRest = element.dotDotDotToken !== undefined && ts.isObjectBindingPattern(pattern);
  const whole = isRest ? pattern.parent : element;
  const { root, keys, defaults } = ts.isBindingElement(whole)
    ? bindingPath(whole)
    : { root: whole, keys: [], defaults: new Map<number, ts.Expression>() };
  if (keys === null) {
    return undecided(
      `${shortText(node)} is taken out of a value by a computed key, or is the rest of one`,
      node,
    );
  }
  let value: StaticValue = ts.isParameter(root)
    ? reduceParameter(root, node, scope)
    : reducePattern(root, node, scope);
  for (const [index, key] of keys.entries()) {
    const member = evaluation.property(value, key);
    const fallback = defaults.get(index + 1);
    const folded = fallback === undefined ? null : evaluation.reduce(member);
    const isMissing = folded?.kind === 'constant' && folded.value === undefined;
    value = isMissing && fallback !== undefined ? valueOf(fallback, scope) : member;
  }
  return value;
}

function reducePattern(root: ts.VariableDeclaration, node: ts.Node, scope: Scope): StaticValue {
  const bound = scope.get(root);
  if (bound !== undefined) {
    return bound;
  }
  return root.initializer === undefined
    ? undecided(`${shortText(node)} is a variable of a loop`, node, root)
    : valueOf(root.initializer, scope);
}

function reduceVariable(
  evaluation: Evaluation,
  symbol: ts.Symbol,
  declaration: ts.VariableDeclaration,
  node: ts.Node,
  scope: Scope,
): StaticValue {
  const bound = scope.get(declaration);
  if (bound !== undefined) {
    return bound;
  }
  const list = declaration.parent;
  if (
    ts.isVariableDeclarationList(list) &&
    (ts.isForOfStatement(list.parent) || ts.isForInStatement(list.parent))
  ) {
    return undecided(`${symbol.name} is the variable of a loop`, node, declaration);
  }
  const isAmbient =
    declaration.getSourceFile().isDeclarationFile ||
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Ambient) !== 0;
  if (isAmbient) {
    return declaredValue(evaluation, declaration, node);
  }
  if (!isConstVariable(declaration) && isReassigned(evaluation, symbol)) {
    return notConstant(`the variable ${symbol.name} is assigned again`, node);
  }
  return declaration.initializer === undefined ? ABSENT : valueOf(declaration.initializer, scope);
}

/** What a declaration without code says: the value, if its type is that of one literal. */
export function declaredValue(evaluation: Evaluation, declaration: ts.Node, node: ts.Node): StaticValue {
  const type = evaluation.checker.getTypeAtLocation(declaration);
  if (type.isStringLiteral() || type.isNumberLiteral()) {
    return constant(type.value, node);
  }
  if ((type.flags & TypeFlags.BooleanLiteral) !== 0) {
    return constant(evaluation.checker.typeToString(type) === 'true', node);
  }
  return undecidedBecause(() => {
    const written = evaluation.checker.typeToString(type);
    const shown = written.length > 60 ? `${written.slice(0, 59)}…` : written;
    return `${shortText(node)} is declared as ${shown}, and its code is not there to be read`;
  }, node);
}

/** Whether anything but its declaration gives a variable a value. */
export function isReassigned(evaluation: Evaluation, symbol: ts.Symbol): boolean {
  return evaluation.references.referencesTo(symbol).some(isWritten);
}

/** Whether an expression is written to: assigned, counted, or filled by a pattern or a loop. */
export function isWritten(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const operator = parent.operatorToken.kind;
    return (
      parent.left === node && operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment
    );
  }
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
    return parent.operator === SyntaxKind.PlusPlusToken || parent.operator === SyntaxKind.MinusMinusToken;
  }
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) {
    return parent.initializer === node;
  }
  if (
    ts.isArrayLiteralExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isParenthesizedExpression(parent)
  ) {
    return isWritten(parent);
  }
  if (ts.isPropertyAssignment(parent)) {
    return parent.initializer === node && isWritten(parent.parent);
  }
  if (ts.isShorthandPropertyAssignment(parent)) {
    return isWritten(parent.parent);
  }
  return false;
}

/** What surroundings give a program, and no source says: the environment and the command line. */
export function environmentRead(evaluation: Evaluation, node: ts.Expression): UnknownValue | null {
  if (ts.isMetaProperty(node)) {
    return notConstant(`it is read from ${shortText(node)}, which the build or the host fills`, node);
  }
  if (ts.isIdentifier(node) && isSurroundings(evaluation, node)) {
    return notConstant(`it is read from the surroundings of the process (${node.text})`, node);
  }
  if (!ts.isPropertyAccessExpression(node)) {
    return null;
  }
  const { expression: holder, name } = node;
  const isHolder =
    (ts.isIdentifier(holder) && isSurroundings(evaluation, holder)) ||
    (ts.isPropertyAccessExpression(holder) &&
      holder.getText() === 'globalThis.process' &&
      PROCESS_MEMBERS[name.text] !== undefined);
  return isHolder
    ? notConstant(`it is read from ${PROCESS_MEMBERS[name.text] ?? 'the process'} (${shortText(node)})`, node)
    : null;
}

/** `process`, `Deno`, `Bun` as globals, and whatever is imported from the module of the process. */
function isSurroundings(evaluation: Evaluation, node: ts.Identifier): boolean {
  const specifier = importedFrom(evaluation, node);
  if (specifier !== null) {
    return PROCESS_MODULES.has(specifier);
  }
  if (!SURROUNDINGS.has(node.text)) {
    return false;
  }
  const declarations = evaluation.references.namedAt(node)?.declarations ?? [];
  return declarations.every((declaration) => declaration.getSourceFile().isDeclarationFile);
}

/** The specifier of the import that brings a name in, however it is written; null for anything else. */
export function importedFrom(evaluation: Evaluation, node: ts.Node): string | null {
  for (const declaration of evaluation.references.namedAt(node)?.declarations ?? []) {
    const statement = ts.findAncestor(declaration, ts.isImportDeclaration);
    if (statement !== undefined && ts.isStringLiteralLike(statement.moduleSpecifier)) {
      return statement.moduleSpecifier.text;
    }
    if (
      ts.isImportEqualsDeclaration(declaration) &&
      ts.isExternalModuleReference(declaration.moduleReference)
    ) {
      const { expression } = declaration.moduleReference;
      return ts.isStringLiteralLike(expression) ? expression.text : null;
    }
  }
  return null;
}

function unresolved(evaluation: Evaluation, node: ts.Node): UnknownValue {
  const specifier = importedFrom(evaluation, node);
  if (specifier === null) {
    return undecided(`${shortText(node)} is declared nowhere in the source`, node);
  }
  if (specifier.endsWith('.json')) {
    return notConstant(`it is read from the JSON file ${specifier}`, node);
  }
  return undecided(`${shortText(node)} comes from ${JSON.stringify(specifier)}, which cannot be found`, node);
}
