import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { PossibleValues } from '../../compiler/possible-values.js';
import { EMPTY_SCOPE, type StaticValue, valueOf } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import { classInstance } from './class-instance.js';
import { DECLARATION_KEYS, HANDLER_KEYS, HANDLER_LIKE, NAME_METHODS, SCHEMA_KEYS } from './contract.js';
import type { Declaration, DeclarationReader } from './declarations.js';
import type { Handler, HandlerFinder } from './handlers.js';

/** An object or a class that by its shape is a tool, whoever registers it. */
export interface ShapedTool {
  readonly node: ts.Node;
  readonly declaration: Declaration;
  readonly handler: Handler | null;
}

const HANDLERS: ReadonlySet<string> = new Set(HANDLER_KEYS);
const SCHEMAS: ReadonlySet<string> = new Set(SCHEMA_KEYS);
const NAMING_METHODS: ReadonlySet<string> = new Set(NAME_METHODS);
const DECLARATIONS: ReadonlySet<string> = new Set(DECLARATION_KEYS);
const NAMES: ReadonlySet<string> = new Set(['name', 'toolName', 'tool_name', 'title', 'method']);
/** What resources, prompts, commands and routes have, and tools have not. */
const OTHER_THINGS: ReadonlySet<string> = new Set([
  'uri',
  'uriTemplate',
  'argsSchema',
  'mimeType',
  'path',
  'route',
  'command',
  'aliases',
  'flags',
  'builder',
]);

/** Finds tools by what they look like: the registering code may lie in another package. */
export class ShapedTools {
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;
  readonly #reader: DeclarationReader;
  readonly #handlers: HandlerFinder;

  constructor(
    evaluator: Evaluator,
    possible: PossibleValues,
    reader: DeclarationReader,
    handlers: HandlerFinder,
  ) {
    this.#evaluator = evaluator;
    this.#possible = possible;
    this.#reader = reader;
    this.#handlers = handlers;
  }

  in(file: ts.SourceFile): readonly ShapedTool[] {
    const module = this.#module(file);
    const found: ShapedTool[] = module === null ? [] : [module];
    walk(file, (node) => {
      if (ts.isObjectLiteralExpression(node)) {
        const tool = this.#literal(node);
        if (tool !== null) {
          found.push(tool);
          return false;
        }
      } else if (ts.isClassLike(node)) {
        const tool = this.#class(node);
        if (tool !== null) {
          found.push(tool);
          return false;
        }
      }
      return true;
    });
    return found;
  }

  /** Declarations without a handler: `{ name, description, inputSchema }`. */
  declarationsIn(file: ts.SourceFile): readonly ShapedTool[] {
    const found: ShapedTool[] = [];
    walk(file, (node) => {
      if (ts.isObjectLiteralExpression(node)) {
        const keys = keysOf(node);
        if (
          keys.has('name') &&
          keys.has('description') &&
          (keys.has('inputSchema') || keys.has('input_schema'))
        ) {
          const declaration = this.#reader.read(valueOf(node, EMPTY_SCOPE));
          if (declaration.name !== null && isAnswered(node)) {
            found.push({ node, declaration, handler: null });
            return false;
          }
        }
      }
      return true;
    });
    return found;
  }

  #literal(node: ts.ObjectLiteralExpression): ShapedTool | null {
    const keys = keysOf(node);
    if ([...OTHER_THINGS].some((key) => keys.has(key))) {
      return null;
    }
    const hasSpread = node.properties.some((property) => ts.isSpreadAssignment(property));
    // What is written decides first: to find out what a function beside it may be, or a name, costs a thousand times more.
    const mayHaveSchema = hasSpread || [...keys].some((one) => SCHEMAS.has(one) || DECLARATIONS.has(one));
    if (!mayHaveSchema && !keys.has('annotations')) {
      return null;
    }
    const hasHandler = [...keys].some((key) => HANDLERS.has(key));
    const isNamed = [...keys].some((key) => NAMES.has(key) || DECLARATIONS.has(key));
    const key = isNamed ? null : this.#recordKey(node);
    if (!isNamed && key === null) {
      return null;
    }
    const beside = this.#handlerBeside(node);
    if (!hasHandler && beside === null) {
      return null;
    }
    const value = valueOf(node, EMPTY_SCOPE);
    const declaration = this.#reader.read(value, key);
    if (declaration.name === null || !isDeclared(declaration)) {
      return null;
    }
    const handler = hasHandler ? this.#handlers.ofObject(value) : beside;
    return handler === null ? null : { node, declaration, handler };
  }

  /** The function beside an object in a call, `tool('feature', {…}, fn)`, or behind it, `create({…}).handler(fn)`. */
  #handlerBeside(node: ts.ObjectLiteralExpression): Handler | null {
    const argument = skipWrappers.outward(node);
    const call = argument.parent;
    if (!ts.isCallExpression(call) || !call.arguments.some((one) => one === argument)) {
      return null;
    }
    const last = call.arguments.at(-1);
    if (last !== undefined && last !== argument && this.#isFunction(last)) {
      return this.#handlers.ofExpression(last, EMPTY_SCOPE, false);
    }
    let chain: ts.Node = call;
    while (ts.isPropertyAccessExpression(chain.parent) && ts.isCallExpression(chain.parent.parent)) {
      const next: ts.CallExpression = chain.parent.parent;
      const [given] = next.arguments;
      if (HANDLERS.has(chain.parent.name.text) && given !== undefined && this.#isFunction(given)) {
        return this.#handlers.ofExpression(given, EMPTY_SCOPE, false);
      }
      chain = next;
    }
    return null;
  }

  #isFunction(node: ts.Expression): boolean {
    const target = skipWrappers.inward(node);
    return (
      ts.isArrowFunction(target) ||
      ts.isFunctionExpression(target) ||
      ((ts.isIdentifier(target) || ts.isPropertyAccessExpression(target)) &&
        !this.#isDeclaredOtherwise(target) &&
        this.#possible.of(valueOf(target, EMPTY_SCOPE)).some(({ kind }) => kind === 'function'))
    );
  }

  /** Whether a name is declared to be something that cannot be called: its callers need not be looked through then. */
  #isDeclaredOtherwise(node: ts.Expression): boolean {
    const declaration = ts.isIdentifier(node)
      ? this.#evaluator.references.symbolAt(node)?.valueDeclaration
      : undefined;
    const written =
      declaration !== undefined && (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration))
        ? declaration.type
        : undefined;
    if (written === undefined) {
      return false;
    }
    const { checker } = this.#evaluator;
    const type = checker.getTypeFromTypeNode(written);
    const parts = type.isUnion() ? type.types : [type];
    return parts.every(
      (part) =>
        (part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Instantiable)) === 0 &&
        checker.getSignaturesOfType(part, ts.SignatureKind.Call).length === 0,
    );
  }

  /** The key of the record that an object stands in, through the calls around it. */
  #recordKey(node: ts.ObjectLiteralExpression): { readonly text: string; readonly node: ts.Node } | null {
    let current: ts.Node = skipWrappers.outward(node);
    while (ts.isCallExpression(current.parent) && current.parent.arguments.some((one) => one === current)) {
      current = skipWrappers.outward(current.parent);
    }
    const { parent } = current;
    if (!ts.isPropertyAssignment(parent)) {
      return null;
    }
    const text = this.#reader.keyOf(parent.name);
    return text === null ? null : { text, node: parent.name };
  }

  /** A module whose exports together are one tool: `export const name`, `description`, `schema`, `handler`. */
  #module(file: ts.SourceFile): ShapedTool | null {
    const symbol = this.#evaluator.checker.getSymbolAtLocation(file);
    const names = new Set(
      symbol === undefined ? [] : this.#evaluator.checker.getExportsOfModule(symbol).map(({ name }) => name),
    );
    const isTool =
      (names.has('name') || names.has('method') || names.has('toolName')) &&
      names.has('description') &&
      [...names].some((name) => SCHEMAS.has(name)) &&
      [...names].some((name) => HANDLERS.has(name));
    if (symbol === undefined || !isTool) {
      return null;
    }
    const value: StaticValue = { kind: 'module', symbol, node: file };
    const declaration = this.#reader.read(value);
    const handler = this.#handlers.ofObject(value);
    const node = declaration.nameNode ?? file;
    return declaration.name === null || handler === null ? null : { node, declaration, handler };
  }

  #class(node: ts.ClassLikeDeclaration): ShapedTool | null {
    const isAbstract = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
    const members = new Set(node.members.flatMap(({ name }) => (name === undefined ? [] : [name.getText()])));
    const mayBeNamed = [...members].some(
      (key) => NAMES.has(key) || DECLARATIONS.has(key) || NAMING_METHODS.has(key),
    );
    if (isAbstract || !mayBeNamed || node.heritageClauses === undefined) {
      return null;
    }
    const value = classInstance(this.#evaluator, node);
    const declaration = this.#reader.read(value);
    if (declaration.name === null || !isDeclared(declaration)) {
      return null;
    }
    const mayRun = [...members].some((key) => HANDLERS.has(key) || HANDLER_LIKE.test(key));
    const handler = mayRun ? this.#handlers.ofObject(value) : null;
    return handler === null ? null : { node, declaration, handler };
  }
}

/** At a module's top level, or what a function answers: a list that code makes for a call of its own is no server's. */
function isAnswered(node: ts.Node): boolean {
  const around = ts.findAncestor(node, (one) => ts.isReturnStatement(one) || ts.isFunctionLike(one));
  return (
    around === undefined ||
    ts.isReturnStatement(around) ||
    (ts.isArrowFunction(around) && !ts.isBlock(around.body))
  );
}

function isDeclared(declaration: Declaration): boolean {
  return (
    (declaration.hasSchema && declaration.hasDescription) ||
    (declaration.annotations.length > 0 && (declaration.hasSchema || declaration.hasDescription))
  );
}

function keysOf(node: ts.ObjectLiteralExpression): ReadonlySet<string> {
  return new Set(
    node.properties.flatMap(({ name }) =>
      name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? [name.text] : [],
    ),
  );
}
