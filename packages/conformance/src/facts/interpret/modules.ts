import { ts } from 'ts-morph';
import { possible } from '../values/join.js';
import { join } from '../values/join.js';
import { opaque } from '../values/make.js';
import type { Point, Value } from '../values/value.js';
import type { PreservedType } from '../queries/preserved-types.js';
import { RESULT, TARGET } from '../queries/preserved-types.js';
import type { Interpreter } from './interpreter.js';
import { cellOf } from './names.js';
import { executeAll } from './statements.js';

/** Runs the top level of files, each once, when something of it is needed. */
export class Modules {
  readonly #interpreter: Interpreter;
  readonly #points = new Map<ts.SourceFile, Point>();
  readonly #running = new Set<ts.Node>();
  readonly #reassigned = new Map<ts.SourceFile, ReadonlySet<string>>();

  constructor(interpreter: Interpreter) {
    this.#interpreter = interpreter;
  }

  run(file: ts.SourceFile): Point {
    const known = this.#points.get(file);
    if (known !== undefined) {
      return known;
    }
    return this.#interpreter.inFile(() => this.#runNow(file));
  }

  #runNow(file: ts.SourceFile): Point {
    return this.#interpreter.root(file, (at) => {
      this.#points.set(file, at);
      executeAll(this.#interpreter, file.statements, at);
      this.#interpreter.observer.ended(at.frame, at);
      // A top level that throws or ends the process leaves what it had defined.
      at.state.isDead = false;
      return at;
    });
  }

  read(symbol: ts.Symbol, declaration: ts.Declaration, at: Point): Value | null {
    if (!isTopLevel(declaration)) {
      return null;
    }
    const file = declaration.getSourceFile();
    if (file.fileName.endsWith('.json')) {
      return opaque({ description: `data of ${file.fileName.split('/').at(-1) ?? ''}` });
    }
    const module = this.run(file);
    const value =
      (module.frame === at.frame ? at.state : module.state).get(cellOf(module.frame, symbol)) ??
      this.#interpreter.readCell(cellOf(module.frame, symbol), module.frame, module) ??
      this.#initial(declaration, module);
    if (value === null || !this.#isReassigned(symbol, declaration, file)) {
      return value === null ? null : possible(value, at.state.guard);
    }
    return join(
      value,
      this.#interpreter.typedAt(declaration, at, `\`${symbol.name}\` is assigned elsewhere`),
    );
  }

  evaluate(node: ts.Expression, at: Point): Value {
    const module = this.run(node.getSourceFile());
    if (this.#running.has(node)) {
      return opaque({ unknown: 'it refers to itself', place: node });
    }
    this.#running.add(node);
    const value = this.#interpreter.evaluate(node, {
      frame: module.frame,
      state: module.frame === at.frame ? at.state : module.state,
    });
    this.#running.delete(node);
    return value;
  }

  /** The value of a variable that the top level did not get to, as in a cycle of imports. */
  #initial(declaration: ts.Declaration, module: Point): Value | null {
    if (
      !ts.isVariableDeclaration(declaration) ||
      declaration.initializer === undefined ||
      !ts.isIdentifier(declaration.name) ||
      this.#running.has(declaration)
    ) {
      return null;
    }
    this.#running.add(declaration);
    const value = this.#interpreter.evaluate(declaration.initializer, module);
    this.#running.delete(declaration);
    return value;
  }

  #isReassigned(symbol: ts.Symbol, declaration: ts.Declaration, file: ts.SourceFile): boolean {
    const flags = ts.getCombinedNodeFlags(declaration);
    if ((flags & ts.NodeFlags.Const) === ts.NodeFlags.Const) {
      return false;
    }
    let names = this.#reassigned.get(file);
    if (names === undefined) {
      names = namesAssignedInFunctions(file);
      this.#reassigned.set(file, names);
    }
    return names.has(symbol.name);
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

function namesAssignedInFunctions(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    if (
      isInFunction &&
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
      ts.isIdentifier(node.left)
    ) {
      names.add(node.left.text);
    }
    ts.forEachChild(node, (child) => {
      visit(child, isInFunction || ts.isFunctionLike(node));
    });
  };
  visit(file, false);
  return names;
}
