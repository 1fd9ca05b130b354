import { TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { callersOf } from '../../compiler/callers.js';
import { constructInstance } from '../../compiler/class-members.js';
import type { Evaluator } from '../../compiler/evaluator.js';
import { EMPTY_SCOPE, type StaticValue, valueOf } from '../../compiler/static-value.js';
import { isGlobalMember } from '../../compiler/object-members.js';
import { enclosingFunction, skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import { FactoryUses } from './factory-uses.js';
import type { SdkContract } from './sdk-contract.js';
import { definitionNodes } from './wrappers.js';

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
  const uses = new FactoryUses(project, evaluator, contract);
  const sites: DefinitionSite[] = [];
  const calls: DefinitionSite[] = [];
  // What a factory call takes directly is known by now: what is expected of it would cost the inference of the call.
  const given = new Set<ts.Node>();
  const visit = (node: ts.Node): true => {
    if (ts.isIdentifier(node) || ts.isElementAccessExpression(node)) {
      calls.push(...uses.at(node));
    } else if (ts.isCallExpression(node) && contract.isFactoryCall(node)) {
      const [definition] = node.arguments;
      if (definition !== undefined) {
        given.add(skipWrappers.inward(definition));
        calls.push({ node, value: valueOf(definition, EMPTY_SCOPE) });
      }
    } else if (ts.isClassLike(node) && isToolClass(evaluator, contract, node)) {
      sites.push({ node, value: constructInstance(evaluator, node, () => null, EMPTY_SCOPE) });
    } else if (ts.isCallExpression(node) && isGlobalMember(node.expression, 'Object', 'assign')) {
      if (!given.has(node) && node.arguments.some((argument) => contract.isTool(argument))) {
        sites.push({ node, value: valueOf(node, EMPTY_SCOPE) });
      }
    } else if (
      ts.isObjectLiteralExpression(node) &&
      !given.has(node) &&
      ((mayHaveCode(node) && (contract.isExpectedTool(node) || isUsedLater(evaluator, contract, node))) ||
        spreadsTool(contract, node))
    ) {
      sites.push({ node, value: valueOf(node, EMPTY_SCOPE) });
    }
    return true;
  };
  project.sourceFiles.forEach((file) => {
    walk(file, visit);
  });
  // A literal or a class that a factory call takes is the call's tool, not a second one.
  const taken = new Set(calls.flatMap(({ value }) => definitionNodes(evaluator, value)));
  return [...calls, ...sites.filter(({ node }) => !taken.has(node))].sort((a, b) =>
    bySource(project, a.node, b.node),
  );
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
  // What is exported may be constructed by whoever takes it.
  return !isExported(node) && isExtended && uses.every((reference) => isExtends(reference));
}

function isExported(node: ts.ClassLikeDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;
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
    return (
      ts.isNewExpression(call) && (contract.isExpectedTool(call) || isUsedLater(evaluator, contract, call))
    );
  });
}

function hasMember(node: ts.ClassLikeDeclaration, name: string): boolean {
  return node.members.some((member) => member.name?.getText() === name);
}

/** An object in a variable, or that a function answers, is a tool where that is put in a tool's place. */
function isUsedLater(evaluator: Evaluator, contract: SdkContract, node: ts.Expression): boolean {
  const { parent } = skipWrappers.outward(node);
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) {
    const symbol = evaluator.references.symbolAt(parent.name);
    return (
      symbol !== undefined &&
      evaluator.references.referencesTo(symbol).some((reference) => contract.isExpectedTool(reference))
    );
  }
  const fn = ts.isReturnStatement(parent) ? enclosingFunction(parent) : parent;
  return (
    fn !== null &&
    (ts.isFunctionDeclaration(fn) || ts.isFunctionExpression(fn) || ts.isArrowFunction(fn)) &&
    callersOf(evaluator.checker, evaluator.references, fn).calls.some((call) => contract.isExpectedTool(call))
  );
}

const MEMBERS: ReadonlySet<string> = new Set(Object.values(TOOL_MEMBERS));

/** Cheap, so that the compiler is asked about few literals: there is code, or it may come with a spread. */
function mayHaveCode(node: ts.ObjectLiteralExpression): boolean {
  let isOpen = false;
  let members = 0;
  for (const property of node.properties) {
    const name = writtenName(property);
    if (name === TOOL_MEMBERS.execute) {
      return true;
    }
    isOpen ||= name === null;
    members += name !== null && MEMBERS.has(name) ? 1 : 0;
  }
  return members > (isOpen ? 0 : 1);
}

/** `{ ...tool, execute }`: a tool, wherever it goes. */
function spreadsTool(contract: SdkContract, node: ts.ObjectLiteralExpression): boolean {
  let hasMember = false;
  const spread: ts.Expression[] = [];
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      spread.push(property.expression);
    } else {
      const name = writtenName(property);
      hasMember ||= name === null || MEMBERS.has(name);
    }
  }
  return hasMember && spread.some((expression) => contract.isTool(expression));
}

/** A member's name as it is written; null where it is computed, or spread. */
function writtenName(property: ts.ObjectLiteralElementLike): string | null {
  const { name } = property;
  if (name === undefined) {
    return null;
  }
  if (ts.isComputedPropertyName(name)) {
    return ts.isStringLiteralLike(name.expression) ? name.expression.text : null;
  }
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : '';
}

function bySource(project: LoadedProject, a: ts.Node, b: ts.Node): number {
  const [fileA, fileB] = [a.getSourceFile(), b.getSourceFile()];
  return fileA === fileB
    ? a.getStart() - b.getStart()
    : project.relative(fileA.fileName).localeCompare(project.relative(fileB.fileName), 'en');
}
