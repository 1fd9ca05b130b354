import type { CodeElsewhere } from './code-elsewhere.js';
import type { PatchedMember } from './patched-members.js';
import type { ts } from '../../../engine/typescript.mjs';
import type { PreservedType } from './preserved-types.js';

/**
 * Everything that the interpretation asks a type checker, and nothing else. It asks for declared types
 * and for symbols by name, and only in last resort for the type of an expression, so that most code is
 * never type-checked at all.
 * What an engine outside this process would need is in decision 0027.
 */
export interface TypeQueries {
  readonly elsewhere: CodeElsewhere;
  /** The symbol that a name refers to, import aliases followed; an unresolved import is its own symbol. */
  symbolOf(node: ts.Node): ts.Symbol | null;
  /** The module that an import specifier, `require` or `import()` names. */
  moduleOf(specifier: ts.Expression): ts.Symbol | null;
  exportsOf(module: ts.Symbol): readonly ts.Symbol[];
  exportOf(module: ts.Symbol, name: string): ts.Symbol | null;
  /** Follows import and export aliases to what is declared. */
  resolveAlias(symbol: ts.Symbol): ts.Symbol;
  /** The name under which the SDK exports this symbol; null for everything else. */
  sdkNameOf(symbol: ts.Symbol): string | null;
  /** An exported type of the SDK, where the program has it. */
  sdkType(name: string): ts.Type | null;
  /** The module specifier or package, and name, of something declared outside; null for own code. */
  externalOf(symbol: ts.Symbol): ExternalName | null;

  /** The module specifier and name by which something from outside is imported where it is named. */
  importedAs(node: ts.Node): ExternalName | null;
  /** The module and name of a type that is declared outside; null for own types and unnamed ones. */
  declaredName(type: ts.Type): ExternalName | null;

  declaredType(node: ts.TypeNode): ts.Type;
  /** The type of an expression or declaration. This is what type-checks code: ask it rarely. */
  typeOfNode(node: ts.Node): ts.Type | null;
  contextualType(node: ts.Expression): ts.Type | null;
  /** What the checker's narrowing leaves of a variable at one use, against its declared type. */
  excludedForms(node: ts.Identifier): number;
  typeOfSymbol(symbol: ts.Symbol): ts.Type;
  propertyOf(type: ts.Type, name: string): ts.Symbol | null;
  propertiesOf(type: ts.Type): readonly ts.Symbol[];
  /** The type of the instances of a class. */
  instanceTypeOf(symbol: ts.Symbol): ts.Type;
  symbolOfDeclaration(node: ts.Declaration): ts.Symbol | null;
  /** Whether a declaration lies in the project's own code. */
  isOwn(node: ts.Node): boolean;
  elementTypeOf(type: ts.Type): ts.Type | null;
  /** The same, or what is under any name. */
  indexedTypeOf(type: ts.Type): ts.Type | null;
  /** The types of a tuple's places, where each has exactly one. */
  tupleTypesOf(type: ts.Type): readonly ts.Type[] | null;
  /** What an object that a function answers is expected to be, by what surrounds the function. */
  expectedOf(node: ts.Expression): ExpectedType;
  /** What a call with so many arguments answers, by declaration. */
  answerOfSignature(declaration: ts.SignatureDeclaration): Answer | null;
  answerOfType(type: ts.Type, argumentCount: number): Answer | null;
  /** What a type says about results, targets and preserved types. */
  shapeOf(type: ts.Type): TypeShape;
  /** The class in the project's own code that a type is an instance of. */
  classOf(type: ts.Type): ts.ClassLikeDeclaration | null;
  /** The classes in the project's own code that a value of an interface or an abstract class is an instance of. */
  implementersOf(type: ts.Type): readonly ts.ClassLikeDeclaration[];
  /** Whether a type only lets its holder read: a readonly list, map or set. */
  isReadonly(type: ts.Type): boolean;
  /** Whether methods of a class are replaced from outside of it. */
  isPrototypeChanged(node: ts.ClassLikeDeclaration): boolean;
  /** Where the project replaces what is not its own: globals, members of libraries. */
  patchedMembers(): readonly PatchedMember[];
  baseClassOf(node: ts.ClassLikeDeclaration): ts.Expression | null;
  preservedAt(type: ts.TypeNode): PreservedType | null;
}

/**
 * `type`: one that is written somewhere; `inferred`: none is, so that it is what it looks like; `elsewhere`: it is taken
 * further at once, so that nothing speaks for it.
 */
export type ExpectedType =
  | { readonly kind: 'type'; readonly type: ts.Type }
  | { readonly kind: 'inferred' }
  | { readonly kind: 'elsewhere' };

export interface ExternalName {
  readonly module: string;
  readonly path: string;
}

/** What a call answers. */
export interface Answer {
  readonly type: ts.Type;
  /** Parameters whose value, element or callback's answer the call hands back, for a generic signature. */
  readonly flows: readonly AnswerFlow[];
  readonly parameters: readonly ts.Symbol[];
}

export interface AnswerFlow {
  readonly parameter: number;
  readonly through: 'value' | 'callback' | 'elements';
  /** Whether it arrives as a promise. */
  readonly isPromise: boolean;
}

/** What the constituents of a type are. */
export interface TypeShape {
  readonly isNever: boolean;
  /** `any`, `unknown`, a type parameter: nothing is known. */
  readonly isOpen: boolean;
  /** The kinds of tool result. */
  readonly forms: number;
  readonly isTarget: boolean;
  readonly hasNull: boolean;
  readonly hasUndefined: boolean;
  readonly hasBoolean: boolean;
  /** What a promise among them resolves to. */
  readonly promised: readonly ts.Type[];
  /** Arrays and tuples. */
  readonly arrays: readonly ts.Type[];
  readonly preserved: readonly PreservedConstituent[];
  /** Literal types: their values. */
  readonly literals: readonly (string | number | boolean)[];
  /** Everything else. */
  readonly others: readonly ts.Type[];
}

export interface PreservedConstituent {
  readonly preserved: PreservedType;
  readonly type: ts.Type;
}
