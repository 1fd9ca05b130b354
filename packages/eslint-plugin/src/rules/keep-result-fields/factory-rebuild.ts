import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { derivesFrom, fieldRead, variablesBehind } from '../../contract/field-reads.js';
import { factoryKind, type ResultKind } from '../../contract/result-ends.js';
import type { PossibleKind } from '../../contract/typed-results.js';
import { bare, dressed, staticName } from '../../references/ast-shapes.js';
import { isExport } from '../../references/origin.js';
import { valueOrigins } from '../../references/value-origins.js';
import { SDK_MODULE, TARGET_FACTORY, TARGET_FIELDS, TARGET_TYPE } from '@toolwright/sdk/contract-names';
import type { LiveResult, LiveResults } from './live-results.js';

type Source = Readonly<TSESLint.SourceCode>;
type Variable = TSESLint.Scope.Variable;

/** A call that makes a new result out of, or beside, one that is at hand, and what it forgets of that one. */
export interface FactoryRebuild {
  readonly call: TSESTree.CallExpression;
  /** The name of the result that goes in. */
  readonly name: string;
  /** Fields that do not come out; never empty. */
  readonly lost: readonly string[];
  /** A new error beside a result, rather than that result with another content. */
  readonly isFresh: boolean;
  /** The call that keeps the fields, as code; null where only its author knows. */
  readonly replacement: string | null;
}

const WITH_ARTIFACTS: ReadonlySet<ResultKind> = new Set(['text', 'wrote']);
const FAILURES: ReadonlySet<ResultKind> = new Set(['error', 'refused']);
// A failure that is made anew can forget a write; a text that is made anew says nothing of an earlier one.
const FRESH: ReadonlySet<ResultKind> = new Set(['error', 'refused', 'unchanged']);

export function factoryRebuild(
  call: TSESTree.CallExpression,
  results: LiveResults,
  source: Source,
): FactoryRebuild | null {
  const factory = factoryKind(call, source);
  if (factory === null || call.arguments.some(({ type }) => type === AST_NODE_TYPES.SpreadElement)) {
    return null;
  }
  const behind = call.arguments.reduce(
    (found, argument) => variablesBehind(argument, source, found),
    new Set<Variable>(),
  );
  const used = [...behind].flatMap((variable) => results.resultIn(variable, call) ?? []);
  const content = contentOf(call, factory);
  const [only] = used;
  if (only !== undefined && content !== null && derivesFrom(content, only.variable, source, 'content')) {
    // Several results that go into one are a summary of them, no rebuild of one.
    return used.length === 1 ? rebuildOf(call, factory, content, only, results, source) : null;
  }
  if (!FRESH.has(factory) || hasOptions(call, factory) || !isAnswer(call)) {
    return null;
  }
  for (const live of results.atHand(call)) {
    const rebuild = freshBeside(call, live, results);
    if (rebuild !== null) {
      return rebuild;
    }
  }
  return null;
}

function rebuildOf(
  call: TSESTree.CallExpression,
  factory: ResultKind,
  content: TSESTree.Node,
  live: LiveResult,
  results: LiveResults,
  source: Source,
): FactoryRebuild | null {
  const kinds = results.kindsAt(live, call);
  if (kinds === null || kinds.length === 0) {
    return null;
  }
  const { variable } = live;
  const options = optionsOf(call, factory);
  const lost: string[] = [];
  if (losesTarget(call, factory, kinds, options, variable, source)) {
    lost.push('target');
  }
  if (factory !== 'error' && kinds.some(({ kind }) => FAILURES.has(kind) !== FAILURES.has(factory))) {
    lost.push('isError');
  }
  if (
    results.hasArtifacts(live) &&
    kinds.some(({ kind }) => WITH_ARTIFACTS.has(kind)) &&
    losesArtifacts(factory, options, variable, source)
  ) {
    lost.push('artifacts');
  }
  if (lost.length === 0) {
    return null;
  }
  return {
    call,
    name: variable.name,
    lost,
    isFresh: false,
    replacement: replacementFor(factory, kinds, content, options, variable, source),
  };
}

function freshBeside(
  call: TSESTree.CallExpression,
  live: LiveResult,
  results: LiveResults,
): FactoryRebuild | null {
  const kinds = results.kindsAt(live, call);
  if (!kinds?.some(({ target }) => target !== 'absent')) {
    return null;
  }
  return { call, name: live.variable.name, lost: ['target'], isFresh: true, replacement: null };
}

function hasOptions(call: TSESTree.CallExpression, factory: ResultKind): boolean {
  return factory === 'error' && call.arguments[1] !== undefined;
}

/** Whether a call's value is what a function answers, or is kept: not what it only shows to another function. */
function isAnswer(call: TSESTree.CallExpression): boolean {
  const outer = dressed(call);
  switch (outer.parent?.type) {
    case AST_NODE_TYPES.ReturnStatement:
    case AST_NODE_TYPES.ArrowFunctionExpression:
    case AST_NODE_TYPES.VariableDeclarator:
    case AST_NODE_TYPES.AssignmentExpression:
      return true;
    case AST_NODE_TYPES.ConditionalExpression:
    case AST_NODE_TYPES.LogicalExpression:
    case AST_NODE_TYPES.AwaitExpression:
      return isAnswerParent(outer.parent);
    default:
      return false;
  }
}

function isAnswerParent(node: TSESTree.Node): boolean {
  const outer = dressed(node);
  return (
    outer.parent?.type === AST_NODE_TYPES.ReturnStatement ||
    outer.parent?.type === AST_NODE_TYPES.ArrowFunctionExpression ||
    outer.parent?.type === AST_NODE_TYPES.VariableDeclarator ||
    (outer.parent?.type === AST_NODE_TYPES.ConditionalExpression && isAnswerParent(outer.parent))
  );
}

function contentOf(call: TSESTree.CallExpression, factory: ResultKind): TSESTree.Node | null {
  return call.arguments[factory === 'wrote' ? 1 : 0] ?? null;
}

/** The options of a factory: an object of this file, something else (`unknown`), or none. */
function optionsOf(
  call: TSESTree.CallExpression,
  factory: ResultKind,
): TSESTree.ObjectExpression | 'none' | 'unknown' {
  const argument = call.arguments[factory === 'wrote' ? 2 : 1];
  if (argument === undefined) {
    return 'none';
  }
  const object = bare(argument);
  return object.type === AST_NODE_TYPES.ObjectExpression &&
    object.properties.every(({ type }) => type === AST_NODE_TYPES.Property)
    ? object
    : 'unknown';
}

function optionValue(options: TSESTree.ObjectExpression, name: string): TSESTree.Node | null {
  for (const property of options.properties) {
    if (property.type === AST_NODE_TYPES.Property && staticName(property) === name) {
      return property.value;
    }
  }
  return null;
}

function losesTarget(
  call: TSESTree.CallExpression,
  factory: ResultKind,
  kinds: readonly PossibleKind[],
  options: ReturnType<typeof optionsOf>,
  variable: Variable,
  source: Source,
): boolean {
  if (!kinds.some(({ target }) => target !== 'absent')) {
    return false;
  }
  if (factory === 'wrote') {
    const [target] = call.arguments;
    return target !== undefined && losesPartOfTarget(target, variable, source);
  }
  if (factory !== 'error') {
    return true;
  }
  if (options === 'unknown') {
    return false;
  }
  const target = options === 'none' ? null : optionValue(options, 'target');
  return target === null || losesPartOfTarget(target, variable, source);
}

/** `WriteTarget.of(result.target.table, 1)` names a record that the result did not write. */
function losesPartOfTarget(target: TSESTree.Node, variable: Variable, source: Source): boolean {
  const node = bare(target);
  if (
    node.type !== AST_NODE_TYPES.CallExpression ||
    !valueOrigins(node.callee, source).some((origin) =>
      isExport(origin, SDK_MODULE, TARGET_TYPE, TARGET_FACTORY),
    )
  ) {
    return false;
  }
  const kept = TARGET_FIELDS.map((_, index) => {
    const argument = node.arguments[index];
    return argument !== undefined && derivesFrom(argument, variable, source, 'target');
  });
  return kept.includes(true) && kept.includes(false);
}

function losesArtifacts(
  factory: ResultKind,
  options: ReturnType<typeof optionsOf>,
  variable: Variable,
  source: Source,
): boolean {
  if (!WITH_ARTIFACTS.has(factory) || options === 'unknown') {
    // A failure carries none, by its type.
    return false;
  }
  const artifacts = options === 'none' ? null : optionValue(options, 'artifacts');
  return artifacts === null || !derivesFrom(artifacts, variable, source, 'artifacts');
}

function replacementFor(
  factory: ResultKind,
  kinds: readonly PossibleKind[],
  content: TSESTree.Node,
  options: ReturnType<typeof optionsOf>,
  variable: Variable,
  source: Source,
): string | null {
  // An error that is made of a success means to fail; `withContent` would not.
  if (factory === 'error' && kinds.some(({ kind }) => !FAILURES.has(kind))) {
    return null;
  }
  const rebuilt = `${variable.name}.withContent(${source.getText(content)})`;
  const artifacts = typeof options === 'string' ? null : optionValue(options, 'artifacts');
  if (artifacts === null || fieldRead(artifacts, variable, source) === 'artifacts') {
    return rebuilt;
  }
  return kinds.every(({ kind }) => WITH_ARTIFACTS.has(kind)) &&
    derivesFrom(artifacts, variable, source, 'artifacts')
    ? `${rebuilt}.withArtifacts(${source.getText(artifacts)})`
    : null;
}
