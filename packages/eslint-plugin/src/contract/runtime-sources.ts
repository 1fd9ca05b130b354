import { AST_NODE_TYPES, ASTUtils, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { bare, visitOwn } from '../references/ast-shapes.js';
import { isGlobal, withoutGlobalObject, type Origin } from '../references/origin.js';
import { valueOrigins } from '../references/value-origins.js';

type Source = Readonly<TSESLint.SourceCode>;

const GLOBAL_SOURCES: readonly (readonly string[])[] = [
  ['process', 'env'],
  ['process', 'argv'],
  ['Deno', 'env'],
  ['Deno', 'args'],
  ['Bun', 'env'],
  ['Bun', 'argv'],
  ['localStorage'],
  ['sessionStorage'],
];

const GLOBAL_CALLS: readonly (readonly string[])[] = [
  ['JSON', 'parse'],
  ['Math', 'random'],
  ['Date', 'now'],
  ['crypto', 'randomUUID'],
];

const FILE_READS: ReadonlySet<string> = new Set(['readFile', 'readFileSync']);
const FILE_MODULE = /^(?:node:)?fs(?:\/promises)?$/u;
const PROCESS_MODULE = /^(?:node:)?process$/u;
const PROCESS_MEMBERS: ReadonlySet<string> = new Set(['env', 'argv']);

const MAX_DEPTH = 8;

/**
 * What an expression reads that is only known when the code runs: the environment, the command line,
 * a file, JSON, chance. Null where the file shows nothing of the kind.
 */
export function runtimeSource(expression: TSESTree.Node, source: Source, depth = 0): string | null {
  if (depth > MAX_DEPTH) {
    return null;
  }
  let found: string | null = null;
  visitOwn(expression, (node) => {
    found ??= sourceOfNode(node, source, depth);
  });
  return found;
}

function sourceOfNode(node: TSESTree.Node, source: Source, depth: number): string | null {
  switch (node.type) {
    case AST_NODE_TYPES.MemberExpression:
      return isImportMetaEnv(node)
        ? 'import.meta.env'
        : (nameOfSource(valueOrigins(node, source)) ?? nameOfSource(valueOrigins(node.object, source)));
    case AST_NODE_TYPES.CallExpression:
      return nameOfCall(valueOrigins(node.callee, source));
    case AST_NODE_TYPES.Identifier:
      return sourceOfName(node, source, depth);
    default:
      return null;
  }
}

function isImportMetaEnv(node: TSESTree.MemberExpression): boolean {
  return (
    node.object.type === AST_NODE_TYPES.MetaProperty &&
    node.property.type === AST_NODE_TYPES.Identifier &&
    node.property.name === 'env'
  );
}

function nameOfSource(origins: readonly Origin[]): string | null {
  for (const origin of origins) {
    if (origin.kind === 'global') {
      const hit = GLOBAL_SOURCES.find((path) => startsWith(origin, path));
      if (hit !== undefined) {
        return hit.join('.');
      }
    }
    if (origin.kind === 'module') {
      if (isJsonModule(origin.module)) {
        return `the JSON file ${origin.module}`;
      }
      const member = origin.path[0] === 'default' ? origin.path[1] : origin.path[0];
      if (PROCESS_MODULE.test(origin.module) && member !== undefined && PROCESS_MEMBERS.has(member)) {
        return `process.${member}`;
      }
    }
  }
  return null;
}

export function isJsonModule(module: string): boolean {
  return /\.json[c5]?$/u.test(module);
}

function nameOfCall(origins: readonly Origin[]): string | null {
  for (const origin of origins) {
    const hit = GLOBAL_CALLS.find((path) => isGlobal(origin, ...path));
    if (hit !== undefined) {
      return `${hit.join('.')}()`;
    }
    const name = origin.kind === 'module' ? origin.path.at(-1) : undefined;
    if (
      origin.kind === 'module' &&
      FILE_MODULE.test(origin.module) &&
      name !== undefined &&
      FILE_READS.has(name)
    ) {
      return `a file (${name})`;
    }
  }
  return null;
}

function sourceOfName(node: TSESTree.Identifier, source: Source, depth: number): string | null {
  // A property's name and a member's are no reads of a variable.
  const { parent } = node;
  if (
    (parent.type === AST_NODE_TYPES.MemberExpression && parent.property === node && !parent.computed) ||
    (parent.type === AST_NODE_TYPES.Property && parent.key === node && !parent.shorthand)
  ) {
    return null;
  }
  const named = nameOfSource(valueOrigins(node, source));
  if (named !== null) {
    return named;
  }
  const variable = ASTUtils.findVariable(source.getScope(node), node.name);
  for (const definition of variable?.defs ?? []) {
    if (definition.type === TSESLint.Scope.DefinitionType.Variable && definition.node.init !== null) {
      const found = runtimeSource(bare(definition.node.init), source, depth + 1);
      if (found !== null) {
        return found;
      }
    }
  }
  return null;
}

function startsWith(origin: Extract<Origin, { kind: 'global' }>, path: readonly string[]): boolean {
  const found = withoutGlobalObject(origin.path);
  return path.every((name, index) => found[index] === name);
}
