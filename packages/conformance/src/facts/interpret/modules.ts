import { ts } from '../../../engine/typescript.mjs';
import { walk } from '../../compiler/walk.js';
import { join, possible } from '../values/join.js';
import { opaque } from '../values/make.js';
import type { Point, Value } from '../values/value.js';
import type { PreservedType } from '../queries/preserved-types.js';
import { RESULT, TARGET } from '../queries/preserved-types.js';
import type { Interpreter } from './interpreter.js';
import { cellOf } from './names.js';
import { awaited } from './loops.js';
import type { Frame } from './frame.js';
import { asImportedType } from './outside-calls.js';
import { executeAll } from './statements.js';
import { skipWrappers } from '../../compiler/syntax.js';

interface Module {
  readonly point: Point;
  hasRun: boolean;
}

/**
 * The top level of files. A file that only declares is never run as a whole: each variable is
 * evaluated when it is used. One whose statements do something is run once, in order.
 */
export class Modules {
  readonly #interpreter: Interpreter;
  readonly #modules = new Map<ts.SourceFile, Module>();
  readonly #running = new Set<ts.Node>();
  readonly #reassigned = new Map<ts.SourceFile, ReadonlyMap<string, readonly ts.Expression[]>>();

  constructor(interpreter: Interpreter) {
    this.#interpreter = interpreter;
  }

  run(file: ts.SourceFile): void {
    const module = this.#moduleOf(file);
    if (module.hasRun) {
      return;
    }
    module.hasRun = true;
    this.#interpreter.resume(module.point, () => {
      executeAll(this.#interpreter, file.statements, module.point);
      this.#interpreter.observer.ended(module.point.frame, module.point);
      // A top level that throws or ends the process leaves what it had defined.
      module.point.state.isDead = false;
    });
  }

  /** A file's own point; run first if its statements do more than declare. */
  #enter(file: ts.SourceFile): Point {
    const module = this.#moduleOf(file);
    if (!module.hasRun && !file.statements.every(isDeclarative)) {
      this.run(file);
    }
    return module.point;
  }

  #moduleOf(file: ts.SourceFile): Module {
    let module = this.#modules.get(file);
    if (module === undefined) {
      module = { point: this.#interpreter.openFile(file), hasRun: false };
      this.#modules.set(file, module);
    }
    return module;
  }

  read(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null {
    if (!isTopLevel(declaration)) {
      return null;
    }
    const file = declaration.getSourceFile();
    if (file.fileName.endsWith('.json')) {
      return opaque({ description: `data of ${file.fileName.split('/').at(-1) ?? ''}` });
    }
    const module = this.#enter(file);
    const cell = cellOf(module.frame, symbol);
    const value =
      (module.frame === at.frame ? at.state : module.state).get(cell) ??
      this.#interpreter.readCell(cell, module.frame, module) ??
      this.#initial(declaration, cell, module);
    const assigned = value === null ? null : this.assigned(symbol, declaration, at);
    return value === null
      ? null
      : assigned === null
        ? possible(value, at.state.guard)
        : join(value, assigned);
  }

  /** What functions may have put into a variable of a file before a tool runs; null where none does. */
  assignedBefore(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null {
    const assigned = this.#assignedElsewhere(symbol, declaration, declaration.getSourceFile());
    // What counts on, and what the running code puts there itself, is seen where it happens.
    const isPutThere = assigned?.some((one) => isReplacing(one) && !isRunning(one, at)) === true;
    return isPutThere ? this.assigned(symbol, declaration, at) : null;
  }

  /** What functions may have put into a variable of a file at any time; null where none does. */
  assigned(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null {
    const assigned = this.#assignedElsewhere(symbol, declaration, declaration.getSourceFile());
    if (assigned === null) {
      return null;
    }
    const made = this.#interpreter.effects.isWatching ? assigned.filter(isMaking) : [];
    return made.length === assigned.length && made.length <= MOST_ASSIGNMENTS
      ? join(...made.map((expression) => awaited(this.evaluate(expression, at))))
      : this.#assignedValue(symbol, declaration, at);
  }

  /** Of what is assigned elsewhere, the declared type is what is known. */
  #assignedValue(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value {
    const value = this.#interpreter.typedAt(declaration, at, `\`${symbol.name}\` is assigned elsewhere`);
    return ts.isVariableDeclaration(declaration)
      ? asImportedType(this.#interpreter, value, declaration.type)
      : value;
  }

  evaluate(node: ts.Expression, at: Point): Value {
    const module = this.#enter(node.getSourceFile());
    if (this.#running.has(node)) {
      return opaque({ unknown: 'it refers to itself', place: node });
    }
    this.#running.add(node);
    const state = module.frame === at.frame ? at.state : module.state;
    const value = this.#interpreter.resume(module, () =>
      this.#interpreter.evaluate(node, { frame: module.frame, state }),
    );
    this.#running.delete(node);
    return value;
  }

  /** The value of a variable that the top level did not get to, or was not run for. */
  #initial(declaration: ts.Declaration, cell: string, module: Point): Value | null {
    const statement = declarationOf(declaration);
    if (statement?.initializer === undefined || this.#running.has(statement)) {
      return null;
    }
    const { initializer } = statement;
    this.#running.add(statement);
    this.#interpreter.resume(module, () => {
      const value = this.#interpreter.evaluate(initializer, module);
      this.#interpreter.bind(
        statement.name,
        this.#interpreter.asDeclared(value, statement.type, module),
        module,
      );
      module.state.isDead = false;
    });
    this.#running.delete(statement);
    return module.state.get(cell) ?? null;
  }

  /** What functions assign to a variable, as they have it; null where none does. */
  #assignedElsewhere(
    symbol: ts.Symbol,
    declaration: ts.Declaration,
    file: ts.SourceFile,
  ): readonly ts.Expression[] | null {
    const flags = ts.getCombinedNodeFlags(declaration);
    if ((flags & ts.NodeFlags.Const) !== 0) {
      return null;
    }
    let names = this.#reassigned.get(file);
    if (names === undefined) {
      names = namesAssignedInFunctions(file);
      this.#reassigned.set(file, names);
    }
    return names.get(symbol.name) ?? null;
  }

  preservedTypeIn(type: ts.Type): PreservedType | null {
    const { queries } = this.#interpreter;
    const shape = queries.shapeOf(type);
    if (shape.forms !== 0) {
      return RESULT;
    }
    if (shape.isTarget) {
      return TARGET;
    }
    const [first] = shape.preserved;
    if (first !== undefined) {
      return first.preserved;
    }
    for (const inner of shape.promised) {
      const found = this.preservedTypeIn(inner);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }
}

/** Whether running a statement does nothing but give names to things. */
function isDeclarative(statement: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isFunctionDeclaration(statement) ||
    (ts.isClassDeclaration(statement) && !statement.members.some(ts.isClassStaticBlockDeclaration)) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    (ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression))
  );
}

/** The variable statement's part that a name, or a part of a pattern, is declared by. */
function declarationOf(declaration: ts.Declaration): ts.VariableDeclaration | null {
  let node: ts.Node = declaration;
  while (ts.isBindingElement(node) || ts.isObjectBindingPattern(node) || ts.isArrayBindingPattern(node)) {
    node = node.parent;
  }
  return ts.isVariableDeclaration(node) ? node : null;
}

function isTopLevel(declaration: ts.Declaration): boolean {
  let node: ts.Node = declaration.parent;
  while (!ts.isSourceFile(node)) {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) {
      return false;
    }
    node = node.parent;
  }
  return true;
}

/** More ways to make what a variable holds are not followed. */
const MOST_ASSIGNMENTS = 4;

/** An object that is made for the variable: a client, a manager. What it is made of is given from outside. */
function isMaking(expression: ts.Expression): boolean {
  const node = skipWrappers.inward(expression);
  const inner = ts.isAwaitExpression(node) ? skipWrappers.inward(node.expression) : node;
  return (
    ts.isNewExpression(inner) ||
    ts.isCallExpression(inner) ||
    inner.kind === ts.SyntaxKind.NullKeyword ||
    inner.kind === ts.SyntaxKind.TrueKeyword ||
    inner.kind === ts.SyntaxKind.FalseKeyword ||
    ts.isStringLiteralLike(inner) ||
    (ts.isIdentifier(inner) && inner.text === 'undefined')
  );
}

function isReplacing({ parent }: ts.Expression): boolean {
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

function isRunning(node: ts.Node, at: Point): boolean {
  for (let frame: Frame | null = at.frame; frame !== null; frame = frame.caller) {
    const running = frame.node;
    if (!ts.isSourceFile(running) && ts.findAncestor(node, (above) => above === running) !== undefined) {
      return true;
    }
  }
  return false;
}

function namesAssignedInFunctions(file: ts.SourceFile): ReadonlyMap<string, readonly ts.Expression[]> {
  const names = new Map<string, readonly ts.Expression[]>();
  let functions = 0;
  walk(
    file,
    (node) => {
      if (
        functions > 0 &&
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
        node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
        ts.isIdentifier(node.left)
      ) {
        names.set(node.left.text, [...(names.get(node.left.text) ?? []), node.right]);
      }
      functions += ts.isFunctionLike(node) ? 1 : 0;
      return true;
    },
    (node) => {
      functions -= ts.isFunctionLike(node) ? 1 : 0;
    },
  );
  return names;
}
