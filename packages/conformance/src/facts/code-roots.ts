import { ts } from 'ts-morph';
import { RESULT_TYPE, RESULT_TYPES, TARGET_TYPE } from '@toolwright/sdk/contract-names';
import type { LoadedProject } from '../load/loaded-project.js';
import { hasBody } from './interpret/functions.js';
import type { Interpreter } from './interpret/interpreter.js';
import { containerOf, functionValue } from './interpret/names.js';
import { NO_GUARD } from './values/guard.js';
import { UNDEFINED, one } from './values/make.js';
import { NO_REFERENCES } from './values/references.js';
import type { FunctionValue, Point, Value } from './values/value.js';

/** Names that code which handles results speaks of, in its types or in what it builds. */
const TELLING_NAMES = [RESULT_TYPE, TARGET_TYPE, 'CallToolResult', ...Object.keys(RESULT_TYPES)];
const TELLING_MEMBERS = new Set(['content', 'isError', 'artifacts', 'target', 'structuredContent']);

/**
 * Interprets what no tool reaches: the top level of files, and every function in which a preserved
 * value could be rebuilt, with arguments of its declared types.
 */
export class CodeRoots {
  readonly #project: LoadedProject;
  readonly #interpreter: Interpreter;
  readonly #names: readonly string[];

  constructor(project: LoadedProject, interpreter: Interpreter, markedNames: readonly string[]) {
    this.#project = project;
    this.#interpreter = interpreter;
    this.#names = [...TELLING_NAMES, ...markedNames];
  }

  runFiles(): void {
    for (const file of this.#project.sourceFiles) {
      this.#interpreter.runModule(file);
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
    const isTelling = this.#names.some((name) => file.text.includes(name));
    const found: ts.SignatureDeclaration[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && hasBody(node) && (isTelling || buildsSomething(node))) {
        found.push(node);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  }

  // Its callers may only give it some kinds of result; its type says that it takes all.
  #takesPreserved(node: ts.SignatureDeclaration): boolean {
    return node.parameters.some((parameter) => {
      if (!ts.isParameter(parameter) || parameter.type === undefined) {
        return false;
      }
      const text = parameter.type.getText();
      return this.#names.some((name) => text.includes(name));
    });
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
    this.#interpreter.root(node, (at) => {
      for (const callee of this.#calleesOf(node, at)) {
        const base = at.state;
        at.state = base.fork();
        const args = node.parameters
          .filter((parameter) => ts.isParameter(parameter) && parameter.dotDotDotToken === undefined)
          .map((parameter) => this.#interpreter.parameterValue(parameter as ts.ParameterDeclaration, at));
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

function onlyFunctions(value: Value): readonly FunctionValue[] {
  return value.alternatives.filter((one) => one.kind === 'function');
}

/** Whether a function contains something that a preserved value could be made of. */
function buildsSomething(node: ts.SignatureDeclaration): boolean {
  let isFound = false;
  const visit = (child: ts.Node): void => {
    if (isFound) {
      return;
    }
    isFound =
      ts.isSpreadAssignment(child) ||
      ((ts.isPropertyAssignment(child) || ts.isShorthandPropertyAssignment(child)) &&
        ts.isIdentifier(child.name) &&
        TELLING_MEMBERS.has(child.name.text)) ||
      (ts.isIdentifier(child) &&
        (child.text === 'structuredClone' || child.text === 'withContent' || child.text === 'withArtifacts'));
    if (!isFound) {
      ts.forEachChild(child, visit);
    }
  };
  ts.forEachChild(node, visit);
  return isFound;
}
