import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import { EMPTY_SCOPE, valueOf } from '../../compiler/static-value.js';
import { enclosingFunction, shortText, skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { RawHandlerUse } from '../../model/fact-base.js';
import { isLookUp, isRegistration } from './container-calls.js';
import { classOf, instanceType, isOpen, reflectedClass } from './class-values.js';
import { importedName } from './imported-name.js';
import { type Finding, FindingSet } from './finding-set.js';
import type { RawHandlerTypes, RawKind } from './raw-handler-types.js';
import type { SafeZones } from './safe-zones.js';

/** Methods that, of all that a program calls, only a raw handler has. */
const TELLING_MEMBERS = new Set(['isTransactionOpen', 'remainingSteps']);
const WRITE_KINDS = new Set(['create', 'update', 'delete']);
const LITERAL_MEMBERS = new Set(['write', 'landed', 'isTransactionOpen', 'remainingSteps']);

/** Walks the candidate files and notes every place that has to do with a raw handler and may not. */
export class RawHandlerUses {
  readonly #project: LoadedProject;
  readonly #evaluator: Evaluator;
  readonly #types: RawHandlerTypes;
  readonly #zones: SafeZones;
  readonly #findings: FindingSet;
  /** Accesses of a raw value; reported only where its origin is not. */
  readonly #accesses: Finding[] = [];

  constructor(project: LoadedProject, evaluator: Evaluator, types: RawHandlerTypes, zones: SafeZones) {
    this.#project = project;
    this.#evaluator = evaluator;
    this.#types = types;
    this.#zones = zones;
    this.#findings = new FindingSet(evaluator.references);
  }

  find(files: readonly ts.SourceFile[]): readonly RawHandlerUse[] {
    files.forEach((file) => {
      walk(file, (node) => this.#visit(node));
    });
    for (const access of this.#accesses) {
      if (!this.#findings.isOriginReported(access.node)) {
        this.#findings.add(access);
      }
    }
    return [...this.#findings]
      .filter((finding) => !this.#isAnsweredByCallback(finding))
      .map((finding) => this.#useOf(finding));
  }

  /** `load().then(({ RawPages }) => new RawPages())` answers what its callback makes, which is reported there. */
  #isAnsweredByCallback({ kind, node }: Finding): boolean {
    return (
      kind === 'factory' &&
      ts.isCallExpression(node) &&
      node.arguments.some((argument) => this.#findings.hasWithin(argument))
    );
  }

  /** Answers whether to go on below the node. */
  #visit(node: ts.Node): boolean {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      return false;
    }
    // A handler's own code constructs and holds handlers: itself, or one that it decorates.
    if (ts.isClassLike(node) && this.#types.isRawDeclaration(node)) {
      return false;
    }
    if (this.#isSafe(node)) {
      this.#checkLeak(node);
    } else {
      this.#check(node);
    }
    return true;
  }

  #isSafe(node: ts.Node): boolean {
    return ts.isParameter(node) ? this.#zones.isSafe(node.name) : this.#zones.isSafe(node);
  }

  #check(node: ts.Node): void {
    if (ts.isNewExpression(node)) {
      this.#checkNew(node);
    } else if (ts.isCallExpression(node)) {
      this.#checkCall(node);
    } else if (
      ts.isAsExpression(node) ||
      ts.isTypeAssertionExpression(node) ||
      ts.isSatisfiesExpression(node)
    ) {
      this.#checkTyped(node.expression, node.type);
    } else if (ts.isVariableDeclaration(node)) {
      this.#checkVariable(node);
    } else if (ts.isParameter(node)) {
      this.#checkReceived(node, node.type ?? ts.getJSDocType(node));
    } else if (ts.isPropertyDeclaration(node)) {
      if (node.initializer === undefined) {
        this.#checkReceived(node, node.type ?? ts.getJSDocType(node));
      }
    } else if (ts.isBindingElement(node)) {
      this.#checkBinding(node);
    } else if (ts.isObjectLiteralExpression(node)) {
      this.#checkLiteral(node);
    } else if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      this.#checkAccess(node);
    }
  }

  #checkNew(node: ts.NewExpression): void {
    const type = this.#typeOf(node);
    const kind = this.#types.kindOf(type);
    if (kind !== 'other') {
      this.#report('constructed', kind, node, this.#types.nameOf(type), '', classOf(type));
      return;
    }
    const value = isOpen(type) ? this.#evaluator.reduce(valueOf(node.expression, EMPTY_SCOPE)) : null;
    if (value?.kind === 'class' && this.#types.isRawDeclaration(value.node)) {
      this.#report('constructed', 'raw', node, value.node.name?.text ?? 'class', '', value.node);
    } else if (
      isOpen(type) &&
      this.#types.isReturnedImport(importedName(node.expression, this.#evaluator.checker))
    ) {
      this.#report('constructed', 'raw', node, shortText(node.expression), '', null);
    }
  }

  #checkCall(node: ts.CallExpression): void {
    if (this.#zones.wrapperCalls.includes(node)) {
      return;
    }
    const reflected = reflectedClass(node, this.#evaluator.references);
    if (reflected !== null) {
      const type = instanceType(this.#evaluator, this.#types, reflected);
      if (type !== null) {
        this.#report('constructed', 'raw', node, this.#types.nameOf(type), '', classOf(type));
      }
      return;
    }
    const type = this.#typeOf(node);
    const kind = this.#types.kindOf(type);
    // What comes out of a call that a handler went into is that handler; where it came from is what counts.
    if (kind !== 'other' && this.#takesHandler(node)) {
      return;
    }
    if (kind !== 'other') {
      const how = isLookUp(node) ? 'looked_up' : 'factory';
      this.#report(how, kind, node, this.#types.nameOf(type), '', classOf(type));
      return;
    }
    const [typeArgument] = node.typeArguments ?? [];
    if (typeArgument !== undefined && isOpen(type) && this.#types.isRawTypeNode(typeArgument)) {
      this.#report('looked_up', 'raw', node, typeArgument.getText(), '', null);
      return;
    }
    this.#checkClassArgument(node, type);
    this.#checkNamedToken(node, type);
  }

  #takesHandler(node: ts.CallExpression): boolean {
    return node.arguments.some((argument) => this.#types.kindOf(this.#typeOf(argument)) === 'raw');
  }

  /** `container.get(RawPages)`, and `container.register(RawPages)`. */
  #checkClassArgument(node: ts.CallExpression, type: ts.Type): void {
    for (const argument of node.arguments) {
      const instance = ts.isStringLiteralLike(argument)
        ? null
        : instanceType(this.#evaluator, this.#types, argument);
      if (instance === null) {
        continue;
      }
      const name = this.#types.nameOf(instance);
      if (isLookUp(node) && isOpen(type)) {
        this.#report('looked_up', 'raw', node, name, '', classOf(instance));
      } else if (isRegistration(node)) {
        const why = `its class is handed to ${shortText(node.expression)}, which may construct it`;
        this.#report('injected', 'perhaps', node, name, why, classOf(instance));
      }
    }
  }

  /** `container.get('RawPages')`, of which no type says what it answers. */
  #checkNamedToken(node: ts.CallExpression, type: ts.Type): void {
    const [token] = node.arguments;
    if (token === undefined || !isLookUp(node) || !isOpen(type)) {
      return;
    }
    const name = ts.isStringLiteralLike(token) ? token.text : ts.isIdentifier(token) ? token.text : '';
    if (this.#rawNames().has(name)) {
      const why = `${shortText(node)} answers a value of no known type under the handler's name`;
      this.#report('looked_up', 'perhaps', node, name, why, null);
    }
  }

  #checkTyped(expression: ts.Expression, type: ts.TypeNode): void {
    const value = skipWrappers.inward(expression);
    if (
      this.#types.isRawTypeNode(type) &&
      isOpen(this.#typeOf(value)) &&
      !ts.isObjectLiteralExpression(value)
    ) {
      const place = ts.isAwaitExpression(value) ? value.expression : value;
      this.#report('looked_up', 'raw', place, type.getText(), 'it is typed as one here', null);
    }
  }

  #checkVariable(node: ts.VariableDeclaration): void {
    const type = node.type ?? ts.getJSDocType(node);
    if (type !== undefined && node.initializer !== undefined) {
      this.#checkTyped(node.initializer, type);
    }
  }

  /** A parameter or a field that is filled from outside. */
  #checkReceived(
    node: ts.ParameterDeclaration | ts.PropertyDeclaration,
    type: ts.TypeNode | undefined,
  ): void {
    const hasBody = !ts.isParameter(node) || ('body' in node.parent && node.parent.body !== undefined);
    if (type !== undefined && hasBody && this.#types.isRawTypeNode(type)) {
      this.#report('injected', 'raw', node, shortText(type), '', null);
    }
  }

  /** `const { write } = raw`, and `({ raw }) => …`. */
  #checkBinding(node: ts.BindingElement): void {
    const holder = this.#typeOf(node.parent);
    const kind = this.#types.kindOf(holder);
    if (kind !== 'other' && !isPromise(holder)) {
      this.#noteAccess(node, kind, this.#types.nameOf(holder));
      return;
    }
    if (ts.isIdentifier(node.name)) {
      const type = this.#typeOf(node.name);
      const own = this.#types.kindOf(type);
      if (own !== 'other' && !isPromise(type)) {
        const isParameter = ts.findAncestor(node, ts.isParameter) !== undefined;
        if (isParameter) {
          this.#report('injected', own, node, this.#types.nameOf(type), '', classOf(type));
        } else {
          this.#noteAccess(node, own, this.#types.nameOf(type));
        }
      }
    }
  }

  /** A handler written as an object. */
  #checkLiteral(node: ts.ObjectLiteralExpression): void {
    const names = node.properties.map((property) => property.name?.getText() ?? '');
    if (!names.some((name) => LITERAL_MEMBERS.has(name))) {
      return;
    }
    const expected = this.#evaluator.checker.getContextualType(node);
    const kind = expected === undefined ? 'other' : this.#types.kindOf(expected);
    if (expected !== undefined && kind !== 'other') {
      this.#report('constructed', kind, node, this.#types.nameOf(expected), 'it is an object literal', null);
    }
  }

  #checkAccess(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): void {
    const type = this.#typeOf(node.expression);
    const kind = this.#types.kindOf(type);
    if (kind !== 'other' && !isPromise(type)) {
      this.#noteAccess(node.expression, kind, this.#types.nameOf(type));
      return;
    }
    if (isOpen(type) && ts.isPropertyAccessExpression(node) && isTelling(node)) {
      const found = this.#lookUpBehind(node.expression);
      const why = `${shortText(node.expression)} has no known type, and ${node.name.text} is what a raw handler has`;
      this.#report(
        found === null ? 'used' : 'looked_up',
        'perhaps',
        found ?? node.expression,
        shortText(node.expression),
        why,
        null,
      );
    }
  }

  /** Inside a factory: a handler that is kept where others can reach it. */
  #checkLeak(node: ts.Node): void {
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) {
      return;
    }
    const type = this.#typeOf(node.right);
    const kind = this.#types.kindOf(type);
    if (kind === 'other' || this.#isLocal(node.left)) {
      return;
    }
    const why = 'the factory keeps it where other code can reach it';
    this.#report('used', kind, node, this.#types.nameOf(type), why, classOf(type));
  }

  #isLocal(target: ts.Expression): boolean {
    const declaration = ts.isIdentifier(target)
      ? this.#evaluator.references.symbolAt(target)?.valueDeclaration
      : undefined;
    return (
      declaration !== undefined && enclosingFunction(declaration) !== null && this.#zones.isSafe(declaration)
    );
  }

  #noteAccess(node: ts.Node, kind: RawKind, handler: string): void {
    this.#accesses.push({
      kind: 'used',
      certainty: kind === 'raw' ? 'certain' : 'undecided',
      node,
      handler,
      why: kind === 'raw' ? '' : 'it is one of several types that it can have',
      origin: null,
    });
  }

  #report(
    kind: RawHandlerUse['kind'],
    rawKind: RawKind,
    node: ts.Node,
    handler: string,
    why: string,
    origin: ts.Node | null,
  ): void {
    const certainty = rawKind === 'raw' ? 'certain' : 'undecided';
    const reason =
      why === '' && certainty === 'undecided' ? 'it is one of several types that it can have' : why;
    this.#findings.add({ kind, certainty, node, handler, why: reason, origin });
  }

  #useOf({ kind, certainty, node, handler, why, origin }: Finding): RawHandlerUse {
    const location = this.#project.locate(node);
    const declared =
      origin === null || origin.getSourceFile().isDeclarationFile
        ? []
        : [{ ...this.#project.locate(origin), message: `${handler} is a raw content handler` }];
    return {
      kind,
      certainty,
      location,
      handler,
      why,
      witness: [...declared, { ...location, message: shortText(node) }],
    };
  }

  #lookUpBehind(node: ts.Expression): ts.CallExpression | null {
    const target = skipWrappers.inward(node);
    const declaration = ts.isIdentifier(target)
      ? this.#evaluator.references.symbolAt(target)?.valueDeclaration
      : undefined;
    const initializer =
      declaration !== undefined && ts.isVariableDeclaration(declaration)
        ? declaration.initializer
        : undefined;
    const value = skipWrappers.inward(initializer ?? target);
    const call = ts.isAwaitExpression(value) ? skipWrappers.inward(value.expression) : value;
    return ts.isCallExpression(call) && isLookUp(call) ? call : null;
  }

  #rawNames(): ReadonlySet<string> {
    this.#names ??= new Set(
      this.#project.ownFiles.flatMap((file) => {
        const names: string[] = [];
        walk(file, (node) => {
          if (ts.isClassLike(node) && node.name !== undefined && this.#types.isRawDeclaration(node)) {
            names.push(node.name.text);
          }
          return true;
        });
        return names;
      }),
    );
    return this.#names;
  }
  #names: ReadonlySet<string> | null = null;

  #typeOf(node: ts.Node): ts.Type {
    return this.#evaluator.checker.getTypeAtLocation(node);
  }
}

function isPromise(type: ts.Type): boolean {
  const name = (type.symbol as ts.Symbol | undefined)?.name;
  return name === 'Promise' || name === 'PromiseLike';
}

/** `x.isTransactionOpen`, and `x.write({ kind: 'create', … })`. */
function isTelling(node: ts.PropertyAccessExpression): boolean {
  if (TELLING_MEMBERS.has(node.name.text)) {
    return true;
  }
  const { parent } = node;
  const [operation] = ts.isCallExpression(parent) && parent.expression === node ? parent.arguments : [];
  return (
    node.name.text === 'write' &&
    operation !== undefined &&
    ts.isObjectLiteralExpression(operation) &&
    operation.properties.some(
      (property) =>
        ts.isPropertyAssignment(property) &&
        property.name.getText() === 'kind' &&
        ts.isStringLiteralLike(property.initializer) &&
        WRITE_KINDS.has(property.initializer.text),
    )
  );
}
