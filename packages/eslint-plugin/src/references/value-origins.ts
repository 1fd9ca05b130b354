import { AST_NODE_TYPES, ASTUtils, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { SDK_MODULE, TOOL_DEFINITIONS } from '@toolwright/sdk/contract-names';
import {
  bare,
  enclosingClasses,
  isClass,
  isFunction,
  returnedExpressions,
  staticName,
  stringValue,
  type ClassNode,
  type FunctionNode,
} from './ast-shapes.js';
import { isExport, isGlobal, memberOfOrigin, type Origin } from './origin.js';

// Far above what written code has; it only ends a search in generated or circular code.
const MAX_STEPS = 400;
const MAX_DEPTH = 40;

// A node belongs to one source, and several rules ask for the same ones.
const byNode = new WeakMap<TSESTree.Node, readonly Origin[]>();

interface Search {
  readonly source: Readonly<TSESLint.SourceCode>;
  readonly active: Set<TSESTree.Node>;
  steps: number;
}

/**
 * Where the value of an expression can come from: through constants, aliases, destructuring,
 * conditionals, object and class members, `require`, dynamic `import` and functions of this file.
 * Empty where the file does not say.
 */
export function valueOrigins(node: TSESTree.Node, source: Readonly<TSESLint.SourceCode>): readonly Origin[] {
  const known = byNode.get(node);
  if (known !== undefined) {
    return known;
  }
  const origins = follow(node, { source, active: new Set(), steps: 0 });
  byNode.set(node, origins);
  return origins;
}

function follow(expression: TSESTree.Node, search: Search): Origin[] {
  const node = bare(expression);
  search.steps += 1;
  if (search.steps > MAX_STEPS || search.active.size > MAX_DEPTH || search.active.has(node)) {
    return [];
  }
  search.active.add(node);
  const found = followNode(node, search);
  search.active.delete(node);
  return found;
}

function followNode(node: TSESTree.Node, search: Search): Origin[] {
  switch (node.type) {
    case AST_NODE_TYPES.Identifier:
      return followIdentifier(node, search);
    case AST_NODE_TYPES.MemberExpression: {
      const name = memberName(node, search);
      if (name === null) {
        return [];
      }
      if (node.object.type === AST_NODE_TYPES.ThisExpression) {
        return followThisMember(node.object, name, search);
      }
      return membersOf(follow(node.object, search), name, search);
    }
    case AST_NODE_TYPES.AwaitExpression:
      return follow(node.argument, search);
    case AST_NODE_TYPES.ConditionalExpression:
      return [...follow(node.consequent, search), ...follow(node.alternate, search)];
    case AST_NODE_TYPES.LogicalExpression:
      return node.operator === '&&'
        ? follow(node.right, search)
        : [...follow(node.left, search), ...follow(node.right, search)];
    case AST_NODE_TYPES.AssignmentExpression:
      return node.operator === '=' ? follow(node.right, search) : [];
    case AST_NODE_TYPES.ImportExpression: {
      const module = stringValue(node.source);
      return module === null ? [] : [{ kind: 'module', module, path: [] }];
    }
    case AST_NODE_TYPES.CallExpression:
      return followCall(node, search);
    default:
      return [{ kind: 'node', node }];
  }
}

function memberName(node: TSESTree.MemberExpression, search: Search): string | null {
  const name = staticName(node);
  if (name !== null || !node.computed) {
    return name;
  }
  const keys = follow(node.property, search);
  const only = keys.length === 1 ? keys[0] : undefined;
  return only?.kind === 'node' ? stringValue(only.node) : null;
}

function followIdentifier(node: TSESTree.Identifier, search: Search): Origin[] {
  const variable = ASTUtils.findVariable(search.source.getScope(node), node.name);
  if (variable === null || variable.defs.length === 0) {
    return [{ kind: 'global', path: [node.name] }];
  }
  return variable.defs.flatMap((definition) => followDefinition(variable, definition, search));
}

function followDefinition(
  variable: TSESLint.Scope.Variable,
  definition: TSESLint.Scope.Definition,
  search: Search,
): Origin[] {
  const { DefinitionType } = TSESLint.Scope;
  switch (definition.type) {
    case DefinitionType.ImportBinding:
      return followImport(definition.node);
    case DefinitionType.Variable: {
      const values = assignedValues(variable, definition.node, search);
      if (values.length > 0) {
        return values;
      }
      const path = patternPath(definition.node.id, variable.name) ?? [];
      return [{ kind: 'declared', declaration: definition.node, identifier: definition.name, path }];
    }
    case DefinitionType.FunctionName:
    case DefinitionType.ClassName:
      return [{ kind: 'node', node: definition.node }];
    case DefinitionType.Parameter:
      return isFunction(definition.node) && definition.name.type === AST_NODE_TYPES.Identifier
        ? followParameter(definition.node, definition.name, search)
        : [];
    default:
      return [];
  }
}

function followImport(
  node:
    | TSESTree.ImportDefaultSpecifier
    | TSESTree.ImportNamespaceSpecifier
    | TSESTree.ImportSpecifier
    | TSESTree.TSImportEqualsDeclaration,
): Origin[] {
  if (node.type === AST_NODE_TYPES.TSImportEqualsDeclaration) {
    const reference = node.moduleReference;
    if (reference.type !== AST_NODE_TYPES.TSExternalModuleReference) {
      return [];
    }
    const module = stringValue(reference.expression);
    return module === null ? [] : [{ kind: 'module', module, path: [] }];
  }
  const module = (node.parent as TSESTree.ImportDeclaration).source.value;
  if (node.type === AST_NODE_TYPES.ImportNamespaceSpecifier) {
    return [{ kind: 'module', module, path: [] }];
  }
  if (node.type === AST_NODE_TYPES.ImportDefaultSpecifier) {
    return [{ kind: 'module', module, path: ['default'] }];
  }
  const { imported } = node;
  return [
    {
      kind: 'module',
      module,
      path: [imported.type === AST_NODE_TYPES.Identifier ? imported.name : imported.value],
    },
  ];
}

/** The initial value and every later assignment: any of them can be what is read. */
function assignedValues(
  variable: TSESLint.Scope.Variable,
  declarator: TSESTree.VariableDeclarator,
  search: Search,
): Origin[] {
  const values: Origin[] = [];
  if (declarator.init !== null) {
    values.push(...followPattern(declarator.id, declarator.init, variable.name, search));
  }
  for (const reference of variable.references) {
    if (reference.writeExpr !== null && reference.writeExpr !== undefined && reference.init !== true) {
      const parent = reference.identifier.parent;
      if (parent.type === AST_NODE_TYPES.AssignmentExpression && parent.left === reference.identifier) {
        values.push(...follow(reference.writeExpr, search));
      }
    }
  }
  return values;
}

function followPattern(pattern: TSESTree.Node, value: TSESTree.Node, name: string, search: Search): Origin[] {
  const path = patternPath(pattern, name);
  if (path === null) {
    return [];
  }
  return descend(follow(value, search), path, search);
}

function descend(origins: Origin[], path: readonly string[], search: Search): Origin[] {
  return path.reduce((found, name) => membersOf(found, name, search), origins);
}

/** The members that lead from a destructured value to one of the pattern's names. */
export function patternPath(pattern: TSESTree.Node, name: string): string[] | null {
  switch (pattern.type) {
    case AST_NODE_TYPES.Identifier:
      return pattern.name === name ? [] : null;
    case AST_NODE_TYPES.AssignmentPattern:
      return patternPath(pattern.left, name);
    case AST_NODE_TYPES.RestElement:
      return patternPath(pattern.argument, name);
    case AST_NODE_TYPES.TSParameterProperty:
      return patternPath(pattern.parameter, name);
    case AST_NODE_TYPES.ArrayPattern: {
      for (const [index, element] of pattern.elements.entries()) {
        const rest = element === null ? null : patternPath(element, name);
        if (rest !== null) {
          return [String(index), ...rest];
        }
      }
      return null;
    }
    case AST_NODE_TYPES.ObjectPattern: {
      for (const property of pattern.properties) {
        if (property.type === AST_NODE_TYPES.RestElement) {
          const rest = patternPath(property, name);
          if (rest !== null) {
            return rest;
          }
          continue;
        }
        const rest = patternPath(property.value, name);
        const key = staticName(property);
        if (rest !== null) {
          return key === null ? null : [key, ...rest];
        }
      }
      return null;
    }
    default:
      return null;
  }
}

function followParameter(fn: FunctionNode, identifier: TSESTree.Identifier, search: Search): Origin[] {
  const { name } = identifier;
  const parameter = fn.params.find((candidate) => patternPath(candidate, name) !== null);
  if (parameter === undefined) {
    return [];
  }
  const path = patternPath(parameter, name) ?? [];
  const call = fn.parent;
  // `import('…').then((module) => …)`: the parameter is the module.
  if (fn.params[0] === parameter && call.type === AST_NODE_TYPES.CallExpression && call.arguments[0] === fn) {
    const settled = settledValue(call);
    const origins = settled === null ? [] : follow(settled, search);
    if (origins.some((origin) => origin.kind === 'module')) {
      return descend(origins, path, search);
    }
  }
  const fallback =
    parameter.type === AST_NODE_TYPES.AssignmentPattern
      ? descend(follow(parameter.right, search), path, search)
      : [];
  return [{ kind: 'declared', declaration: parameter, identifier, path }, ...fallback];
}

/** The promise of a `promise.then(…)` call. */
function settledValue(call: TSESTree.CallExpression): TSESTree.Expression | null {
  const callee = bare(call.callee);
  return callee.type === AST_NODE_TYPES.MemberExpression && staticName(callee) === 'then'
    ? callee.object
    : null;
}

function followCall(call: TSESTree.CallExpression, search: Search): Origin[] {
  const module = requiredModule(call, search);
  if (module !== null) {
    return [{ kind: 'module', module, path: [] }];
  }
  const [first] = call.arguments;
  const callee = bare(call.callee);
  if (callee.type === AST_NODE_TYPES.MemberExpression) {
    const name = staticName(callee);
    if (name === 'bind') {
      return follow(callee.object, search);
    }
    if (name === 'then' && first !== undefined && isFunction(first)) {
      return returnedExpressions(first).flatMap((returned) => follow(returned, search));
    }
  }
  const callees = follow(callee, search);
  if (first !== undefined && callees.some(handsOn)) {
    return [{ kind: 'node', node: call }, ...follow(first, search)];
  }
  const returned = callees.flatMap((origin) =>
    origin.kind === 'node' && isFunction(origin.node) && !origin.node.generator
      ? returnedExpressions(origin.node).flatMap((value) => follow(value, search))
      : [],
  );
  return [{ kind: 'node', node: call }, ...returned];
}

/** Whether a function gives what it is given: frozen, or checked to be a tool. */
function handsOn(origin: Origin): boolean {
  return (
    isGlobal(origin, 'Object', 'freeze') ||
    isGlobal(origin, 'Object', 'seal') ||
    isExport(origin, SDK_MODULE, TOOL_DEFINITIONS.factory)
  );
}

function requiredModule(call: TSESTree.CallExpression, search: Search): string | null {
  const [first] = call.arguments;
  if (first === undefined) {
    return null;
  }
  const callee = bare(call.callee);
  // By name, whatever declares it: a file that makes its own with `createRequire` calls it `require` too.
  const isRequire =
    callee.type === AST_NODE_TYPES.Identifier
      ? callee.name === 'require' ||
        follow(callee, search).some(
          (origin) => origin.kind === 'node' && isCreateRequire(origin.node, search),
        )
      : isCreateRequire(callee, search);
  return isRequire ? stringValue(first) : null;
}

function isCreateRequire(node: TSESTree.Node, search: Search): boolean {
  return (
    node.type === AST_NODE_TYPES.CallExpression &&
    follow(node.callee, search).some(
      (origin) =>
        origin.kind === 'module' &&
        /^(?:node:)?module$/u.test(origin.module) &&
        origin.path.at(-1) === 'createRequire',
    )
  );
}

function membersOf(origins: readonly Origin[], name: string, search: Search): Origin[] {
  return origins.flatMap((origin) =>
    origin.kind === 'node' ? memberOfNode(origin.node, name, search) : [memberOfOrigin(origin, name)],
  );
}

function memberOfNode(node: TSESTree.Node, name: string, search: Search): Origin[] {
  if (node.type === AST_NODE_TYPES.ObjectExpression) {
    return memberOfObject(node, name, search);
  }
  if (node.type === AST_NODE_TYPES.ArrayExpression) {
    const element = node.elements[Number(name)];
    return element === undefined || element === null ? [] : follow(element, search);
  }
  return isClass(node) ? memberOfClass(node, name, true, search) : [];
}

function memberOfObject(node: TSESTree.ObjectExpression, name: string, search: Search): Origin[] {
  for (const property of node.properties.toReversed()) {
    if (property.type === AST_NODE_TYPES.SpreadElement) {
      const spread = membersOf(follow(property.argument, search), name, search);
      if (spread.length > 0) {
        return spread;
      }
    } else if (staticName(property) === name) {
      return property.kind === 'init' ? follow(property.value, search) : gotten(property.value, search);
    }
  }
  return [];
}

function gotten(getter: TSESTree.Node, search: Search): Origin[] {
  return isFunction(getter) ? returnedExpressions(getter).flatMap((value) => follow(value, search)) : [];
}

function memberOfClass(node: ClassNode, name: string, isStatic: boolean, search: Search): Origin[] {
  for (const member of node.body.body) {
    if (
      (member.type === AST_NODE_TYPES.PropertyDefinition ||
        member.type === AST_NODE_TYPES.MethodDefinition) &&
      member.static === isStatic &&
      staticName(member) === name
    ) {
      if (member.type === AST_NODE_TYPES.PropertyDefinition) {
        return member.value === null ? [] : follow(member.value, search);
      }
      return member.kind === 'get' ? gotten(member.value, search) : [{ kind: 'node', node: member.value }];
    }
  }
  return [];
}

function followThisMember(node: TSESTree.ThisExpression, name: string, search: Search): Origin[] {
  const [inner] = enclosingClasses(node);
  if (inner === undefined) {
    return [];
  }
  return [...memberOfClass(inner, name, false, search), ...memberOfClass(inner, name, true, search)];
}
