import { ts } from '../../../engine/typescript.mjs';
import { Evaluator } from '../../compiler/evaluator.js';
import { EMPTY_SCOPE, type FunctionNode, type KnownContract, valueOf } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import { contains, walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { RawHandlerFacts } from '../../model/fact-base.js';
import { candidateFiles } from './candidate-files.js';
import { classOf, isOpen } from './class-values.js';
import { RawHandlerUses } from './find-uses.js';
import { importedName } from './imported-name.js';
import { RawHandlerTypes } from './raw-handler-types.js';
import { SafeZones } from './safe-zones.js';

const NO_CONTRACT: KnownContract = { constantOf: () => undefined, isIdentityCall: () => false };

/**
 * Finds every place outside the safe wrapper's factory that constructs, obtains or uses a raw handler.
 *
 * @param configuredNames - names of classes or types that are raw handlers, whatever they implement
 */
export function collectRawHandlerFacts(
  project: LoadedProject,
  configuredNames: readonly string[],
): RawHandlerFacts {
  const candidates = candidateFiles(project, configuredNames, new Set());
  if (candidates.length === 0) {
    return { isPresent: false, uses: [] };
  }
  const evaluator = new Evaluator(project, NO_CONTRACT);
  const types = new RawHandlerTypes(project, configuredNames);
  const zones = new SafeZones(project, evaluator, candidates);
  const returned = zones.factories.flatMap((factory) => classesReturnedBy(evaluator, types, factory));
  returned.forEach((node) => {
    types.addReturned(node);
  });
  const declaring = new Set(returned.map((node) => node.getSourceFile()));
  const checked = new Set(project.sourceFiles);
  // Where a module is not there, nothing but the name leads to the other files that import it.
  const names = [...configuredNames, ...types.returnedImports.map(({ name }) => name)];
  const files = candidateFiles(project, names, declaring).filter((file) => checked.has(file));
  const uses = new RawHandlerUses(project, evaluator, types, zones).find(files);
  const isDeclared = files.some((file) => declaresHandler(types, file));
  const wraps = zones.wrapperCalls.some((call) => checked.has(call.getSourceFile()));
  return { isPresent: isDeclared || wraps || uses.length > 0, uses };
}

function declaresHandler(types: RawHandlerTypes, file: ts.SourceFile): boolean {
  return contains(file, (node) => ts.isClassLike(node) && types.isRawDeclaration(node));
}

/** The classes of which a factory answers an object; one whose declaration is not there is noted by its import. */
function classesReturnedBy(
  evaluator: Evaluator,
  types: RawHandlerTypes,
  factory: FunctionNode,
): readonly ts.ClassLikeDeclaration[] {
  return returnedExpressions(factory).flatMap((expression) => {
    const value = evaluator.reduce(valueOf(expression, EMPTY_SCOPE));
    if (value.kind === 'instance') {
      return [value.node];
    }
    const made = skipWrappers.inward(expression);
    if (!ts.isNewExpression(made)) {
      return [];
    }
    const type = evaluator.checker.getTypeAtLocation(made);
    const declared = classOf(type);
    const imported = isOpen(type) ? importedName(made.expression, evaluator.checker) : null;
    if (imported !== null) {
      types.addReturnedImport(imported);
    }
    return declared !== null && ts.isClassLike(declared) ? [declared] : [];
  });
}

function returnedExpressions(factory: FunctionNode): readonly ts.Expression[] {
  const { body } = factory;
  if (body === undefined) {
    return [];
  }
  if (!ts.isBlock(body)) {
    return [body];
  }
  const found: ts.Expression[] = [];
  walk(body, (node) => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) {
      return false;
    }
    if (ts.isReturnStatement(node) && node.expression !== undefined) {
      found.push(node.expression);
    }
    return true;
  });
  return found;
}
