import { ts } from '../../engine/typescript.mjs';
import { contains, walk } from '../compiler/walk.js';
import type { LoadedProject } from '../load/loaded-project.js';
import { hasBody } from './interpret/functions.js';
import type { Interpreter } from './interpret/interpreter.js';
import { containerOf, functionValue } from './interpret/names.js';
import { answersPreserved } from './queries/preserved-answer.js';
import { NO_GUARD } from './values/guard.js';
import { UNDEFINED, one } from './values/make.js';
import { NO_REFERENCES } from './values/references.js';
import type { TellingCode } from './telling-code.js';
import type { FunctionValue, Point, Value } from './values/value.js';

/**
 * Interprets what no tool reaches: the top level of files, and every function in which a preserved
 * value could be rebuilt, with arguments of its declared types.
 */
export class CodeRoots {
  readonly #project: LoadedProject;
  readonly #interpreter: Interpreter;
  readonly #telling: TellingCode;

  constructor(project: LoadedProject, interpreter: Interpreter, telling: TellingCode) {
    this.#project = project;
    this.#interpreter = interpreter;
    this.#telling = telling;
  }

  /** The top level of files that do something with results there, or call code that does. */
  runFiles(): void {
    for (const file of this.#project.sourceFiles) {
      if (this.#telling.isTelling(file) || this.#telling.isKeeping(file)) {
        this.#interpreter.runModule(file);
      }
    }
  }

  runFunctions(): void {
    const functions = this.#project.sourceFiles.flatMap((file) => this.#functionsOf(file));
    // Those that stand alone first: they make the closures that the others are.
    for (const node of functions) {
      if (!this.#interpreter.functions.visited.has(node) || this.#takesPreserved(node)) {
        this.run(node);
      }
    }
  }

  /** The functions of a file that are worth looking at, outer before inner. */
  #functionsOf(file: ts.SourceFile): readonly ts.SignatureDeclaration[] {
    const found: ts.SignatureDeclaration[] = [];
    walk(file, (node) => {
      if (ts.isFunctionLike(node) && hasBody(node) && this.#telling.isRebuilding(node)) {
        found.push(node);
      }
      return true;
    });
    return found;
  }

  // Its callers may only give it some kinds of result, or one handler of many; its type says that it takes all.
  #takesPreserved(node: ts.SignatureDeclaration): boolean {
    if (!this.#telling.isTellingFile(node.getSourceFile())) {
      return false;
    }
    let current: ts.Node = node;
    while (ts.isFunctionLike(current)) {
      const isGiven = current.parameters.some(
        (parameter) =>
          ts.isParameter(parameter) && parameter.type !== undefined && this.#namesPreserved(parameter.type),
      );
      if (isGiven) {
        return true;
      }
      current = containerOf(current);
    }
    return false;
  }

  /** A preserved type, or a function that answers one, written out or under a name. */
  #namesPreserved(type: ts.TypeNode): boolean {
    const { queries } = this.#interpreter;
    if (
      contains(type, (part) => ts.isTypeNode(part) && this.#interpreter.preservedTypeOfNode(part) !== null)
    ) {
      return true;
    }
    return answersPreserved(queries, queries.declaredType(type));
  }

  /** Interprets one function; the functions around it first, so that what it uses of them is there. */
  run(node: ts.SignatureDeclaration): void {
    const container = containerOf(node);
    if (
      ts.isFunctionLike(container) &&
      !this.#interpreter.closures.has(node) &&
      !this.#interpreter.functions.visited.has(container)
    ) {
      this.run(container);
    }
    this.#run(node);
  }

  #run(node: ts.SignatureDeclaration): void {
    this.#interpreter.rootBeside(node, (at) => {
      for (const callee of this.#calleesOf(node, at)) {
        const base = at.state;
        at.state = base.fork();
        const args = node.parameters
          .filter(
            (parameter) =>
              ts.isParameter(parameter) &&
              parameter.dotDotDotToken === undefined &&
              !isThisParameter(parameter),
          )
          .map((parameter) => this.#interpreter.parameterValue(parameter, at));
        this.#interpreter.invoke(callee, {
          node,
          self: UNDEFINED,
          callee: one(callee),
          args,
          spread: null,
          at,
        });
        at.state = base;
      }
    });
  }

  #calleesOf(node: ts.SignatureDeclaration, at: Point): readonly FunctionValue[] {
    const closures = this.#interpreter.closures.get(node);
    if (closures !== undefined) {
      return closures;
    }
    const { parent } = node;
    if (ts.isClassLike(parent)) {
      return ts.isConstructorDeclaration(node) ? [] : this.#methods(node, parent, at);
    }
    return onlyFunctions(functionValue(node, null));
  }

  #methods(node: ts.SignatureDeclaration, cls: ts.ClassLikeDeclaration, at: Point): readonly FunctionValue[] {
    const isStatic =
      ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    const value = {
      kind: 'class',
      node: cls,
      frame: null,
      references: NO_REFERENCES,
      when: NO_GUARD,
    } as const;
    const self = isStatic ? one(value) : this.#interpreter.instanceOf(value, at);
    return onlyFunctions(functionValue(node, null, self));
  }
}

/** `this` in a list of parameters is a type, and nothing that is handed over. */
function isThisParameter({ name }: ts.ParameterDeclaration): boolean {
  return ts.isIdentifier(name) && name.text === 'this';
}

function onlyFunctions(value: Value): readonly FunctionValue[] {
  return value.alternatives.filter((one) => one.kind === 'function');
}
