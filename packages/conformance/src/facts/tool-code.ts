import { ts } from '../../engine/typescript.mjs';
import type { DiscoveredTool, EntryArgument } from '../discover/discovered-tool.js';
import type { CodeRoots } from './code-roots.js';
import { Constructions } from './constructions.js';
import { inputSchemasOf } from './input-schemas.js';
import { runCodeIn } from './interpret/held-by-libraries.js';
import { functionValue } from './interpret/names.js';
import { readMember } from './interpret/class-members.js';
import type { PathEvents } from './effects/path-events.js';
import type { EffectLog } from './interpret/effect-log.js';
import { settled } from './interpret/implicit-calls.js';
import type { Interpreter } from './interpret/interpreter.js';
import { CONTEXT } from './interpret/outside-calls.js';
import { NOTHING_WRITTEN } from './interpret/written.js';
import { containerOf } from './interpret/names.js';
import type { RanReturn } from './interpret/functions.js';
import { NO_GUARD } from './values/guard.js';
import { join, map } from './values/join.js';
import { NEVER, UNDEFINED, literal, one, opaque, opaqueAlternative } from './values/make.js';
import { NO_REFERENCES } from './values/references.js';
import {
  FROM_ARGUMENTS,
  type CallSite,
  type ClassValue,
  type FunctionValue,
  type Point,
  type Value,
} from './values/value.js';

const DEFAULT_ARGUMENTS: readonly EntryArgument[] = [{ kind: 'input' }, { kind: 'context' }];

/** What a handler of MCP is given beside the input, in the SDK's versions 1 and 2. */
const MCP_CONTEXTS = ['RequestHandlerExtra', 'ServerContext'];

/** What one run of a tool's code showed. */
export interface RanTool {
  readonly returns: readonly RanReturn[];
  readonly effects: EffectLog;
  /** What had been written where a failure left the tool. */
  readonly failures: Value;
}

/** The code that answers: the tool's own first, then what wrappers put in its place. */
export function bodiesOf(
  tool: DiscoveredTool,
  member: 'execute' | 'preview',
): readonly (ts.SignatureDeclaration | ts.Expression)[] {
  const own = tool[member];
  const guard = member === 'preview' ? (tool.previewGuard ?? null) : null;
  return [...[own, guard].filter((code) => code !== null), ...(tool.wrappedBy?.[member] ?? [])];
}

interface EntryCall {
  readonly tool: DiscoveredTool;
  readonly node: ts.Node;
  readonly at: Point;
}

/** Interprets the code of tools as a loop would call it: with the model's input and a context. */
export class ToolCode {
  readonly #interpreter: Interpreter;

  readonly #roots: CodeRoots;
  readonly #constructions: Constructions;

  constructor(interpreter: Interpreter, roots: CodeRoots, files: readonly ts.SourceFile[]) {
    this.#interpreter = interpreter;
    this.#roots = roots;
    this.#constructions = new Constructions(interpreter, roots, files);
  }

  /** What the runs met on their paths, by number. */
  get events(): PathEvents {
    return this.#interpreter.effects.events;
  }

  /** Before anything is interpreted: so that code in factories is seen with what its callers give. */
  prepare(tools: readonly DiscoveredTool[]): void {
    for (const tool of tools) {
      for (const execute of bodiesOf(tool, 'execute')) {
        this.#watch(execute);
        if (ts.isFunctionLike(execute)) {
          this.#interpreter.toolCode.add(execute);
        }
      }
      for (const preview of bodiesOf(tool, 'preview')) {
        this.#watch(preview);
      }
      if (ts.isClassLike(tool.node)) {
        this.#constructions.watch(tool.node);
      }
    }
  }

  #watch(code: ts.SignatureDeclaration | ts.Expression): void {
    this.#interpreter.watch(code);
    const literal = literalAround(code);
    if (literal !== null) {
      this.#interpreter.watch(literal);
    }
  }

  /** How a body of a tool ends, and what it reaches; null when there is no code to be found. */
  run(tool: DiscoveredTool, body: ts.SignatureDeclaration | ts.Expression): RanTool | null {
    return this.#run(tool, body, tool.arguments ?? DEFAULT_ARGUMENTS);
  }

  /** The same for a body of the preview, which a host calls with the input and a reader's context. */
  runPreview(tool: DiscoveredTool, body: ts.SignatureDeclaration | ts.Expression): RanTool | null {
    return this.#run(tool, body, DEFAULT_ARGUMENTS);
  }

  #run(
    tool: DiscoveredTool,
    code: ts.SignatureDeclaration | ts.Expression,
    args: readonly EntryArgument[],
  ): RanTool | null {
    return this.#interpreter.root(code, (at) => {
      const callees = this.#calleesOf(tool, code, at);
      if (callees.alternatives.length === 0) {
        return null;
      }
      this.#interpreter.patches.runImplicit(code, at);
      this.#checkInput(tool, code, at);
      const returns: RanReturn[] = [];
      for (const callee of callees.alternatives) {
        returns.push(...this.#call(one(callee), { tool, node: code, at }, args));
      }
      const { effects } = at.frame;
      const why = this.#interpreter.gaveUp;
      if (why === '') {
        return { returns, effects, failures: at.frame.failures };
      }
      this.#interpreter.effects.unknown(code, why, at);
      return { returns: [...returns, gaveUp(code, why)], effects, failures: at.frame.failures };
    });
  }

  /** What the tool's own schema runs when the input is parsed belongs to the tool. */
  #checkInput(tool: DiscoveredTool, node: ts.Node, at: Point): void {
    for (const schema of inputSchemasOf(tool.node)) {
      const value = this.#interpreter.evaluateInModule(schema, at);
      const site: CallSite = { node, self: UNDEFINED, callee: UNDEFINED, args: [], spread: null, at };
      runCodeIn(this.#interpreter, value, site);
    }
  }

  #call(callee: Value, call: EntryCall, given: readonly EntryArgument[]): readonly RanReturn[] {
    const { node, at } = call;
    const base = at.state;
    at.state = base.fork();
    const [fn] = callee.alternatives;
    const parameters = fn?.kind === 'function' ? fn.node.parameters : [];
    const args = given.map((argument, index) => {
      const parameter = parameters[index];
      return argument.kind === 'context' && parameter !== undefined && ts.isParameter(parameter)
        ? this.#handedIn(call.tool, parameter, at)
        : this.#argument(argument, String(index), call);
    });
    const site: CallSite = { node, self: UNDEFINED, callee, args, spread: null, at };
    let returns: readonly RanReturn[];
    if (fn?.kind === 'function') {
      this.#interpreter.toolCode.add(fn.node);
      this.#interpreter.functions.lastReturns = [];
      const answer = this.#interpreter.invoke(fn, site);
      const records = this.#interpreter.functions.lastReturns;
      const ways =
        records.length === 0 && answer.alternatives.length > 0
          ? [{ value: answer, node, written: NOTHING_WRITTEN }]
          : records;
      returns = ways.map((way) => ({ ...way, value: settled(this.#interpreter, way.value, at, way.node) }));
    } else {
      const answer = this.#interpreter.call(site);
      returns = answer.alternatives.length === 0 ? [] : [{ value: answer, node, written: NOTHING_WRITTEN }];
    }
    at.state = base;
    return returns;
  }

  #argument(given: EntryArgument, tag: string, call: EntryCall): Value {
    const { tool, node, at } = call;
    switch (given.kind) {
      case 'input':
        return this.#input();
      case 'context':
        return this.#context(tool);
      case 'constant':
        return literal(given.value);
      case 'object': {
        const members = Object.entries(given.members).map(
          ([name, member]) => [name, this.#argument(member, `${tag}.${name}`, call)] as const,
        );
        const others = opaque({ description: 'what the framework hands in' });
        const id = this.#interpreter.identities.of(`argument ${tag}`, at.frame);
        return one(this.#interpreter.newObject(node, at, { id, properties: new Map(members), others }));
      }
    }
  }

  /** What the code is called with beside the input: an object of the project's own class, or interface, has its code. */
  #handedIn(tool: DiscoveredTool, parameter: ts.ParameterDeclaration, at: Point): Value {
    const context = this.#context(tool);
    if (tool.framework === 'toolwright') {
      return context;
    }
    const type = this.#interpreter.queries.typeOfNode(parameter);
    const { queries } = this.#interpreter;
    return type === null || (queries.classOf(type) === null && queries.implementersOf(type).length === 0)
      ? context
      : this.#interpreter.parameterValue(parameter, at);
  }

  #input(): Value {
    return opaque({ origin: FROM_ARGUMENTS, description: 'the input' });
  }

  #context(tool: DiscoveredTool): Value {
    const isReader = tool.effect.value === 'read_only';
    const type =
      tool.framework === 'toolwright'
        ? this.#interpreter.queries.sdkType(isReader ? 'ReaderContext' : 'WriterContext')
        : null;
    const library =
      tool.framework === 'toolwright'
        ? CONTEXT
        : tool.framework === 'mcp'
          ? this.#interpreter.libraries.ofTypes('@modelcontextprotocol/sdk', MCP_CONTEXTS)
          : null;
    return opaque({ type, description: 'context', library });
  }

  #calleesOf(tool: DiscoveredTool, execute: ts.SignatureDeclaration | ts.Expression, at: Point): Value {
    if (ts.isFunctionLike(execute) && ts.isClassLike(execute.parent)) {
      return this.#methodOf(tool, execute, execute.parent, at);
    }
    if (ts.isExpression(execute) && ts.isPropertyDeclaration(execute.parent)) {
      const cls = execute.parent.parent;
      return ts.isClassLike(cls) ? this.#methodOf(tool, execute, cls, at) : NEVER;
    }
    const watched = this.#named(tool, execute) ?? this.#seen(execute);
    if (watched.alternatives.length > 0) {
      return watched;
    }
    const container = containerOf(execute);
    if (ts.isFunctionLike(container)) {
      // A factory that nothing at the top level of a file calls.
      this.#roots.run(container);
      const made = this.#named(tool, execute) ?? this.#seen(execute);
      if (made.alternatives.length > 0) {
        return made;
      }
    }
    if (!ts.isFunctionLike(execute)) {
      return this.#interpreter.evaluateInModule(execute, at);
    }
    const literal = execute.parent;
    const self =
      ts.isObjectLiteralExpression(literal) && mentionsThis(execute)
        ? this.#interpreter.evaluateInModule(literal, at)
        : null;
    return functionValue(execute, null, self);
  }

  /** Of the tools that a factory made, the code of the one that has this name; null where names don't tell. */
  #named(tool: DiscoveredTool, execute: ts.SignatureDeclaration | ts.Expression): Value | null {
    const literal = literalAround(execute);
    const member = literal === null ? null : nameOfMember(execute);
    if (literal === null || member === null || tool.name.value === null) {
      return null;
    }
    const made = this.#interpreter.watched(literal).alternatives.filter((one) => one.kind === 'object');
    const own = made.filter((object) => {
      const [name, ...more] = object.properties.get('name')?.alternatives ?? [];
      return more.length === 0 && name?.kind === 'literal' && name.value === tool.name.value;
    });
    if (own.length === 0 || own.length === made.length) {
      return null;
    }
    const code = own.map((object) => {
      const value = object.properties.get(member) ?? NEVER;
      return map(value, (one) =>
        one.kind === 'function' && one.self === null && !ts.isArrowFunction(one.node)
          ? { ...one, self: { alternatives: [object] } }
          : one,
      );
    });
    const found = join(...code);
    return found.alternatives.length === 0 ? null : found;
  }

  /** What the code was seen to be, where it was evaluated; the methods of a literal with it as `this`. */
  #seen(execute: ts.SignatureDeclaration | ts.Expression): Value {
    if (!ts.isFunctionLike(execute)) {
      return this.#interpreter.watched(execute);
    }
    const closures = this.#interpreter.closures.get(execute) ?? [];
    const self = ts.isObjectLiteralExpression(execute.parent)
      ? this.#interpreter.watched(execute.parent)
      : NEVER;
    return join(
      ...closures.map((fn): Value => {
        const own = self.alternatives.find((object) => object.kind === 'object');
        return one(fn.self !== null || own === undefined ? fn : { ...fn, self: one(own) });
      }),
    );
  }

  #methodOf(tool: DiscoveredTool, execute: ts.Node, holder: ts.ClassLikeDeclaration, at: Point): Value {
    // The tool's own class may override what an inherited `execute` calls.
    const node = ts.isClassLike(tool.node) ? tool.node : holder;
    const cls: ClassValue = {
      kind: 'class',
      node,
      frame: this.#frameOf(node),
      references: NO_REFERENCES,
      when: NO_GUARD,
    };
    const self = this.#constructions.made(cls.node, at) ?? this.#interpreter.instanceOf(cls, at);
    const name = nameOfMember(execute);
    const viaInstance = name === null ? NEVER : this.#interpreter.readProperty(self, name, at, execute);
    if (viaInstance.alternatives.some((one) => one.kind === 'function')) {
      return viaInstance;
    }
    return name === null
      ? NEVER
      : (readMember(this.#interpreter, cls, name, { isStatic: false, self, at, node: execute }) ?? NEVER);
  }

  // A class inside a function: the activation of it that was seen to make the class, if any.
  #frameOf(node: ts.ClassLikeDeclaration): FunctionValue['frame'] {
    const container = containerOf(node);
    if (ts.isSourceFile(container)) {
      return null;
    }
    return this.#interpreter.frameOf(container);
  }
}

function mentionsThis(node: ts.Node): boolean {
  const isThis = (child: ts.Node): boolean | undefined =>
    child.kind === ts.SyntaxKind.ThisKeyword || ts.forEachChild(child, isThis);
  return ts.forEachChild(node, isThis) ?? false;
}

/** The object literal that a function, or what evaluates to one, is a member of. */
function literalAround(code: ts.Node): ts.ObjectLiteralExpression | null {
  const { parent } = code;
  const holder =
    ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent) ? parent.parent : parent;
  return ts.isObjectLiteralExpression(holder) ? holder : null;
}

function nameOfMember(node: ts.Node): string | null {
  const { parent } = node;
  const member =
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isShorthandPropertyAssignment(parent)
      ? parent
      : node;
  const name =
    ts.isMethodDeclaration(member) ||
    ts.isPropertyDeclaration(member) ||
    ts.isPropertyAssignment(member) ||
    ts.isShorthandPropertyAssignment(member)
      ? member.name
      : undefined;
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? name.text : null;
}

function gaveUp(node: ts.Node, why: string): RanReturn {
  return {
    value: one(opaqueAlternative({ unknown: why, place: node, description: why })),
    node,
    written: NOTHING_WRITTEN,
  };
}
