import { TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import { ts } from 'ts-morph';
import { callersOf } from '../../compiler/callers.js';
import { constructInstance } from '../../compiler/class-members.js';
import type { Evaluator } from '../../compiler/evaluator.js';
import { EMPTY_SCOPE, type StaticValue, valueOf } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { SdkContract } from './sdk-contract.js';

type IsTool = (node: ts.Expression) => boolean;

/** A place that defines a tool, or one per caller when it lies in a factory. */
export interface DefinitionSite {
  readonly node: ts.Node;
  readonly value: StaticValue;
}

/** Every place in the checked files that defines a tool, in the order of files and positions. */
export function findDefinitions(
  project: LoadedProject,
  evaluator: Evaluator,
  contract: SdkContract,
): readonly DefinitionSite[] {
  const sites: DefinitionSite[] = [];
  const calls: DefinitionSite[] = [];
  // What a factory call takes directly is known by now: what is expected of it would cost the inference of the call.
  const given = new Set<ts.Node>();
  const visit = (node: ts.Node): true => {
    if (ts.isCallExpression(node) && contract.isFactoryCall(node)) {
      const [definition] = node.arguments;
      if (definition !== undefined) {
        given.add(skipWrappers.inward(definition));
        calls.push({ node, value: valueOf(definition, EMPTY_SCOPE) });
      }
    } else if (ts.isClassLike(node) && isToolClass(evaluator, contract, node)) {
      sites.push({ node, value: constructInstance(evaluator, node, () => null, EMPTY_SCOPE) });
    } else if (
      ts.isObjectLiteralExpression(node) &&
      hasCode(node) &&
      !given.has(node) &&
      contract.isToolLiteral(node)
    ) {
      sites.push({ node, value: valueOf(node, EMPTY_SCOPE) });
    }
    return true;
  };
  project.sourceFiles.forEach((file) => {
    walk(file, visit);
  });
  // A literal or a class that a factory call takes is the call's tool, not a second one.
  const taken = new Set(calls.flatMap(({ value }) => definitionNode(evaluator, value)));
  const known = new Set([...taken, ...sites.map(({ node }) => node)]);
  const isTool = (node: ts.Expression): boolean =>
    contract.isTool(node) ||
    definitionNode(evaluator, valueOf(node, EMPTY_SCOPE)).some((definition) => known.has(definition));
  return [...calls, ...sites.filter(({ node }) => !taken.has(node))]
    .filter((site) => !isWrapper(isTool, evaluator, site))
    .sort((a, b) => bySource(project, a.node, b.node));
}

function definitionNode(evaluator: Evaluator, value: StaticValue): readonly ts.Node[] {
  const definition = evaluator.reduce(value);
  return definition.kind === 'expression' || definition.kind === 'instance' ? [definition.node] : [];
}

function isToolClass(evaluator: Evaluator, contract: SdkContract, node: ts.ClassLikeDeclaration): boolean {
  const isAbstract = ts.canHaveModifiers(node)
    ? (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)
    : false;
  if (isAbstract) {
    return false;
  }
  if (contract.isToolClass(node)) {
    return !isOnlyABase(evaluator, node);
  }
  return hasMember(node, TOOL_MEMBERS.execute) && isUsedAsTool(evaluator, contract, node);
}

/** A class that only other classes extend is no tool itself, even if it could be one. */
function isOnlyABase(evaluator: Evaluator, node: ts.ClassLikeDeclaration): boolean {
  const symbol = node.name === undefined ? undefined : evaluator.checker.getSymbolAtLocation(node.name);
  const references = symbol === undefined ? [] : evaluator.references.referencesTo(symbol);
  const uses = references.filter((reference) => !isTypePosition(reference));
  const isExtended = uses.some((reference) => isExtends(reference));
  return isExtended && uses.every((reference) => isExtends(reference));
}

function isExtends(reference: ts.Identifier): boolean {
  const clause = ts.findAncestor(reference, ts.isHeritageClause);
  return clause?.token === ts.SyntaxKind.ExtendsKeyword;
}

function isTypePosition(reference: ts.Identifier): boolean {
  return ts.isTypeReferenceNode(reference.parent) || ts.isTypeQueryNode(reference.parent);
}

/** A class without `implements` is a tool where an object of it is put where one is expected. */
function isUsedAsTool(evaluator: Evaluator, contract: SdkContract, node: ts.ClassLikeDeclaration): boolean {
  const { calls } = callersOf(evaluator.checker, evaluator.references, node);
  return calls.some((call) => {
    const expected = ts.isNewExpression(call) ? evaluator.checker.getContextualType(call) : undefined;
    return expected !== undefined && contract.isToolType(expected);
  });
}

function hasMember(node: ts.ClassLikeDeclaration, name: string): boolean {
  return node.members.some((member) => member.name?.getText() === name);
}

/** Cheap, so that the compiler is asked about few literals. */
function hasCode(node: ts.ObjectLiteralExpression): boolean {
  return node.properties.some(
    (property) =>
      property.name !== undefined &&
      (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) &&
      property.name.text === TOOL_MEMBERS.execute,
  );
}

/** `{ ...tool, execute }` and `{ name: tool.name, … }` are the tool that they wrap. */
function isWrapper(isTool: IsTool, evaluator: Evaluator, { value }: DefinitionSite): boolean {
  const definition = evaluator.reduce(value);
  if (definition.kind === 'instance') {
    const name = nameInitializer(definition.node);
    return name !== undefined && isNameOfTool(isTool, name);
  }
  if (definition.kind !== 'expression' || !ts.isObjectLiteralExpression(definition.node)) {
    return false;
  }
  for (const property of [...definition.node.properties].reverse()) {
    if (ts.isSpreadAssignment(property)) {
      if (isTool(property.expression)) {
        return true;
      }
    } else if (property.name.getText() === TOOL_MEMBERS.name) {
      return ts.isPropertyAssignment(property)
        ? isNameOfTool(isTool, property.initializer)
        : ts.isGetAccessorDeclaration(property) && returnsNameOfTool(isTool, property);
    }
  }
  return false;
}

function nameInitializer(node: ts.ClassLikeDeclaration): ts.Expression | undefined {
  for (const member of node.members) {
    if (member.name?.getText() === TOOL_MEMBERS.name) {
      if (ts.isPropertyDeclaration(member) && member.initializer !== undefined) {
        return member.initializer;
      }
      if (ts.isGetAccessorDeclaration(member)) {
        return returnedExpression(member);
      }
    }
    if (ts.isConstructorDeclaration(member)) {
      for (const statement of member.body?.statements ?? []) {
        const { expression } = ts.isExpressionStatement(statement) ? statement : { expression: undefined };
        if (
          expression !== undefined &&
          ts.isBinaryExpression(expression) &&
          expression.left.getText() === `this.${TOOL_MEMBERS.name}`
        ) {
          return expression.right;
        }
      }
    }
  }
  return undefined;
}

function returnsNameOfTool(isTool: IsTool, accessor: ts.GetAccessorDeclaration): boolean {
  const expression = returnedExpression(accessor);
  return expression !== undefined && isNameOfTool(isTool, expression);
}

function returnedExpression(accessor: ts.GetAccessorDeclaration): ts.Expression | undefined {
  const [statement] = accessor.body?.statements ?? [];
  return statement !== undefined && ts.isReturnStatement(statement) ? statement.expression : undefined;
}

function isNameOfTool(isTool: IsTool, node: ts.Expression): boolean {
  const target = skipWrappers.inward(node);
  return (
    ts.isPropertyAccessExpression(target) &&
    target.name.text === TOOL_MEMBERS.name &&
    target.expression.kind !== ts.SyntaxKind.ThisKeyword &&
    isTool(target.expression)
  );
}

function bySource(project: LoadedProject, a: ts.Node, b: ts.Node): number {
  const [fileA, fileB] = [a.getSourceFile(), b.getSourceFile()];
  return fileA === fileB
    ? a.getStart() - b.getStart()
    : project.relative(fileA.fileName).localeCompare(project.relative(fileB.fileName), 'en');
}
