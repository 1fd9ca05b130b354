import { TOOL_DEFINITIONS } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import { isGlobalMember } from '../../compiler/object-members.js';
import { EMPTY_SCOPE, type StaticValue, undecided, valueOf } from '../../compiler/static-value.js';
import { isConstVariable, skipWrappers } from '../../compiler/syntax.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { DefinitionSite } from './find-definitions.js';
import type { SdkContract } from './sdk-contract.js';

/** List methods that call what they are given with each element. */
const PER_ELEMENT = new Set(['map', 'flatMap', 'forEach']);

/**
 * Finds the tools that the factory defines where it is not simply called: borrowed, bound, handed to `map`. Where it goes
 * somewhere that cannot be followed, that place stands for the tools that come of it.
 */
export class FactoryUses {
  readonly #evaluator: Evaluator;
  readonly #contract: SdkContract;
  /** The names that the factory, and the SDK as a whole, have in the project's code. */
  readonly #names: ReadonlySet<string>;
  readonly #namespaces: ReadonlySet<string>;

  constructor(project: LoadedProject, evaluator: Evaluator, contract: SdkContract) {
    this.#evaluator = evaluator;
    this.#contract = contract;
    const imported = project.ownFiles.flatMap((file) => [...file.statements]);
    this.#names = namesOf(imported);
    this.#namespaces = namespacesOf(imported);
  }

  /** The definitions that one place makes; none where it is no use of the factory as a value. */
  at(node: ts.Node): readonly DefinitionSite[] {
    if (ts.isIdentifier(node)) {
      if (this.#names.has(node.text) && isValue(node)) {
        const { parent } = node;
        const use = ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node;
        return this.#contract.isFactory(use) ? this.#follow(use, 0) : [];
      }
      const isNamespace =
        this.#namespaces.has(node.text) && isValue(node) && this.#contract.isNamespace(node);
      return isNamespace ? this.#namespace(node) : [];
    }
    return ts.isElementAccessExpression(node) &&
      ts.isStringLiteralLike(node.argumentExpression) &&
      node.argumentExpression.text === TOOL_DEFINITIONS.factory &&
      this.#contract.isFactory(node)
      ? this.#follow(node, 0)
      : [];
  }

  #follow(use: ts.Expression, depth: number): readonly DefinitionSite[] {
    const value = skipWrappers.outward(use);
    const { parent } = value;
    if (depth > 8 || ts.isExpressionStatement(parent) || ts.isExportAssignment(parent)) {
      return [];
    }
    if (ts.isBinaryExpression(parent)) {
      return this.#operand(parent, value, depth);
    }
    if (ts.isCallExpression(parent) && parent.expression === value) {
      // A plain call is found as one.
      const [definition] = parent.arguments;
      return depth === 0 &&
        use === skipWrappers.inward(parent.expression) &&
        this.#contract.isFactoryCall(parent)
        ? []
        : definition === undefined
          ? []
          : [{ node: parent, value: valueOf(definition, EMPTY_SCOPE) }];
    }
    if (ts.isCallExpression(parent)) {
      return this.#argument(parent, value);
    }
    if (ts.isPropertyAccessExpression(parent) && parent.expression === value) {
      return this.#method(parent, depth);
    }
    if (ts.isVariableDeclaration(parent) && parent.initializer === value) {
      return this.#variable(parent, use, depth);
    }
    if (ts.isTypeOfExpression(parent) || ts.isTypeQueryNode(parent)) {
      return [];
    }
    return [open(use)];
  }

  /** `(0, factory)` is the factory; comparing it makes nothing. */
  #operand(parent: ts.BinaryExpression, value: ts.Node, depth: number): readonly DefinitionSite[] {
    const { kind } = parent.operatorToken;
    if (kind === ts.SyntaxKind.CommaToken) {
      return parent.right === value ? this.#follow(parent, depth + 1) : [];
    }
    const compares =
      kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
      kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
      kind === ts.SyntaxKind.EqualsEqualsToken ||
      kind === ts.SyntaxKind.ExclamationEqualsToken;
    return compares ? [] : [open(parent)];
  }

  #argument(call: ts.CallExpression, value: ts.Node): readonly DefinitionSite[] {
    const index = call.arguments.findIndex((one) => one === value);
    const { expression } = call;
    if (isGlobalMember(expression, 'Reflect', 'apply') && index === 0) {
      return this.#applied(call, call.arguments[2]);
    }
    const list =
      isGlobalMember(expression, 'Array', 'from') && index === 1
        ? call.arguments[0]
        : index === 0 && ts.isPropertyAccessExpression(expression) && PER_ELEMENT.has(expression.name.text)
          ? expression.expression
          : undefined;
    const items = list === undefined ? null : this.#evaluator.elements(valueOf(list, EMPTY_SCOPE));
    return items === null ? [open(call)] : items.map((item) => ({ node: nodeOf(item) ?? call, value: item }));
  }

  /** `factory.call(…)`, `factory.apply(…)` and `factory.bind(…)`. */
  #method(member: ts.PropertyAccessExpression, depth: number): readonly DefinitionSite[] {
    const callee = skipWrappers.outward(member);
    const call = callee.parent;
    if (!ts.isCallExpression(call) || call.expression !== callee) {
      return [open(member)];
    }
    const [, first] = call.arguments;
    switch (member.name.text) {
      case 'call':
        return first === undefined ? [] : [{ node: call, value: valueOf(first, EMPTY_SCOPE) }];
      case 'apply':
        return this.#applied(call, first);
      case 'bind':
        return first === undefined ? this.#follow(call, depth + 1) : [open(call)];
      default:
        return [open(member)];
    }
  }

  #applied(call: ts.CallExpression, list: ts.Expression | undefined): readonly DefinitionSite[] {
    const items = list === undefined ? null : this.#evaluator.elements(valueOf(list, EMPTY_SCOPE));
    const [definition] = items ?? [];
    return [definition === undefined ? open(call) : { node: call, value: definition }];
  }

  /** A constant that is the factory is one of its names; of a bound one, its uses are looked at. */
  #variable(
    declaration: ts.VariableDeclaration,
    use: ts.Expression,
    depth: number,
  ): readonly DefinitionSite[] {
    if (!ts.isIdentifier(declaration.name) || !isConstVariable(declaration)) {
      return [open(use)];
    }
    const symbol = this.#evaluator.references.symbolAt(declaration.name);
    const references = symbol === undefined ? [] : this.#evaluator.references.referencesTo(symbol);
    return references
      .filter((reference) => isValue(reference))
      .flatMap((reference) =>
        this.#contract.isFactory(reference) &&
        ts.isCallExpression(skipWrappers.outward(reference).parent) &&
        (skipWrappers.outward(reference).parent as ts.CallExpression).expression ===
          skipWrappers.outward(reference)
          ? []
          : this.#follow(reference, depth + 1),
      );
  }

  /** The SDK as a whole: a member that is read is followed by itself, anything else lets all of it get away. */
  #namespace(node: ts.Identifier): readonly DefinitionSite[] {
    const value = skipWrappers.outward(node);
    const { parent } = value;
    const isTakenApart =
      ts.isPropertyAccessExpression(parent) ||
      (ts.isElementAccessExpression(parent) && ts.isStringLiteralLike(parent.argumentExpression)) ||
      (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) ||
      ts.isQualifiedName(parent) ||
      ts.isExpressionStatement(parent) ||
      ts.isTypeOfExpression(parent);
    return isTakenApart ? [] : [open(node)];
  }
}

function open(node: ts.Node): DefinitionSite {
  const why = `where ${TOOL_DEFINITIONS.factory} goes from here is not followed`;
  return { node, value: undecided(why, node) };
}

function nodeOf(value: StaticValue): ts.Node | null {
  return 'node' in value ? value.node : null;
}

/** Whether an identifier stands for a value, and is no name that something is declared, imported or exported by. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) {
    return false;
  }
  if (
    ts.isNamespaceImport(parent) ||
    ts.isNamespaceExport(parent) ||
    ts.isTypeQueryNode(parent) ||
    ts.isQualifiedName(parent) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isImportEqualsDeclaration(parent)
  ) {
    return false;
  }
  if (ts.isBindingElement(parent)) {
    return parent.initializer === node;
  }
  const named = parent as { readonly name?: ts.Node };
  return (
    named.name !== node || ts.isShorthandPropertyAssignment(parent) || ts.isPropertyAccessExpression(parent)
  );
}

/** What the factory is called in imports, exports and destructured modules, through every rename. */
function namesOf(statements: readonly ts.Statement[]): ReadonlySet<string> {
  const names = new Set<string>([TOOL_DEFINITIONS.factory]);
  const renames: (readonly [string, string])[] = [];
  for (const statement of statements) {
    const clause = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : ts.isExportDeclaration(statement)
        ? statement.exportClause
        : undefined;
    if (clause !== undefined && (ts.isNamedImports(clause) || ts.isNamedExports(clause))) {
      for (const { propertyName, name } of clause.elements) {
        if (propertyName !== undefined) {
          renames.push([propertyName.text, name.text]);
        }
      }
    }
    if (ts.isVariableStatement(statement)) {
      renames.push(...statement.declarationList.declarations.flatMap(destructured));
    }
  }
  for (let size = 0; size !== names.size;) {
    size = names.size;
    for (const [from, to] of renames) {
      if (names.has(from)) {
        names.add(to);
      }
    }
  }
  return names;
}

function destructured({ name }: ts.VariableDeclaration): readonly (readonly [string, string])[] {
  if (!ts.isObjectBindingPattern(name)) {
    return [];
  }
  return name.elements.flatMap((element): readonly (readonly [string, string])[] =>
    element.propertyName !== undefined &&
    ts.isIdentifier(element.propertyName) &&
    ts.isIdentifier(element.name)
      ? [[element.propertyName.text, element.name.text]]
      : [],
  );
}

function namespacesOf(statements: readonly ts.Statement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap((statement) => {
      const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
      return bindings !== undefined && ts.isNamespaceImport(bindings) ? [bindings.name.text] : [];
    }),
  );
}
