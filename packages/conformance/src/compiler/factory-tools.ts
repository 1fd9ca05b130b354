import { ts } from '../../engine/typescript.mjs';
import { constructInstance } from './class-members.js';
import { Evaluator } from './evaluator.js';
import { PackageSymbols } from './package-symbols.js';
import { PossibleValues } from './possible-values.js';
import { EMPTY_SCOPE, type KnownContract, type StaticValue, valueOf } from './static-value.js';
import { skipWrappers } from './syntax.js';
import { walk } from './walk.js';
import type { EntryArgument, ToolDefinition } from '../discover/discovered-tool.js';
import type { LoadedProject } from '../load/loaded-project.js';
import type { Framework, NameFact } from '../model/fact-base.js';

/** How a framework makes tools: calls and constructors that take an object, and classes to extend. */
export interface ToolFactories {
  readonly framework: Framework;
  /** The packages that export them. */
  readonly packages: readonly string[];
  /** Exports that are called or constructed with one object. */
  readonly factories: ReadonlySet<string>;
  /** Exports that a class extends to be a tool. */
  readonly bases: ReadonlySet<string>;
  /** The member that names a tool; null where its key in a record does. */
  readonly nameKey: string | null;
  /** The member that answers a call. */
  readonly codeKeys: readonly string[];
  /** What that is called with. */
  argumentsOf(code: ts.SignatureDeclaration | null): readonly EntryArgument[];
}

const NO_CONTRACT: KnownContract = { constantOf: () => undefined, isIdentityCall: () => false };

/** The tools that a project makes with a framework's factories. No such framework has an effect to declare. */
export function findFactoryTools(
  project: LoadedProject,
  factories: ToolFactories,
): readonly ToolDefinition[] {
  const files = project.sourceFiles.filter((file) =>
    factories.packages.some(
      (name) =>
        file.text.includes(`${name}'`) || file.text.includes(`${name}"`) || file.text.includes(`${name}/`),
    ),
  );
  return files.length === 0 ? [] : new FactoryTools(project, factories).in(files);
}

class FactoryTools {
  readonly #project: LoadedProject;
  readonly #factories: ToolFactories;
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;
  readonly #packages: readonly PackageSymbols[];

  constructor(project: LoadedProject, factories: ToolFactories) {
    this.#project = project;
    this.#factories = factories;
    this.#evaluator = new Evaluator(project, NO_CONTRACT);
    this.#possible = new PossibleValues(this.#evaluator);
    this.#packages = factories.packages.map((name) => new PackageSymbols(project, name));
  }

  in(files: readonly ts.SourceFile[]): readonly ToolDefinition[] {
    const found: ToolDefinition[] = [];
    for (const file of files) {
      walk(file, (node) => {
        if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && this.#isFactory(node.expression)) {
          found.push(...this.#made(node));
        } else if (ts.isClassLike(node) && this.#extendsBase(node)) {
          found.push(this.#classTool(node));
        }
        return true;
      });
    }
    return found;
  }

  #isFactory(callee: ts.Expression): boolean {
    return this.#packages.some((one) => {
      const name = one.nameOf(callee);
      return name !== null && this.#factories.factories.has(name);
    });
  }

  #extendsBase(node: ts.ClassLikeDeclaration): boolean {
    const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const base = clause?.types[0]?.expression;
    const isAbstract = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
    return (
      base !== undefined &&
      !isAbstract &&
      this.#packages.some((one) => {
        const name = one.nameOf(base);
        return name !== null && this.#factories.bases.has(name);
      })
    );
  }

  #made(node: ts.CallExpression | ts.NewExpression): readonly ToolDefinition[] {
    const { nameKey, codeKeys } = this.#factories;
    const args = node.arguments ?? [];
    const first = args[0];
    const settings = args.find((argument) => !this.#isCode(argument)) ?? first;
    if (first === undefined || settings === undefined) {
      return [];
    }
    const value = valueOf(settings, EMPTY_SCOPE);
    const code = settings === first ? this.#codeIn(value, codeKeys) : this.#codeOf(first);
    const names = nameKey === null ? this.#keysOf(node) : [this.#nameIn(value, nameKey, node)];
    return names.map((name) => this.#definition(node, name, code));
  }

  #classTool(node: ts.ClassLikeDeclaration): ToolDefinition {
    const instance = constructInstance(this.#evaluator, node, () => null, EMPTY_SCOPE);
    const name = this.#nameIn(instance, this.#factories.nameKey ?? 'name', node);
    return this.#definition(node, name, this.#codeIn(instance, this.#factories.codeKeys));
  }

  #definition(node: ts.Node, name: NameFact, code: ToolDefinition['execute']): ToolDefinition {
    return {
      framework: this.#factories.framework,
      node,
      name,
      effect: {
        kind: 'absent',
        value: null,
        location: this.#project.locate(node),
        why: 'the framework has no effect to declare',
        witness: [],
        hint: null,
      },
      execute: code,
      arguments: this.#factories.argumentsOf(code !== null && ts.isFunctionLike(code) ? code : null),
      preview: null,
    };
  }

  #nameIn(value: StaticValue, key: string, node: ts.Node): NameFact {
    const member = this.#evaluator.property(value, key);
    const folded = this.#evaluator.fold(member);
    const place = 'node' in member && member.node !== null ? member.node : node;
    const location = this.#project.locate(place);
    return folded.kind === 'constant' && typeof folded.value === 'string'
      ? { value: folded.value, location, why: '' }
      : { value: null, location, why: folded.kind === 'unknown' ? folded.why : 'none is given' };
  }

  /** The keys under which a tool stands in records: directly, or by the name of the variable that holds it. */
  #keysOf(node: ts.Node): readonly NameFact[] {
    const places = this.#placesOf(node);
    const names = places.flatMap((place): readonly NameFact[] => {
      const { parent } = place;
      const isValue =
        (ts.isPropertyAssignment(parent) && parent.initializer === place) ||
        (ts.isShorthandPropertyAssignment(parent) && parent.name === place);
      const key = isValue ? this.#keyText(parent.name) : null;
      return key === null ? [] : [{ value: key, location: this.#project.locate(parent), why: '' }];
    });
    const known = new Map(names.map((name) => [name.value, name]));
    return known.size > 0
      ? [...known.values()]
      : [{ value: null, location: this.#project.locate(node), why: 'no record of tools has it' }];
  }

  #placesOf(node: ts.Node): readonly ts.Node[] {
    const place = skipWrappers.outward(node);
    const holder = place.parent;
    if (!ts.isVariableDeclaration(holder) || !ts.isIdentifier(holder.name)) {
      return [place];
    }
    const symbol = this.#evaluator.references.symbolAt(holder.name);
    return symbol === undefined
      ? []
      : this.#evaluator.references.referencesTo(symbol).map((reference) => skipWrappers.outward(reference));
  }

  #keyText(name: ts.PropertyName): string | null {
    if (ts.isComputedPropertyName(name)) {
      const folded = this.#evaluator.fold(valueOf(name.expression, EMPTY_SCOPE));
      return folded.kind === 'constant' ? String(folded.value) : null;
    }
    return name.text;
  }

  #codeIn(value: StaticValue, keys: readonly string[]): ToolDefinition['execute'] {
    for (const key of keys) {
      const [only] = this.#possible.member(value, key);
      if (only?.kind === 'function') {
        return only.node;
      }
      const member = this.#evaluator.property(value, key);
      if (member.kind === 'expression') {
        return member.node;
      }
    }
    return null;
  }

  #codeOf(node: ts.Expression): ToolDefinition['execute'] {
    const [only] = this.#possible.of(valueOf(node, EMPTY_SCOPE));
    return only?.kind === 'function' ? only.node : node;
  }

  #isCode(node: ts.Expression): boolean {
    const target = skipWrappers.inward(node);
    return (
      ts.isArrowFunction(target) ||
      ts.isFunctionExpression(target) ||
      (!ts.isObjectLiteralExpression(target) &&
        this.#possible.of(valueOf(target, EMPTY_SCOPE)).some(({ kind }) => kind === 'function'))
    );
  }
}

/** The model's input, then what the framework hands in beside it. */
export const INPUT_THEN_CONTEXT: readonly EntryArgument[] = [{ kind: 'input' }, { kind: 'context' }];
