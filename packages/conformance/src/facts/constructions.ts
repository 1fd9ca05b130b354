import { ts } from '../../engine/typescript.mjs';
import { enclosingFunction } from '../compiler/syntax.js';
import { walk } from '../compiler/walk.js';
import type { CodeRoots } from './code-roots.js';
import type { Interpreter } from './interpret/interpreter.js';
import type { Point, Value } from './values/value.js';

/** Finds where the project makes the objects that are tools: what a constructor is given there is what the tool uses. */
export class Constructions {
  readonly #interpreter: Interpreter;
  readonly #roots: CodeRoots;
  readonly #files: readonly ts.SourceFile[];
  #byName: ReadonlyMap<string, readonly ts.NewExpression[]> | null = null;

  constructor(interpreter: Interpreter, roots: CodeRoots, files: readonly ts.SourceFile[]) {
    this.#interpreter = interpreter;
    this.#roots = roots;
    this.#files = files;
  }

  /** Before anything is interpreted: so that what is made on the way is seen. */
  watch(node: ts.ClassLikeDeclaration): void {
    const place = this.#placeOf(node);
    if (place !== null) {
      this.#interpreter.watch(place);
    }
  }

  /** The object, where it is made in one place, and with arguments; null where it is not. */
  made(node: ts.ClassLikeDeclaration, at: Point): Value | null {
    const place = this.#placeOf(node);
    if (place === null) {
      return null;
    }
    const around = enclosingFunction(place);
    const seen = (): Value => this.#interpreter.watched(place);
    if (seen().alternatives.length === 0 && around !== null) {
      this.#roots.run(around);
    }
    const value =
      seen().alternatives.length === 0 && around === null
        ? this.#interpreter.evaluateInModule(place, at)
        : seen();
    const isOne = value.alternatives.every((one) => one.kind === 'object' && one.of?.node === node);
    return value.alternatives.length === 1 && isOne ? value : null;
  }

  #placeOf(node: ts.ClassLikeDeclaration): ts.NewExpression | null {
    const name = node.name?.text;
    if (name === undefined) {
      return null;
    }
    this.#byName ??= this.#find();
    const [only, ...more] = this.#byName.get(name) ?? [];
    if (only === undefined || more.length > 0 || (only.arguments ?? []).length === 0) {
      return null;
    }
    const symbol = this.#interpreter.queries.symbolOf(only.expression);
    return symbol?.valueDeclaration === node ? only : null;
  }

  #find(): ReadonlyMap<string, readonly ts.NewExpression[]> {
    const byName = new Map<string, ts.NewExpression[]>();
    for (const file of this.#files) {
      walk(file, (node) => {
        if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
          const { text } = node.expression;
          byName.set(text, [...(byName.get(text) ?? []), node]);
        }
        return !ts.isTypeNode(node);
      });
    }
    return byName;
  }
}
