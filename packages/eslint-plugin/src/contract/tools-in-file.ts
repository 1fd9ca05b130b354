import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { EFFECT_MEMBERS, SDK_MODULE, TOOL_DEFINITIONS, TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import {
  bare,
  isFunction,
  staticName,
  visitAll,
  type ClassNode,
  type FunctionNode,
} from '../references/ast-shapes.js';
import { isExport } from '../references/origin.js';
import { entityOrigins, typeOrigins } from '../references/type-origins.js';
import { valueOrigins } from '../references/value-origins.js';
import { readClassMember, readEffect, type EffectReading } from './effect-constant.js';

type Source = Readonly<TSESLint.SourceCode>;
type ObjectProperty = Extract<TSESTree.ObjectLiteralElement, { type: AST_NODE_TYPES.Property }>;
type Interface = 'reader' | 'tool' | 'writer';

/** A tool that the file defines: an object given to `defineTool` or typed as a tool, or a class. */
export interface FileTool {
  readonly definition: ClassNode | TSESTree.ObjectExpression;
  /** `unknown` where the file does not say. A tool without an effect is a reader. */
  readonly role: 'reader' | 'unknown' | 'writer';
  readonly effect: EffectReading;
  /** Where the effect stands; null where none is declared in this file. */
  readonly effectNode: TSESTree.Node | null;
  readonly execute: FunctionNode | null;
  readonly preview: FunctionNode | null;
}

type ToolCandidate =
  | ClassNode
  | TSESTree.CallExpression
  | TSESTree.TSAsExpression
  | TSESTree.TSSatisfiesExpression
  | TSESTree.VariableDeclarator;

const bySource = new WeakMap<Source, readonly FileTool[]>();

/** Whether a file can define a tool: the SDK's name has to stand in it. */
export function mentionsSdk(source: Source): boolean {
  return source.text.includes(SDK_MODULE);
}

/** The tools that a file defines, found once however many rules ask. */
export function toolsIn(source: Source): readonly FileTool[] {
  const known = bySource.get(source);
  if (known !== undefined) {
    return known;
  }
  const tools = mentionsSdk(source) ? findTools(source) : [];
  bySource.set(source, tools);
  return tools;
}

function findTools(source: Source): readonly FileTool[] {
  const tools = new Map<TSESTree.Node, FileTool>();
  visitAll(source.ast, (node) => {
    if (!isCandidate(node)) {
      return;
    }
    for (const tool of toolsOf(node, source)) {
      // `defineTool({ … } satisfies …)` and the like say the same tool twice.
      if (!tools.has(tool.definition)) {
        tools.set(tool.definition, tool);
      }
    }
  });
  return [...tools.values()];
}

function isCandidate(node: TSESTree.Node): node is ToolCandidate {
  switch (node.type) {
    case AST_NODE_TYPES.CallExpression:
      return node.arguments.length > 0 && !isFunction(bare(node.callee));
    case AST_NODE_TYPES.ClassDeclaration:
    case AST_NODE_TYPES.ClassExpression:
      return node.implements.length > 0;
    case AST_NODE_TYPES.VariableDeclarator:
      return node.init !== null && node.id.typeAnnotation !== undefined;
    case AST_NODE_TYPES.TSAsExpression:
    case AST_NODE_TYPES.TSSatisfiesExpression:
      return bare(node).type === AST_NODE_TYPES.ObjectExpression;
    default:
      return false;
  }
}

function toolsOf(candidate: ToolCandidate, source: Source): FileTool[] {
  switch (candidate.type) {
    case AST_NODE_TYPES.CallExpression: {
      const isDefinition = valueOrigins(candidate.callee, source).some((origin) =>
        isExport(origin, SDK_MODULE, TOOL_DEFINITIONS.factory),
      );
      const [argument] = candidate.arguments;
      return isDefinition && argument !== undefined ? objectTools(argument, 'tool', source) : [];
    }
    case AST_NODE_TYPES.ClassDeclaration:
    case AST_NODE_TYPES.ClassExpression: {
      const implemented = candidate.implements.map(({ expression }) =>
        interfaceOf(entityOrigins(expression, source)),
      );
      const found = implemented.find((one) => one !== null);
      return found === undefined ? [] : [classTool(candidate, found, source)];
    }
    case AST_NODE_TYPES.VariableDeclarator:
      return candidate.init === null
        ? []
        : typedObject(candidate.init, candidate.id.typeAnnotation?.typeAnnotation, source);
    case AST_NODE_TYPES.TSAsExpression:
    case AST_NODE_TYPES.TSSatisfiesExpression:
      return typedObject(candidate.expression, candidate.typeAnnotation, source);
  }
}

function typedObject(
  value: TSESTree.Expression,
  type: TSESTree.TypeNode | undefined,
  source: Source,
): FileTool[] {
  const object = bare(value);
  if (type === undefined || object.type !== AST_NODE_TYPES.ObjectExpression) {
    return [];
  }
  const found = interfaceOf(typeOrigins(type, source).filter(({ of }) => of === 'instance'));
  return found === null ? [] : objectTools(object, found, source);
}

function interfaceOf(types: ReturnType<typeof typeOrigins>): Interface | null {
  for (const { origin } of types) {
    if (isExport(origin, SDK_MODULE, TOOL_DEFINITIONS.readerInterface)) {
      return 'reader';
    }
    if (isExport(origin, SDK_MODULE, TOOL_DEFINITIONS.writerInterface)) {
      return 'writer';
    }
    if (isExport(origin, SDK_MODULE, TOOL_DEFINITIONS.union)) {
      return 'tool';
    }
  }
  return null;
}

function objectTools(argument: TSESTree.Node, typed: Interface, source: Source): FileTool[] {
  return valueOrigins(argument, source).flatMap((origin) =>
    origin.kind === 'node' && origin.node.type === AST_NODE_TYPES.ObjectExpression
      ? [objectTool(origin.node, typed, source)]
      : [],
  );
}

function objectTool(definition: TSESTree.ObjectExpression, typed: Interface, source: Source): FileTool {
  const property = propertyOf(definition, TOOL_MEMBERS.effect);
  const isOpen = definition.properties.some(({ type }) => type === AST_NODE_TYPES.SpreadElement);
  const effect = effectOfProperty(property, isOpen, source);
  return {
    definition,
    effect,
    effectNode: property?.value ?? null,
    role: roleOf(typed, effect),
    execute: functionOf(propertyOf(definition, TOOL_MEMBERS.execute)?.value, source),
    preview: functionOf(propertyOf(definition, TOOL_MEMBERS.preview)?.value, source),
  };
}

function effectOfProperty(property: ObjectProperty | null, isOpen: boolean, source: Source): EffectReading {
  if (property === null) {
    // A spread may bring an effect along; the file that has it says so, not this one.
    return isOpen ? { kind: 'undecided' } : { kind: 'constant', value: null };
  }
  if (property.kind === 'get' && isFunction(property.value)) {
    return readGetter(property.value, source);
  }
  return readEffect(property.value, source);
}

function readGetter(getter: FunctionNode, source: Source): EffectReading {
  const body = getter.body.type === AST_NODE_TYPES.BlockStatement ? getter.body.body : [];
  const [only] = body;
  return body.length === 1 && only?.type === AST_NODE_TYPES.ReturnStatement && only.argument !== null
    ? readEffect(only.argument, source)
    : { kind: 'undecided' };
}

function propertyOf(object: TSESTree.ObjectExpression, name: string): ObjectProperty | null {
  const found = object.properties.findLast(
    (property) => property.type === AST_NODE_TYPES.Property && staticName(property) === name,
  );
  return found?.type === AST_NODE_TYPES.Property ? found : null;
}

function classTool(definition: ClassNode, typed: Interface, source: Source): FileTool {
  const member = definition.body.body.find(
    (candidate) => isNamedMember(candidate) && staticName(candidate) === TOOL_MEMBERS.effect,
  );
  const isInherited = member === undefined && definition.superClass !== null;
  const effect: EffectReading =
    member !== undefined
      ? readClassMember(definition, TOOL_MEMBERS.effect, source)
      : isInherited
        ? { kind: 'undecided' }
        : { kind: 'constant', value: null };
  return {
    definition,
    effect,
    effectNode: member ?? null,
    role: roleOf(typed, effect),
    execute: functionOf(classMember(definition, TOOL_MEMBERS.execute), source),
    preview: functionOf(classMember(definition, TOOL_MEMBERS.preview), source),
  };
}

function classMember(definition: ClassNode, name: string): TSESTree.Node | undefined {
  const member = definition.body.body.find(
    (candidate) => isNamedMember(candidate) && !candidate.static && staticName(candidate) === name,
  );
  return member !== undefined && isNamedMember(member) ? (member.value ?? undefined) : undefined;
}

function isNamedMember(
  member: TSESTree.ClassElement,
): member is TSESTree.MethodDefinition | TSESTree.PropertyDefinition {
  return member.type === AST_NODE_TYPES.MethodDefinition || member.type === AST_NODE_TYPES.PropertyDefinition;
}

function functionOf(value: TSESTree.Node | null | undefined, source: Source): FunctionNode | null {
  if (value === null || value === undefined) {
    return null;
  }
  const functions = valueOrigins(value, source).flatMap((origin) =>
    origin.kind === 'node' && isFunction(origin.node) ? [origin.node] : [],
  );
  const [only] = functions;
  return functions.length === 1 && only !== undefined ? only : null;
}

function roleOf(typed: Interface, effect: EffectReading): FileTool['role'] {
  if (effect.kind === 'constant') {
    if (effect.value === null || effect.value === EFFECT_MEMBERS.READ_ONLY) {
      // A class that calls itself a writer and declares no effect does not compile; its name is what it means.
      return typed === 'writer' ? 'unknown' : 'reader';
    }
    return Object.values(EFFECT_MEMBERS).some((known) => known === effect.value) ? 'writer' : 'unknown';
  }
  return typed === 'tool' ? 'unknown' : typed;
}
