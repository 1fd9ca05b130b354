import { ts } from '../../../engine/typescript.mjs';
import { NO_GUARD } from '../values/guard.js';
import { numberOf } from '../values/keys.js';
import { UNDEFINED, external, literal, one, unknownValue } from '../values/make.js';
import { join, possible } from '../values/join.js';
import { NO_REFERENCES } from '../values/references.js';
import type { ExternalValue, FunctionValue, Point, Value } from '../values/value.js';
import { decorated } from './decorators.js';
import type { Frame } from './frame.js';
import type { Machine } from './machine.js';
import { asImportedType } from './outside-calls.js';

export function cellOf(frame: Frame, symbol: ts.Symbol): string {
  return `${String(frame.id)}:${String(numberOf(symbol))}`;
}

/** The function, or file, whose activation holds a declaration. */
export function containerOf(declaration: ts.Node): ts.Node {
  let node = declaration.parent;
  while (!ts.isFunctionLike(node) && !ts.isSourceFile(node)) {
    node = node.parent;
  }
  return node;
}

export function frameHolding(frame: Frame, container: ts.Node): Frame | null {
  let current: Frame | null = frame;
  while (current !== null && current.node !== container) {
    current = current.enclosing;
  }
  return current;
}

/** Reads a variable, function, class, import or global by its name in the source. */
export function readName(machine: Machine, node: ts.Identifier, at: Point): Value {
  if (node.text === 'undefined') {
    return UNDEFINED;
  }
  const symbol = machine.queries.symbolOf(node);
  if (symbol === null) {
    return join(one(external('', node.text, null)), machine.patches.ofGlobal(node.text, at));
  }
  const [declaration] = symbol.declarations ?? [];
  if (declaration !== undefined && !ts.isSourceFile(declaration) && isLocalKind(declaration)) {
    const holder = frameHolding(at.frame, containerOf(declaration));
    if (holder !== null) {
      const value = machine.readCell(cellOf(holder, symbol), holder, at);
      const isOfFile = holder !== at.frame && ts.isSourceFile(holder.node) && machine.effects.isWatching;
      if (isOfFile && value !== undefined && isEmpty(value)) {
        // The top level left nothing in it: what it holds is put there by functions that were not seen to run.
        return machine.readModuleVariable(symbol, declaration, at) ?? value;
      }
      if (value !== undefined) {
        const told = machine.told(cellOf(holder, symbol), value, at);
        const assigned = isOfFile ? machine.assignedInFunctions(symbol, declaration, at) : null;
        return narrowed(machine, assigned === null ? told : join(told, assigned), node, at);
      }
    }
  }
  const value = readSymbol(machine, symbol, at);
  const [only, ...more] = value.alternatives;
  if (only?.kind === 'external' && only.module === '' && more.length === 0) {
    return join(value, machine.patches.ofGlobal(node.text, at));
  }
  return only?.kind === 'external' && more.length === 0 && only.module !== '' && only.importedAs === undefined
    ? one(imported(machine, only, node))
    : value;
}

function isEmpty({ alternatives }: Value): boolean {
  return alternatives.every(
    (one) => one.kind === 'literal' && (one.value === undefined || one.value === null),
  );
}

/** An import says better by which name it is known than the place where it is declared. */
function imported(machine: Machine, external: ExternalValue, node: ts.Node): ExternalValue {
  const importedAs = machine.queries.importedAs(node);
  return importedAs === null ? external : { ...external, importedAs };
}

function isLocalKind(declaration: ts.Declaration): boolean {
  return (
    ts.isVariableDeclaration(declaration) || ts.isParameter(declaration) || ts.isBindingElement(declaration)
  );
}

/** What the path, and then the checker's narrowing, leave of a variable's value at one use. */
function narrowed(machine: Machine, value: Value, node: ts.Identifier, at: Point): Value {
  const left = possible(value, at.state.guard);
  let forms = 0;
  let count = 0;
  for (const alternative of left.alternatives) {
    if (alternative.kind === 'result' && (forms & alternative.form) === 0) {
      forms |= alternative.form;
      count += 1;
    }
  }
  if (count < 2) {
    return left;
  }
  const excluded = machine.queries.excludedForms(node) & forms;
  if (excluded === 0) {
    return left;
  }
  const alternatives = left.alternatives.filter(
    (one) => one.kind !== 'result' || (one.form & excluded) === 0,
  );
  // An assertion can make the checker exclude what the value is: then the data flow is believed.
  return alternatives.length === 0 ? left : { alternatives };
}

/** The value of a symbol that is no local variable of a running function. */
export function readSymbol(machine: Machine, given: ts.Symbol, at: Point): Value {
  const symbol = machine.queries.resolveAlias(given);
  const sdkName = machine.queries.sdkNameOf(symbol);
  if (sdkName !== null) {
    return one(external('@toolwright/sdk', sdkName, symbol));
  }
  const outside = machine.queries.externalOf(symbol);
  if (outside !== null) {
    return one(external(outside.module, outside.path, symbol));
  }
  const declarations = symbol.declarations ?? [];
  const declaration =
    declarations.find((one) => ts.isFunctionLike(one) && 'body' in one && one.body !== undefined) ??
    symbol.valueDeclaration ??
    declarations[0];
  return declaration === undefined
    ? one(external('', symbol.name, symbol))
    : readDeclaration(machine, symbol, declaration, at);
}

function readDeclaration(machine: Machine, symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value {
  if (
    ts.isFunctionDeclaration(declaration) ||
    ts.isFunctionExpression(declaration) ||
    ts.isArrowFunction(declaration)
  ) {
    return functionValue(declaration, frameHolding(at.frame, containerOf(declaration)));
  }
  if (ts.isClassLike(declaration)) {
    const frame = frameHolding(at.frame, containerOf(declaration));
    const cls = one({ kind: 'class', node: declaration, frame, references: NO_REFERENCES, when: NO_GUARD });
    return ts.getDecorators(declaration) === undefined ? cls : decorated(machine, declaration, cls, at);
  }
  if (ts.isEnumDeclaration(declaration)) {
    return readEnum(machine, declaration, at);
  }
  if (ts.isEnumMember(declaration)) {
    return enumMember(machine, declaration, at);
  }
  if (ts.isSourceFile(declaration) || ts.isModuleDeclaration(declaration)) {
    return one({ kind: 'module', symbol, references: NO_REFERENCES, when: NO_GUARD });
  }
  if (ts.isParameter(declaration)) {
    return orphan(machine, symbol, declaration, at);
  }
  if (ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration)) {
    return machine.readModuleVariable(symbol, declaration, at) ?? orphan(machine, symbol, declaration, at);
  }
  const assigned = assignedExpression(declaration);
  if (assigned !== null) {
    return machine.evaluateInModule(assigned, at);
  }
  return orphan(machine, symbol, declaration, at);
}

/** A function expression, or a method of a literal, as it becomes a value. */
export function closure(
  machine: Machine,
  node: ts.SignatureDeclaration,
  at: Point,
  self: Value | null = null,
): Value {
  const value = functionValue(node, at.frame, self);
  for (const alternative of value.alternatives) {
    if (alternative.kind === 'function') {
      machine.closureMade(alternative);
    }
  }
  return value;
}

export function functionValue(
  node: ts.SignatureDeclaration,
  frame: Frame | null,
  self: Value | null = null,
): Value {
  const fn: FunctionValue = {
    kind: 'function',
    node,
    frame,
    self,
    bound: [],
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  return one(fn);
}

/** `export default e`, `exports.x = e`, a property of a literal that is exported as a module. */
function assignedExpression(declaration: ts.Declaration): ts.Expression | null {
  if (ts.isExportAssignment(declaration) || ts.isPropertyAssignment(declaration)) {
    return ts.isExportAssignment(declaration) ? declaration.expression : declaration.initializer;
  }
  if (ts.isShorthandPropertyAssignment(declaration)) {
    return declaration.name;
  }
  const assignment = ts.isBinaryExpression(declaration) ? declaration : declaration.parent;
  return ts.isBinaryExpression(assignment) && assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? assignment.right
    : null;
}

/** A variable whose function is not running here: all that is left is its declared type. */
function orphan(machine: Machine, symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value {
  if (
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    ts.isFunctionLike(declaration.initializer)
  ) {
    return functionValue(declaration.initializer, frameHolding(at.frame, containerOf(declaration)));
  }
  const type = machine.queries.typeOfNode(declaration);
  const description = `\`${symbol.name}\``;
  if (type === null) {
    return unknownValue(`${description} is not declared here`, declaration);
  }
  const value = machine.typed(type, {
    place: declaration,
    tag: `declared ${String(numberOf(symbol))}`,
    at,
    origin: 0,
    description: symbol.name,
    why: `${description} is given from outside`,
    references: NO_REFERENCES,
  });
  return ts.isVariableDeclaration(declaration) ? asImportedType(machine, value, declaration.type) : value;
}

function readEnum(machine: Machine, node: ts.EnumDeclaration, at: Point): Value {
  const properties = new Map<string, Value>();
  for (const member of node.members) {
    if (!ts.isComputedPropertyName(member.name)) {
      properties.set(member.name.text, enumMember(machine, member, at));
    }
  }
  return one(machine.newObject(node, at, { properties }));
}

function enumMember(machine: Machine, member: ts.EnumMember, at: Point): Value {
  if (member.initializer === undefined) {
    return literal(member.parent.members.indexOf(member));
  }
  return ts.isStringLiteralLike(member.initializer)
    ? literal(member.initializer.text)
    : machine.evaluateInModule(member.initializer, at);
}
