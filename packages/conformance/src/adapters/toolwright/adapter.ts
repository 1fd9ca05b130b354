import { EFFECT_MEMBERS, SDK_MODULE, TOOL_DEFINITIONS } from '@toolwright/sdk/contract-names';
import { ts } from 'ts-morph';
import { PackageSymbols } from '../../compiler/package-symbols.js';
import type { ToolAdapter, ToolDefinition } from '../../discover/discovered-tool.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { Effect, EffectFact, NameFact } from '../../model/fact-base.js';

const INTERFACES: readonly string[] = [
  TOOL_DEFINITIONS.readerInterface,
  TOOL_DEFINITIONS.writerInterface,
  TOOL_DEFINITIONS.union,
];

/** Tools of our own SDK: `defineTool` calls and classes that implement its interfaces. */
export const TOOLWRIGHT_ADAPTER: ToolAdapter = {
  framework: 'toolwright',
  looksFor: `calls of ${TOOL_DEFINITIONS.factory} from ${SDK_MODULE}, and classes or objects that implement its ${INTERFACES.join(', ')}`,
  discover(project) {
    const sdk = new PackageSymbols(project, SDK_MODULE);
    const found: ToolDefinition[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && sdk.nameOf(node.expression) === TOOL_DEFINITIONS.factory) {
        const [definition] = node.arguments;
        if (definition !== undefined && ts.isObjectLiteralExpression(definition)) {
          found.push(definitionOf(project, node, definition.properties));
        }
      }
      if (ts.isClassLike(node)) {
        const isTool = node.heritageClauses?.some((clause) =>
          clause.types.some((type) => INTERFACES.includes(sdk.nameOf(type) ?? '')),
        );
        if (isTool === true) {
          found.push(definitionOf(project, node, node.members));
        }
      }
      ts.forEachChild(node, visit);
    };
    project.sourceFiles.forEach(visit);
    return found;
  },
};

function definitionOf(
  project: LoadedProject,
  node: ts.Node,
  members: readonly (ts.ObjectLiteralElementLike | ts.ClassElement)[],
): ToolDefinition {
  const member = (name: string): ts.ObjectLiteralElementLike | ts.ClassElement | undefined =>
    members.find((one) => one.name !== undefined && ts.isIdentifier(one.name) && one.name.text === name);
  return {
    framework: 'toolwright',
    node,
    name: nameOf(project, node, member('name')),
    effect: effectOf(project, node, member('effect')),
    execute: codeOf(member('execute')),
    preview: codeOf(member('preview')),
  };
}

function literalOf(project: LoadedProject, node: ts.Node | undefined): string | null {
  const type = node === undefined ? undefined : project.checker.getTypeAtLocation(node);
  return type?.isStringLiteral() === true ? type.value : null;
}

function valueOf(member: ts.Node | undefined): ts.Expression | undefined {
  return member !== undefined && (ts.isPropertyAssignment(member) || ts.isPropertyDeclaration(member))
    ? member.initializer
    : undefined;
}

function nameOf(project: LoadedProject, node: ts.Node, member: ts.Node | undefined): NameFact {
  const value = literalOf(project, valueOf(member));
  return { value, location: project.locate(member ?? node), why: value === null ? 'it is no literal' : '' };
}

function effectOf(project: LoadedProject, node: ts.Node, member: ts.Node | undefined): EffectFact {
  const location = project.locate(member ?? node);
  if (member === undefined) {
    return { kind: 'absent', value: 'read_only', location, why: '', witness: [] };
  }
  const value = literalOf(project, valueOf(member)) as Effect | null;
  return value !== null && Object.values(EFFECT_MEMBERS).includes(value)
    ? { kind: 'constant', value, location, why: '', witness: [] }
    : { kind: 'not_constant', value: null, location, why: 'it is no literal', witness: [] };
}

function codeOf(member: ts.Node | undefined): ts.SignatureDeclaration | ts.Expression | null {
  if (member === undefined) {
    return null;
  }
  return ts.isMethodDeclaration(member) ? member : (valueOf(member) ?? null);
}
