import { AST_NODE_TYPES, ASTUtils, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dressed,
  enclosingFunction,
  returnedExpressions,
  staticName,
  type FunctionNode,
} from '../../references/ast-shapes.js';
import { isPathSpecifier } from '../../references/module-path.js';
import { valueOrigins } from '../../references/value-origins.js';
import { isRunOnTheSpot } from './safe-factories.js';
import type { TypeInformation } from '../../types/type-information.js';

type Source = Readonly<TSESLint.SourceCode>;

/**
 * Factories of which this file does not say whether they are handed to the safe wrapper, because another
 * file can do it: it imports them, or they are given to its function. With types, whoever calls such a
 * factory for anything else is seen.
 */
export class FactoriesForOthers {
  readonly #source: Source;
  readonly #types: TypeInformation | null;
  readonly #byFunction = new Map<FunctionNode, boolean>();

  constructor(source: Source, types: TypeInformation | null) {
    this.#source = source;
    this.#types = types;
  }

  /** Whether a raw handler is what such a factory answers. */
  isAnswerOf(node: TSESTree.Node): boolean {
    const fn = enclosingFunction(node);
    return fn !== null && this.#answers(fn, node) && this.#isForOthers(fn);
  }

  #answers(fn: FunctionNode, node: TSESTree.Node): boolean {
    return returnedExpressions(fn).some((returned) => this.#isMadeOf(returned, bare(node)));
  }

  /** Whether a value is a node, or what a call or a class makes out of it: `logged(new RawPages())`. */
  #isMadeOf(value: TSESTree.Node, node: TSESTree.Node): boolean {
    const expression = bare(value);
    if (expression === node) {
      return true;
    }
    switch (expression.type) {
      case AST_NODE_TYPES.AwaitExpression:
        return this.#isMadeOf(expression.argument, node);
      case AST_NODE_TYPES.ConditionalExpression:
        return [expression.consequent, expression.alternate].some((side) => this.#isMadeOf(side, node));
      case AST_NODE_TYPES.CallExpression:
      case AST_NODE_TYPES.NewExpression:
        return expression.arguments.some((argument) => this.#isMadeOf(argument, node));
      case AST_NODE_TYPES.Identifier:
        return valueOrigins(expression, this.#source).some(
          (origin) => origin.kind === 'node' && origin.node === node,
        );
      default:
        return false;
    }
  }

  #isForOthers(fn: FunctionNode): boolean {
    const known = this.#byFunction.get(fn);
    if (known !== undefined) {
      return known;
    }
    const isForOthers = this.#isGivenAway(fn) || this.#isExportedForOthers(fn);
    this.#byFunction.set(fn, isForOthers);
    return isForOthers;
  }

  /** `guarded('pages', () => new RawPages())`, where `guarded` is of another file of the project. */
  #isGivenAway(fn: FunctionNode): boolean {
    const argument = dressed(fn);
    const { parent } = argument;
    return (
      this.#types === null &&
      !isRunOnTheSpot(fn) &&
      parent?.type === AST_NODE_TYPES.CallExpression &&
      parent.callee !== argument &&
      valueOrigins(parent.callee, this.#source).some(
        (origin) => origin.kind === 'module' && isPathSpecifier(origin.module),
      )
    );
  }

  #isExportedForOthers(fn: FunctionNode): boolean {
    const names = exportedNames(fn, this.#source);
    return names.some((name) => name === 'default' || this.#isMentionedElsewhere(name));
  }

  #isMentionedElsewhere(name: string): boolean {
    if (this.#types === null) {
      // The other files are out of sight.
      return true;
    }
    const own = this.#types.nodeOf(this.#source.ast).getSourceFile();
    const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'u');
    return this.#types.program
      .getSourceFiles()
      .some((file) => !file.isDeclarationFile && file !== own && word.test(file.text));
  }
}

/** The names under which a file exports a function: its own, or that of the object that it is a member of. */
function exportedNames(value: TSESTree.Node, source: Source): readonly string[] {
  const holder = holderOf(dressed(value));
  const { parent } = holder;
  if (parent?.type === AST_NODE_TYPES.ExportDefaultDeclaration) {
    return ['default'];
  }
  if (holder.type === AST_NODE_TYPES.FunctionDeclaration) {
    return namesOf(holder.id, holder, source);
  }
  if (parent?.type === AST_NODE_TYPES.AssignmentExpression) {
    return isCommonJsExport(parent.left) ? ['default'] : [];
  }
  return parent?.type === AST_NODE_TYPES.VariableDeclarator && parent.id.type === AST_NODE_TYPES.Identifier
    ? namesOf(parent.id, parent.parent, source)
    : [];
}

/** The outermost object literal that a value is a member of, or the value itself. */
function holderOf(node: TSESTree.Node): TSESTree.Node {
  const property = node.parent;
  return property?.type === AST_NODE_TYPES.Property &&
    property.value === node &&
    property.parent.type === AST_NODE_TYPES.ObjectExpression
    ? holderOf(dressed(property.parent))
    : node;
}

function namesOf(
  id: TSESTree.Identifier | null,
  declaration: TSESTree.Node,
  source: Source,
): readonly string[] {
  if (id === null) {
    return [];
  }
  const isExported = declaration.parent?.type === AST_NODE_TYPES.ExportNamedDeclaration;
  const references = ASTUtils.findVariable(source.getScope(id), id.name)?.references ?? [];
  return [
    ...(isExported ? [id.name] : []),
    ...references.flatMap(({ identifier, init }) => (init === true ? [] : exportOf(identifier, source))),
  ];
}

function exportOf(identifier: TSESTree.Node, source: Source): readonly string[] {
  const { parent } = identifier;
  if (parent?.type === AST_NODE_TYPES.ExportSpecifier) {
    const { exported } = parent;
    return [exported.type === AST_NODE_TYPES.Identifier ? exported.name : exported.value];
  }
  const isValue =
    parent?.type === AST_NODE_TYPES.ExportDefaultDeclaration ||
    (parent?.type === AST_NODE_TYPES.AssignmentExpression && parent.right === identifier) ||
    (parent?.type === AST_NODE_TYPES.Property && parent.value === identifier);
  return isValue ? exportedNames(identifier, source) : [];
}

/** `module.exports`, `exports.open` and `module.exports.open`. */
function isCommonJsExport(target: TSESTree.Node): boolean {
  if (target.type !== AST_NODE_TYPES.MemberExpression) {
    return false;
  }
  const { object } = target;
  return object.type === AST_NODE_TYPES.Identifier
    ? object.name === 'exports' || (object.name === 'module' && staticName(target) === 'exports')
    : isCommonJsExport(object);
}
