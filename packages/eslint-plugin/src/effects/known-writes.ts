import {
  isTemporaryPath,
  loadCatalogue,
  UNKNOWN,
  type AbstractValue,
  type Catalogue,
  type ChainedCall,
} from '@toolwright/catalogue';
import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { bare, descendants, parentOf, staticName } from '../references/ast-shapes.js';
import { isPathSpecifier } from '../references/module-path.js';
import { valueOrigins } from '../references/value-origins.js';
import { abstractValue } from './abstract-values.js';
import { libraryPath } from './library-paths.js';

type Source = Readonly<TSESLint.SourceCode>;
type Call = TSESTree.CallExpression | TSESTree.NewExpression;

/** A call that certainly writes outside of the process. */
export interface KnownWrite {
  /** What the catalogue rests it on, as a clause: `POST writes`. */
  readonly reason: string;
  /** Whether it writes files of this machine. */
  readonly isLocal: boolean;
}

// Read once, and only when a file has a call worth asking about.
let catalogue: Catalogue | null = null;

const PATH_MODULE = /^(?:node:)?(?:path(?:\/(?:posix|win32))?|os|url|process|fs(?:\/promises)?)$/u;

/**
 * Whether a call writes, whatever its arguments turn out to be. Null for a read, and for every call of
 * which the file does not say it.
 */
export function knownWrite(call: Call, source: Source): KnownWrite | null {
  const where = libraryPath(call.callee, source);
  // The project's own modules are in no catalogue.
  if (where === null || where.path.length === 0 || isPathSpecifier(where.module)) {
    return null;
  }
  catalogue ??= loadCatalogue();
  const value = catalogue.valueAt(where);
  if (value === null) {
    return null;
  }
  const found = catalogue.classify(value, {
    arguments: valuesOf(call, source),
    ...receiverOf(call, source),
    chain: chainOf(call, source),
  });
  const isWrite = found?.effect === 'local' || found?.effect === 'remote' || found?.effect === 'content';
  if (!isWrite || found.certainty !== 'always' || found.confidence !== 'proven' || found.isAssumed) {
    return null;
  }
  if (found.effect === 'local' && mayBeElsewhere(call, source)) {
    return null;
  }
  return { reason: found.reason, isLocal: found.effect === 'local' };
}

function receiverOf(call: Call, source: Source): { receiver?: AbstractValue } {
  const callee = bare(call.callee);
  return callee.type === AST_NODE_TYPES.MemberExpression
    ? { receiver: abstractValue(callee.object, source) }
    : {};
}

/** The calls chained on a call's result in the same expression, in order. */
function chainOf(call: Call, source: Source): ChainedCall[] {
  const chain: ChainedCall[] = [];
  for (let next = chainedCall(call); next !== null; next = chainedCall(next.call)) {
    chain.push({ name: next.name, arguments: valuesOf(next.call, source) });
  }
  return chain;
}

function chainedCall(call: Call): { call: TSESTree.CallExpression; name: string } | null {
  const member = parentOf(call);
  const next =
    member?.type === AST_NODE_TYPES.MemberExpression && member.object === call ? parentOf(member) : null;
  return member?.type === AST_NODE_TYPES.MemberExpression &&
    next?.type === AST_NODE_TYPES.CallExpression &&
    next.callee === member
    ? { call: next, name: staticName(member) ?? '' }
    : null;
}

function valuesOf(call: Call, source: Source): AbstractValue[] {
  return call.arguments.map((argument) =>
    argument.type === AST_NODE_TYPES.SpreadElement ? UNKNOWN : abstractValue(argument, source),
  );
}

/**
 * Whether a path comes from another module, which may lead to the temporary folder: what lies there
 * is no write, and this file can't tell.
 */
function mayBeElsewhere(call: Call, source: Source): boolean {
  const [path] = call.arguments;
  return path !== undefined && leadsElsewhere(path, source);
}

/** Whether a value is a path below the temporary folder, or may be one. */
export function mayBeTemporary(value: TSESTree.Node, source: Source): boolean {
  return isTemporaryPath(abstractValue(value, source)) || leadsElsewhere(value, source);
}

function leadsElsewhere(path: TSESTree.Node, source: Source): boolean {
  return descendants(path).some(
    (node) =>
      node.type === AST_NODE_TYPES.Identifier &&
      valueOrigins(node, source).some(
        (origin) =>
          (origin.kind === 'module' && !PATH_MODULE.test(origin.module)) ||
          (origin.kind === 'node' &&
            origin.node !== node &&
            descendants(origin.node).some((inner) => comesFromElsewhere(inner, source))),
      ),
  );
}

function comesFromElsewhere(node: TSESTree.Node, source: Source): boolean {
  return (
    node.type === AST_NODE_TYPES.Identifier &&
    valueOrigins(node, source).some((origin) => origin.kind === 'module' && !PATH_MODULE.test(origin.module))
  );
}
