import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import { PossibleValues } from '../../compiler/possible-values.js';
import {
  EMPTY_SCOPE,
  type FunctionNode,
  type Scope,
  type StaticValue,
  valueOf,
} from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import type { ToolDefinition } from '../../discover/discovered-tool.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import { DeclarationReader, type Declaration, nodeOf } from './declarations.js';
import { FoundTools } from './found-tools.js';
import { argumentsByName, type Handler, HandlerFinder } from './handlers.js';
import { HintReader } from './hints.js';
import type { McpPackages } from './mcp-packages.js';
import { NameJoin, requestDispatch } from './name-join.js';
import {
  findRegistrations,
  type FoundRegistrations,
  type Registration,
  type RequestHandler,
} from './registrations.js';
import { ShapedTools, type ShapedTool } from './shaped-tools.js';
import { type ToolInstance, ToolInstances } from './tool-instances.js';

/** What a server has, and a library for servers has not. */
const TRANSPORT = /\b(?:Stdio|StreamableHTTP|SSE)\w*Transport\b/u;

/** A declaration whose handler is found by the tool's name. */
interface Apart {
  readonly declaration: Declaration;
  readonly node: ts.Node;
}

/** All ways of finding tools in one program, the surest first. */
export class ToolSearch {
  readonly #project: LoadedProject;
  readonly #evaluator: Evaluator;
  readonly #packages: McpPackages;
  readonly #possible: PossibleValues;
  readonly #hints: HintReader;
  readonly #handlers: HandlerFinder;
  readonly #reader: DeclarationReader;
  readonly #instances: ToolInstances;
  readonly #registrations: FoundRegistrations;
  readonly #found: FoundTools;
  /** Handlers in objects of their own, by the name of a tool that is listed elsewhere. */
  readonly #spareHandlers = new Map<string, Handler>();

  constructor(
    project: LoadedProject,
    evaluator: Evaluator,
    packages: McpPackages,
    registrars: readonly string[],
  ) {
    this.#project = project;
    this.#evaluator = evaluator;
    this.#packages = packages;
    this.#possible = new PossibleValues(evaluator);
    this.#hints = new HintReader(project, evaluator, this.#possible);
    this.#handlers = new HandlerFinder(evaluator, this.#possible);
    this.#reader = new DeclarationReader(evaluator, this.#possible);
    this.#instances = new ToolInstances(evaluator, this.#possible);
    this.#registrations = findRegistrations(project, packages, registrars);
    this.#found = new FoundTools(project);
  }

  run(): readonly ToolDefinition[] {
    const unnamed = this.#registrations.positional.flatMap((one) => this.#registered(one));
    this.#registrations.objects.forEach(({ definition }) => {
      this.#object(definition);
    });
    const apart = this.#listed();
    const namesApart = new Set(apart.map(({ declaration }) => declaration.name));
    const shaped = this.#files().flatMap((file) => this.#shaped(file, namesApart));
    this.#joined([...apart, ...this.#declaredApart(apart)]);
    const alike = this.#registrations.alike
      .filter(({ call }) => !this.#found.covers(call))
      .flatMap((one) => this.#registered(one));
    if (this.#found.count === 0 && this.#files().some((file) => TRANSPORT.test(file.text))) {
      this.#listedAtRunTime();
    }
    // Where the definitions were found, a registering loop whose list could not be followed is theirs.
    if (this.#found.count === 0 || shaped.length === 0) {
      [...unnamed, ...alike]
        .filter(({ call }) => !this.#found.covers(call))
        .forEach(({ registration, instance }) => {
          this.#add(registration, instance);
        });
    }
    return this.#found.definitions();
  }

  #files(): readonly ts.SourceFile[] {
    return this.#project.ownFiles.filter((file) => this.#packages.has(file));
  }

  /** Adds the tools of one registering call; answers those whose name is not known. */
  #registered(registration: Registration): readonly {
    readonly call: ts.Node;
    readonly registration: Registration;
    readonly instance: ToolInstance;
  }[] {
    const { call, name } = registration;
    const objects = this.#objectsOf(valueOf(name, EMPTY_SCOPE))
      .map((value) => ({ value, declaration: this.#reader.read(value) }))
      .filter(({ declaration }) => declaration.name !== null && declaration.hasDescription);
    if (objects.length > 0) {
      objects.forEach(({ value, declaration }) => {
        this.#found.add({
          ...declaration,
          node: nodeOf(value) ?? call,
          effect: this.#hints.effectOf(declaration.annotations, nodeOf(value) ?? call),
          handler: this.#handlers.ofExpression(registration.handler, EMPTY_SCOPE, false),
        });
      });
      return [];
    }
    const instances = this.#instances.of(call, name);
    const unnamed = instances.filter((instance) => instance.name === null);
    instances
      .filter((instance) => instance.name !== null)
      .forEach((instance) => {
        this.#add(registration, instance);
      });
    return unnamed.map((instance) => ({ call, registration, instance }));
  }

  #add(registration: Registration, instance: ToolInstance): void {
    const { scope, isBound } = instance;
    const node = this.#reader.definitionOf(registration.name, scope, instance.place);
    const annotations = registration.described.flatMap((one) =>
      this.#annotationsIn(one, scope, mayDescribe(one, registration)),
    );
    this.#found.add({
      name: instance.name,
      why: instance.why,
      nameNode: node,
      node,
      effect: this.#hints.effectOf(annotations, node),
      handler:
        this.#handlers.byMethodName([...scope.values()], registration.call) ??
        this.#handlers.ofExpression(registration.handler, scope, isBound),
    });
  }

  /** Hints stand in an argument of their own, or below `annotations` of one that describes the tool. */
  #annotationsIn(node: ts.Expression, scope: Scope, isDescribing: boolean): readonly StaticValue[] {
    const value = valueOf(node, scope);
    const reduced = this.#evaluator.reduce(value);
    if (reduced.kind === 'constant' || reduced.kind === 'function') {
      return [];
    }
    const isHints = this.#hints.hasHints(value);
    const member = this.#evaluator.reduce(this.#evaluator.property(value, 'annotations'));
    if (member.kind === 'constant') {
      return isHints ? [value] : [];
    }
    const possible = member.kind === 'unknown' ? this.#possible.member(value, 'annotations') : [];
    const [only] = possible;
    if (member.kind === 'unknown' && possible.length !== 1 && !isDescribing) {
      return isHints ? [value] : [];
    }
    return [possible.length === 1 && only !== undefined ? only : member, ...(isHints ? [value] : [])];
  }

  #object(definition: ts.Expression): void {
    for (const value of this.#objectsOf(valueOf(definition, EMPTY_SCOPE))) {
      const declaration = this.#reader.read(value);
      const handler = this.#handlers.ofObject(value);
      const node = nodeOf(value) ?? definition;
      if (declaration.name !== null || declaration.hasSchema) {
        this.#found.add({
          ...declaration,
          node,
          effect: this.#hints.effectOf(declaration.annotations, node),
          handler,
        });
      }
    }
  }

  #objectsOf(value: StaticValue): readonly StaticValue[] {
    return this.#possible
      .of(value)
      .filter(
        (one) =>
          one.kind === 'instance' || (one.kind === 'expression' && ts.isObjectLiteralExpression(one.node)),
      );
  }

  /** What the handlers of `tools/list` answer. */
  #listed(): readonly Apart[] {
    return this.#registrations.handlers
      .filter(({ request }) => request === 'list')
      .flatMap((handler) => this.#functionsOf(handler))
      .flatMap((node) => this.#possible.returned(node, EMPTY_SCOPE))
      .flatMap((answer) => this.#possible.member(answer, 'tools'))
      .flatMap((tools) => this.#possible.elements(tools))
      .flatMap(({ value }) => this.#objectsOf(value))
      .flatMap((value) => this.#listedTool(value));
  }

  #listedTool(value: StaticValue): readonly Apart[] {
    const declaration = this.#reader.read(value);
    const own = nodeOf(value);
    if (declaration.name === null || own === null || !ts.isExpression(own)) {
      return [];
    }
    const node = this.#reader.definitionOfObject(value, 'name', own);
    const handler = this.#handlers.ofObject(value) ?? this.#handlerAround(node);
    if (handler === null) {
      return [{ declaration, node }];
    }
    this.#found.add({
      ...declaration,
      nameNode: node,
      node,
      effect: this.#hints.effectOf(declaration.annotations, node),
      handler,
    });
    return [];
  }

  /** A server whose list of tools no source gives, as one made of an OpenAPI document, has tools without names. */
  #listedAtRunTime(): void {
    const { handlers } = this.#registrations;
    const list = handlers.find(({ request }) => request === 'list');
    const dispatch = handlers.find(({ request }) => request === 'call');
    const [execute] = dispatch === undefined ? [] : this.#functionsOf(dispatch);
    if (list === undefined) {
      return;
    }
    this.#found.add({
      name: null,
      why: 'the tools that the server lists are made at run time',
      nameNode: list.call,
      node: list.call,
      effect: this.#hints.effectOf([], list.call),
      handler: execute === undefined ? null : { execute, arguments: argumentsByName(execute) },
    });
  }

  /** The handler of the object that a declaration in a list was made of. */
  #handlerAround(node: ts.Node): Handler | null {
    return ts.isObjectLiteralExpression(node) ? this.#handlers.ofObject(valueOf(node, EMPTY_SCOPE)) : null;
  }

  /** @param namesApart - of tools that are listed without a handler: an object of that name has it */
  #shaped(file: ts.SourceFile, namesApart: ReadonlySet<string | null>): readonly ShapedTool[] {
    const shaped = new ShapedTools(this.#evaluator, this.#possible, this.#reader, this.#handlers).in(file);
    for (const { node, declaration, handler } of shaped) {
      if (declaration.name !== null && namesApart.has(declaration.name) && handler !== null) {
        this.#spareHandlers.set(declaration.name, handler);
        continue;
      }
      const isSame = declaration.name !== null && this.#found.coversName(declaration.name, node);
      const isKnown = this.#found.covers(node) ? !isSame : isSame;
      if (!isKnown) {
        this.#found.add({
          ...declaration,
          node,
          effect: this.#hints.effectOf(declaration.annotations, node),
          handler,
        });
      }
    }
    return shaped;
  }

  /** Declarations that stand alone, of which no list was followed to here, and for which there is a handler. */
  #declaredApart(listed: readonly Apart[]): readonly Apart[] {
    const known = new Set(listed.map(({ node }) => node));
    return this.#files()
      .flatMap((file) =>
        new ShapedTools(this.#evaluator, this.#possible, this.#reader, this.#handlers).declarationsIn(file),
      )
      .filter(({ node }) => !known.has(node) && !this.#found.covers(node));
  }

  #joined(apart: readonly Apart[]): void {
    if (apart.length === 0) {
      return;
    }
    const names = new Set(apart.flatMap(({ declaration: { name } }) => (name === null ? [] : [name])));
    const join = new NameJoin(this.#evaluator, this.#possible, this.#handlers, {
      files: this.#files(),
      names,
    });
    const dispatchers = this.#registrations.handlers
      .filter(({ request }) => request === 'call')
      .flatMap((handler) => this.#functionsOf(handler));
    const listedAt = new Set(apart);
    for (const { declaration, node } of listedAt) {
      const { name } = declaration;
      if (name === null) {
        continue;
      }
      const [dispatcher] = dispatchers;
      const handler =
        this.#spareHandlers.get(name) ??
        join.handlerFor(name) ??
        (dispatcher === undefined ? null : requestDispatch(dispatcher, name));
      this.#found.add({
        ...declaration,
        nameNode: declaration.nameNode ?? node,
        node,
        effect: this.#hints.effectOf(declaration.annotations, node),
        handler,
      });
    }
  }

  /** The functions that answer a request, through a wrapper where there is one. */
  #functionsOf({ handler }: RequestHandler): readonly FunctionNode[] {
    const target = skipWrappers.inward(handler);
    const direct = this.#possible.of(valueOf(target, EMPTY_SCOPE));
    const wrapped = ts.isCallExpression(target)
      ? target.arguments.flatMap((argument) => this.#possible.of(valueOf(argument, EMPTY_SCOPE)))
      : [];
    return [...wrapped, ...direct].flatMap((one) =>
      one.kind === 'function' && one.node.body !== undefined ? [one.node] : [],
    );
  }
}

/** Whether an argument that cannot be read may have hints: an object of settings, or what is called so; no schema. */
function mayDescribe(node: ts.Expression, { call, described }: Registration): boolean {
  const hasSettings = !/\btool$/u.test(call.expression.getText());
  return (hasSettings && described.length === 1) || /annotation|hint/iu.test(node.getText());
}
