import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { SDK_MODULE, TOOL_DEFINITIONS } from '@toolwright/sdk/contract-names';
import {
  bare,
  dressed,
  enclosingClasses,
  enclosingFunction,
  isClass,
  isFunction,
  parentOf,
  staticName,
  type ClassNode,
} from '../../references/ast-shapes.js';
import { isExport } from '../../references/origin.js';
import { writtenType } from '../../references/type-origins.js';
import type { FactoriesForOthers } from './factories-for-others.js';
import type { RawHandlers } from './raw-handlers.js';
import type { SafeFactories } from './safe-factories.js';
import type { TypedRawHandlers } from './typed-raw-handlers.js';

export type RawHandlerMessageId =
  'constructed' | 'injected' | 'leaked' | 'lookedUp' | 'madeByFactory' | 'reExported' | 'subclassed' | 'used';

/** What one traversal of a file collects for the check. */
export interface CollectedNodes {
  readonly calls: TSESTree.CallExpression[];
  readonly news: TSESTree.NewExpression[];
  readonly classes: ClassNode[];
  readonly casts: (TSESTree.TSAsExpression | TSESTree.TSSatisfiesExpression | TSESTree.TSTypeAssertion)[];
  readonly declarators: TSESTree.VariableDeclarator[];
  readonly assignments: TSESTree.AssignmentExpression[];
  /** Object literals that a function returns. */
  readonly objects: TSESTree.ObjectExpression[];
  readonly exports: (
    TSESTree.ExportAllDeclaration | TSESTree.ExportDefaultDeclaration | TSESTree.ExportNamedDeclaration
  )[];
}

export interface RawHandlerFinding {
  readonly node: TSESTree.Node;
  readonly messageId: RawHandlerMessageId;
  /** The code that is or makes the handler, as written, cut. */
  readonly handler: string;
}

interface CheckParts {
  readonly sourceCode: Readonly<TSESLint.SourceCode>;
  readonly handlers: RawHandlers;
  /** Null without types. */
  readonly typed: TypedRawHandlers | null;
  readonly factories: SafeFactories;
  readonly forOthers: FactoriesForOthers;
  readonly containerMethods: ReadonlySet<string>;
}

const MAX_QUOTED = 60;

/** Finds each use of a raw content handler that is not the direct work of a factory handed to the wrapper. */
export class RawHandlerCheck {
  readonly #parts: CheckParts;
  readonly #findings = new Map<TSESTree.Node, RawHandlerFinding>();
  #news: readonly TSESTree.NewExpression[] = [];

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  run(nodes: CollectedNodes): RawHandlerFinding[] {
    this.#news = nodes.news;
    nodes.news.forEach((node) => this.#checkNew(node));
    nodes.calls.forEach((node) => this.#checkCall(node));
    nodes.casts.forEach((node) => this.#checkTypedValue(node.expression, node.typeAnnotation));
    nodes.declarators.forEach((node) => this.#checkTypedValue(node.init, writtenType(node)));
    nodes.objects.forEach((node) => this.#checkReturnedObject(node));
    nodes.classes.forEach((node) => this.#checkClass(node));
    nodes.assignments.forEach((node) => this.#checkLeak(node));
    nodes.exports.forEach((node) => this.#checkExport(node));
    return [...this.#findings.values()].toSorted((a, b) => a.node.range[0] - b.node.range[0]);
  }

  #report(node: TSESTree.Node, messageId: RawHandlerMessageId, named: TSESTree.Node): void {
    const subject = bare(node);
    if (!this.#findings.has(subject)) {
      this.#findings.set(subject, { node: subject, messageId, handler: this.#quote(named) });
    }
  }

  #quote(node: TSESTree.Node): string {
    const text = this.#parts.sourceCode.getText(node).replace(/\s+/gu, ' ');
    return `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text}"`;
  }

  #checkNew(node: TSESTree.NewExpression): void {
    const { handlers, typed } = this.#parts;
    const isRaw = handlers.isRawClass(node.callee) || typed?.isRawClass(node.callee) === true;
    // A class may make more of itself: that is part of its declaration, and its callers are seen.
    if (isRaw && !this.#isAllowed(node) && !this.#isOfItself(node)) {
      this.#report(node, 'constructed', node.callee);
    }
  }

  /** Whether a handler may be had here: as the work of a factory that is, or can be, handed to the wrapper. */
  #isAllowed(node: TSESTree.Node): boolean {
    return this.#parts.factories.isDirectWork(node) || this.#parts.forOthers.isAnswerOf(node);
  }

  #isOfItself(node: TSESTree.NewExpression): boolean {
    const classes = enclosingClasses(node);
    return this.#parts.handlers
      .origins(node.callee)
      .some((origin) => origin.kind === 'node' && isClass(origin.node) && classes.includes(origin.node));
  }

  #checkCall(node: TSESTree.CallExpression): void {
    const { handlers, typed } = this.#parts;
    const callee = bare(node.callee);
    this.#checkUse(callee);
    const reflected = handlers.reflectedClass(node);
    if (reflected !== null && (handlers.isRawClass(reflected) || typed?.isRawClass(reflected) === true)) {
      if (!this.#isAllowed(node)) {
        this.#report(node, 'constructed', reflected);
      }
      return;
    }
    // What a function does that is called where it is written is reported in it.
    if (callee.type === AST_NODE_TYPES.Super || isFunction(callee)) {
      return;
    }
    const isLookup = this.#isLookup(node, callee);
    const isFactory =
      !isLookup &&
      (handlers.isFactory(callee) ||
        // A call whose answer nobody takes can't hand a handler to anybody.
        (dressed(node).parent?.type !== AST_NODE_TYPES.ExpressionStatement &&
          typed?.isFactory(callee) === true));
    if ((isLookup || isFactory) && !this.#isAllowed(node)) {
      this.#report(node, isLookup || this.#isContainerMethod(callee) ? 'lookedUp' : 'madeByFactory', callee);
    }
  }

  #isLookup(node: TSESTree.CallExpression, callee: TSESTree.Node): boolean {
    const { handlers, typed } = this.#parts;
    if (!this.#isContainerMethod(callee)) {
      return false;
    }
    const hasRawTypeArgument = (node.typeArguments?.params ?? []).some((type) => handlers.isRawType(type));
    const hasRawArgument = node.arguments.some(
      (argument) => argument.type !== AST_NODE_TYPES.SpreadElement && this.#isRawClassReference(argument),
    );
    if (typed === null) {
      return hasRawTypeArgument || hasRawArgument;
    }
    return (
      hasRawTypeArgument || (hasRawArgument && !typed.isSurelyNotRaw(node)) || typed.isRawExpression(node)
    );
  }

  #isRawClassReference(argument: TSESTree.Node): boolean {
    const node = bare(argument);
    return (
      (node.type === AST_NODE_TYPES.Identifier || node.type === AST_NODE_TYPES.MemberExpression) &&
      (this.#parts.handlers.isRawClass(node) || this.#parts.typed?.isRawClass(node) === true)
    );
  }

  #isContainerMethod(callee: TSESTree.Node): boolean {
    const name =
      callee.type === AST_NODE_TYPES.MemberExpression
        ? staticName(callee)
        : callee.type === AST_NODE_TYPES.Identifier
          ? callee.name
          : null;
    return name !== null && this.#parts.containerMethods.has(name);
  }

  /** A value that a cast or an annotation says is a raw handler. */
  #checkTypedValue(value: TSESTree.Expression | null, type: TSESTree.TypeNode | null): void {
    if (value === null || type === null || !this.#parts.handlers.isRawType(type)) {
      return;
    }
    const node = awaited(value);
    if (this.#isAllowed(node) || this.#isOwnMember(node)) {
      return;
    }
    switch (node.type) {
      case AST_NODE_TYPES.NewExpression:
        this.#report(node, 'constructed', node.callee);
        return;
      case AST_NODE_TYPES.ObjectExpression:
        this.#report(node, 'constructed', type);
        return;
      case AST_NODE_TYPES.CallExpression:
        this.#report(
          node,
          this.#isContainerMethod(bare(node.callee)) ? 'lookedUp' : 'madeByFactory',
          node.callee,
        );
        return;
      case AST_NODE_TYPES.MemberExpression:
        this.#report(node, 'lookedUp', node);
        return;
      case AST_NODE_TYPES.Identifier:
        this.#checkCastName(node);
        return;
      default:
        return;
    }
  }

  // `const found = container.get('pages'); (found as RawContentHandler).write(…)`
  #checkCastName(node: TSESTree.Identifier): void {
    const call = this.#parts.handlers
      .origins(node)
      .find((origin) => origin.kind === 'node' && origin.node.type === AST_NODE_TYPES.CallExpression);
    if (call?.kind === 'node' && call.node.type === AST_NODE_TYPES.CallExpression) {
      if (!this.#findings.has(call.node)) {
        this.#report(node, 'lookedUp', call.node.callee);
      }
    }
  }

  #isOwnMember(node: TSESTree.Node): boolean {
    return (
      node.type === AST_NODE_TYPES.MemberExpression &&
      node.object.type === AST_NODE_TYPES.ThisExpression &&
      enclosingClasses(node).some((outer) => this.#parts.handlers.isRawClassNode(outer))
    );
  }

  #checkReturnedObject(node: TSESTree.ObjectExpression): void {
    const fn = enclosingFunction(node);
    const type = fn?.returnType?.typeAnnotation;
    if (type !== undefined && this.#parts.handlers.isRawType(type) && !this.#isAllowed(node)) {
      this.#report(node, 'constructed', type);
    }
  }

  #checkClass(node: ClassNode): void {
    const { handlers, typed, factories } = this.#parts;
    // With types, and in this file, whoever constructs the subclass is seen.
    if (
      typed === null &&
      node.superClass !== null &&
      handlers.isNamedElsewhere(node.superClass) &&
      !factories.isDirectWork(node) &&
      !this.#isBuiltSafely(node)
    ) {
      this.#report(node.superClass, 'subclassed', node.superClass);
    }
    if (!handlers.isRawClassNode(node) && !(node.id !== null && typed?.isRawClass(node.id) === true)) {
      this.#checkInjection(node);
    }
  }

  /** Whether a factory that is handed to the wrapper constructs the class. */
  #isBuiltSafely(node: ClassNode): boolean {
    const { handlers, factories } = this.#parts;
    return this.#news.some(
      (made) =>
        factories.isDirectWork(made) &&
        handlers.origins(made.callee).some((origin) => origin.kind === 'node' && origin.node === node),
    );
  }

  #checkInjection(node: ClassNode): void {
    const { handlers } = this.#parts;
    const parameters = node.body.body.flatMap((member) =>
      member.type === AST_NODE_TYPES.MethodDefinition && member.kind === 'constructor'
        ? member.value.params
        : [],
    );
    const injected = parameters.filter((parameter) => handlers.isRawType(writtenType(parameter)));
    injected.forEach((parameter) => this.#report(parameter, 'injected', parameter));
    for (const member of node.body.body) {
      if (
        member.type !== AST_NODE_TYPES.PropertyDefinition &&
        member.type !== AST_NODE_TYPES.AccessorProperty
      ) {
        continue;
      }
      const type = member.typeAnnotation?.typeAnnotation ?? null;
      if (member.value !== null) {
        this.#checkTypedValue(member.value, type);
      } else if (injected.length === 0 && handlers.isRawType(type)) {
        this.#report(member, 'injected', member);
      }
    }
  }

  /** A tool that calls a raw handler which somebody passed in: shown where it came in. */
  #checkUse(callee: TSESTree.Node): void {
    if (callee.type !== AST_NODE_TYPES.MemberExpression || callee.object.type !== AST_NODE_TYPES.Identifier) {
      return;
    }
    for (const origin of this.#parts.handlers.origins(callee.object)) {
      if (
        origin.kind === 'declared' &&
        origin.path.length === 0 &&
        this.#parts.handlers.isRawType(writtenType(origin.declaration)) &&
        this.#isInTool(callee)
      ) {
        this.#report(origin.identifier, 'used', origin.identifier);
      }
    }
  }

  #isInTool(node: TSESTree.Node): boolean {
    for (let current = parentOf(node); current !== null; current = parentOf(current)) {
      if (
        current.type === AST_NODE_TYPES.CallExpression &&
        this.#parts.handlers
          .origins(current.callee)
          .some((origin) => isExport(origin, SDK_MODULE, TOOL_DEFINITIONS.factory))
      ) {
        return true;
      }
    }
    return false;
  }

  #checkLeak(node: TSESTree.AssignmentExpression): void {
    const { handlers, typed, factories } = this.#parts;
    const factory = factories.factoryOf(node);
    if (factory === null || !factories.leavesFactory(node.left, factory)) {
      return;
    }
    const value = awaited(node.right);
    if (handlers.isRawValue(value) || typed?.isRawExpression(value) === true) {
      this.#report(node, 'leaked', value.type === AST_NODE_TYPES.NewExpression ? value.callee : value);
    }
  }

  #checkExport(
    node: TSESTree.ExportAllDeclaration | TSESTree.ExportDefaultDeclaration | TSESTree.ExportNamedDeclaration,
  ): void {
    // With types, whoever imports it under its new name is seen.
    if (this.#parts.typed !== null || node.exportKind === 'type') {
      return;
    }
    for (const exported of this.#parts.handlers.exportedElsewhere(node)) {
      this.#report(exported, 'reExported', exported);
    }
  }
}

function awaited(expression: TSESTree.Node): TSESTree.Node {
  const node = bare(expression);
  return node.type === AST_NODE_TYPES.AwaitExpression ? awaited(node.argument) : node;
}
