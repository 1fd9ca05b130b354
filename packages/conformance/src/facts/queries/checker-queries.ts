import { ts } from '../../../engine/typescript.mjs';
import { RESULT_TYPE, RESULT_TYPES, SDK_MODULE, TARGET_TYPE } from '@toolwright/sdk/contract-names';
import { PackageSymbols } from '../../compiler/package-symbols.js';
import { findPatchedMembers, type PatchedMember } from './patched-members.js';
import type { Checker, LoadedProject } from '../../load/loaded-project.js';
import { ALL_FORMS, ERROR, ERROR_WITH_TARGET, TEXT, WROTE, formsOfKind } from '../values/result-kinds.js';
import { Aliases, importedAs } from './aliases.js';
import { ChangedPrototypes } from './changed-prototypes.js';
import { elementTypeOf, tupleTypesOf } from './element-types.js';
import { CodeElsewhere } from './code-elsewhere.js';
import { Implementations } from './implementations.js';
import { ambientModuleOf, importOf } from './external-names.js';
import { expectedOf } from './expected-of.js';
import { PreservedTypes, withoutWrappers, type PreservedType } from './preserved-types.js';
import type {
  Answer,
  AnswerFlow,
  ExpectedType,
  ExternalName,
  TypeQueries,
  TypeShape,
} from './type-queries.js';

/** Answers type queries from TypeScript's own checker. */
export class CheckerQueries implements TypeQueries {
  readonly preservedTypes: PreservedTypes;
  readonly elsewhere: CodeElsewhere;
  readonly #project: LoadedProject;
  readonly #changedPrototypes: ChangedPrototypes;
  readonly #implementations: Implementations;
  readonly #checker: Checker;
  readonly #aliases: Aliases;
  readonly #sdk: PackageSymbols;
  readonly #own: ReadonlySet<ts.SourceFile>;
  readonly #symbols = new WeakMap<ts.Node, ts.Symbol | null>();
  readonly #shapes = new Map<ts.Type, TypeShape>();
  readonly #answers = new Map<ts.SignatureDeclaration, Answer | null>();
  #sdkModule: ts.Symbol | null | undefined;

  constructor(project: LoadedProject) {
    this.#project = project;
    this.#checker = project.checker;
    this.#aliases = new Aliases(project.checker);
    this.#sdk = new PackageSymbols(project, SDK_MODULE);
    this.#own = new Set(project.ownFiles);
    this.preservedTypes = new PreservedTypes(project);
    this.#changedPrototypes = new ChangedPrototypes(project);
    this.#implementations = new Implementations(project, this.#own);
    this.elsewhere = new CodeElsewhere(project);
  }

  symbolOf(node: ts.Node): ts.Symbol | null {
    let symbol = this.#symbols.get(node);
    if (symbol === undefined) {
      symbol = this.#findSymbol(node);
      this.#symbols.set(node, symbol);
    }
    return symbol;
  }

  #findSymbol(node: ts.Node): ts.Symbol | null {
    const symbol = this.#project.symbolAt(node);
    return symbol === undefined ? null : this.resolveAlias(symbol);
  }

  moduleOf(specifier: ts.Expression): ts.Symbol | null {
    const symbol = this.#checker.getSymbolAtLocation(specifier);
    return symbol === undefined ? null : this.resolveAlias(symbol);
  }

  exportsOf(module: ts.Symbol): readonly ts.Symbol[] {
    return this.#checker.getExportsOfModule(module);
  }

  exportOf(module: ts.Symbol, name: string): ts.Symbol | null {
    const found = this.#checker.tryGetMemberInModuleExports(name, module);
    return found === undefined ? null : this.resolveAlias(found);
  }

  resolveAlias(symbol: ts.Symbol): ts.Symbol {
    return this.#aliases.resolve(symbol);
  }

  importedAs(node: ts.Node): ExternalName | null {
    return importedAs(this.#checker, this.#project.symbolAt(node));
  }

  declaredName(type: ts.Type): ExternalName | null {
    const apparent = this.#checker.getApparentType(type) as ts.Type | { symbol?: ts.Symbol };
    const symbol = apparent.symbol ?? type.aliasSymbol;
    return symbol === undefined || symbol.name.startsWith('__') ? null : this.externalOf(symbol);
  }

  sdkNameOf(symbol: ts.Symbol): string | null {
    // A module is no export.
    return (symbol.flags & ts.SymbolFlags.Module) !== 0 && (symbol.flags & ts.SymbolFlags.Variable) === 0
      ? null
      : this.#sdk.nameOfSymbol(symbol);
  }

  sdkType(name: string): ts.Type | null {
    this.#sdkModule ??= this.#findSdkModule();
    if (this.#sdkModule === null) {
      return null;
    }
    const symbol = this.exportOf(this.#sdkModule, name);
    return symbol === null ? null : this.#checker.getDeclaredTypeOfSymbol(symbol);
  }

  #findSdkModule(): ts.Symbol | null {
    for (const file of this.#project.ownFiles) {
      if (!file.text.includes(SDK_MODULE)) {
        continue;
      }
      for (const statement of file.statements) {
        if (
          ts.isImportDeclaration(statement) &&
          ts.isStringLiteral(statement.moduleSpecifier) &&
          statement.moduleSpecifier.text === SDK_MODULE
        ) {
          const module = this.moduleOf(statement.moduleSpecifier);
          if (module !== null) {
            return module;
          }
        }
      }
    }
    return null;
  }

  externalOf(symbol: ts.Symbol): ExternalName | null {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) {
      return { module: '', path: symbol.name };
    }
    const unresolved = importOf(declaration);
    if (unresolved !== null) {
      return unresolved;
    }
    const file = declaration.getSourceFile();
    if (this.#own.has(file)) {
      return null;
    }
    if (!file.isDeclarationFile && !file.fileName.includes('/node_modules/')) {
      return null;
    }
    const ambient = ambientModuleOf(declaration);
    if (ambient !== null) {
      return { module: ambient, path: symbol.name };
    }
    if (!ts.isExternalModule(file)) {
      return { module: '', path: symbol.name };
    }
    return { module: this.#project.packageNameOf(file.fileName) ?? file.fileName, path: symbol.name };
  }

  declaredType(node: ts.TypeNode): ts.Type {
    return this.#checker.getTypeFromTypeNode(node);
  }

  typeOfNode(node: ts.Node): ts.Type | null {
    return this.#checker.getTypeAtLocation(node);
  }

  contextualType(node: ts.Expression): ts.Type | null {
    return this.#checker.getContextualType(node) ?? null;
  }

  excludedForms(node: ts.Identifier): number {
    const symbol = this.#checker.getSymbolAtLocation(node);
    const declaration = symbol?.valueDeclaration;
    if (symbol === undefined || declaration === undefined) {
      return 0;
    }
    const declared = this.shapeOf(this.#checker.getTypeOfSymbol(symbol));
    if (declared.forms === 0) {
      return 0;
    }
    const here = this.shapeOf(this.#checker.getTypeAtLocation(node));
    return here.isOpen || here.isNever ? 0 : declared.forms & ~here.forms;
  }

  typeOfSymbol(symbol: ts.Symbol): ts.Type {
    return this.#checker.getTypeOfSymbol(symbol);
  }

  propertyOf(type: ts.Type, name: string): ts.Symbol | null {
    return this.#checker.getPropertyOfType(this.#checker.getApparentType(type), name) ?? null;
  }

  propertiesOf(type: ts.Type): readonly ts.Symbol[] {
    return this.#checker.getPropertiesOfType(type);
  }

  instanceTypeOf(symbol: ts.Symbol): ts.Type {
    return this.#checker.getDeclaredTypeOfSymbol(symbol);
  }

  symbolOfDeclaration(node: ts.Declaration): ts.Symbol | null {
    const name = ts.getNameOfDeclaration(node) ?? node;
    return this.#checker.getSymbolAtLocation(name) ?? (node as { symbol?: ts.Symbol }).symbol ?? null;
  }

  isOwn(node: ts.Node): boolean {
    return this.#own.has(node.getSourceFile());
  }

  elementTypeOf(type: ts.Type): ts.Type | null {
    return elementTypeOf(this.#checker, type);
  }

  indexedTypeOf(type: ts.Type): ts.Type | null {
    return this.elementTypeOf(type) ?? this.#checker.getIndexTypeOfType(type, ts.IndexKind.String) ?? null;
  }

  tupleTypesOf(type: ts.Type): readonly ts.Type[] | null {
    return tupleTypesOf(this.#checker, type);
  }

  expectedOf(node: ts.Expression): ExpectedType {
    return expectedOf(this.#checker, node);
  }

  answerOfSignature(declaration: ts.SignatureDeclaration): Answer | null {
    const known = this.#answers.get(declaration);
    if (known !== undefined) {
      return known;
    }
    const signature = this.#checker.getSignatureFromDeclaration(declaration);
    const answer = signature === undefined ? null : this.#answerOf(signature);
    this.#answers.set(declaration, answer);
    return answer;
  }

  answerOfType(type: ts.Type, argumentCount: number): Answer | null {
    const signatures = this.#checker.getSignaturesOfType(type, ts.SignatureKind.Call);
    const fitting = signatures.find(
      (signature) =>
        argumentCount <= signature.parameters.length ||
        (signature.declaration?.parameters.some(
          (one) => ts.isParameter(one) && one.dotDotDotToken !== undefined,
        ) ??
          false),
    );
    const signature = fitting ?? signatures[0];
    return signature === undefined ? null : this.#answerOf(signature);
  }

  #answerOf(signature: ts.Signature): Answer {
    const type = signature.getReturnType();
    return { type, flows: this.#flowsOf(signature, type), parameters: signature.parameters };
  }

  #flowsOf(signature: ts.Signature, type: ts.Type): readonly AnswerFlow[] {
    if (signature.typeParameters === undefined) {
      return [];
    }
    const direct = this.#parameterAmong(type);
    const promised = this.shapeOf(type)
      .promised.map((inner) => this.#parameterAmong(inner))
      .find((inner) => inner !== null);
    const wanted = direct ?? promised ?? null;
    if (wanted === null) {
      return [];
    }
    const isPromise = direct === null;
    return signature.parameters.flatMap((parameter, index): readonly AnswerFlow[] => {
      const given = this.#checker.getTypeOfSymbol(parameter);
      if (this.#parameterAmong(given) === wanted) {
        return [{ parameter: index, through: 'value', isPromise }];
      }
      const element = this.#checker.isArrayType(given) ? this.elementTypeOf(given) : null;
      if (element !== null && this.#parameterAmong(element) === wanted) {
        return [{ parameter: index, through: 'elements', isPromise }];
      }
      const answers = this.#checker.getSignaturesOfType(given, ts.SignatureKind.Call).some((callback) => {
        const answered = callback.getReturnType();
        return (
          this.#parameterAmong(answered) === wanted ||
          this.shapeOf(answered).promised.some((inner) => this.#parameterAmong(inner) === wanted)
        );
      });
      return answers ? [{ parameter: index, through: 'callback', isPromise }] : [];
    });
  }

  /** The type parameter that a type is, or is a union with. */
  #parameterAmong(type: ts.Type): ts.Type | null {
    if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) {
      return type;
    }
    if (type.aliasSymbol?.name === 'Awaited' || (type.flags & ts.TypeFlags.Conditional) !== 0) {
      const [inner] = type.aliasTypeArguments ?? [];
      return inner !== undefined && (inner.flags & ts.TypeFlags.TypeParameter) !== 0 ? inner : null;
    }
    return type.isUnion()
      ? (type.types.find((part) => (part.flags & ts.TypeFlags.TypeParameter) !== 0) ?? null)
      : null;
  }

  shapeOf(type: ts.Type): TypeShape {
    const known = this.#shapes.get(type);
    if (known !== undefined) {
      return known;
    }
    const shape = this.#describe(type);
    this.#shapes.set(type, shape);
    return shape;
  }

  #describe(type: ts.Type): TypeShape {
    const shape = {
      isNever: (type.flags & ts.TypeFlags.Never) !== 0,
      isOpen: false,
      forms: 0,
      isTarget: false,
      hasNull: false,
      hasUndefined: false,
      hasBoolean: false,
      promised: [] as ts.Type[],
      arrays: [] as ts.Type[],
      preserved: [] as { preserved: PreservedType; type: ts.Type }[],
      literals: [] as (string | number | boolean)[],
      others: [] as ts.Type[],
    };
    const whole = this.preservedTypes.of(type);
    if (whole !== null) {
      shape.preserved.push({ preserved: whole, type });
      return shape;
    }
    const parts = type.isUnion() ? type.types : [type];
    for (const part of parts) {
      this.#describePart(part, shape);
    }
    return shape;
  }

  #describePart(
    part: ts.Type,
    shape: {
      -readonly [K in keyof TypeShape]: TypeShape[K] extends readonly (infer E)[] ? E[] : TypeShape[K];
    },
  ): void {
    const { flags } = part;
    if ((flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) {
      shape.isOpen = true;
      return;
    }
    if ((flags & ts.TypeFlags.Instantiable) !== 0) {
      const constraint = this.#checker.getBaseConstraintOfType(part);
      const inner = constraint === undefined || constraint === part ? null : this.shapeOf(constraint);
      if (
        inner === null ||
        inner.isOpen ||
        (inner.forms === 0 && !inner.isTarget && inner.preserved.length === 0)
      ) {
        shape.isOpen = true;
      } else {
        shape.forms |= inner.forms;
        shape.isTarget ||= inner.isTarget;
        shape.preserved.push(...inner.preserved);
      }
      return;
    }
    if ((flags & ts.TypeFlags.Null) !== 0) {
      shape.hasNull = true;
      return;
    }
    if ((flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0) {
      shape.hasUndefined = true;
      return;
    }
    if ((flags & ts.TypeFlags.BooleanLiteral) !== 0) {
      shape.hasBoolean = true;
      return;
    }
    if (part.isStringLiteral() || part.isNumberLiteral()) {
      shape.literals.push(part.value);
      return;
    }
    const forms = this.#formsOf(part);
    if (forms !== 0) {
      shape.forms |= forms;
      return;
    }
    if (this.#isTarget(part)) {
      shape.isTarget = true;
      return;
    }
    const preserved = this.preservedTypes.of(part);
    if (preserved !== null) {
      shape.preserved.push({ preserved, type: part });
      return;
    }
    const promised = this.#promisedBy(part);
    if (promised !== null) {
      shape.promised.push(promised);
      return;
    }
    if (this.#checker.isArrayType(part) || this.#checker.isTupleType(part)) {
      shape.arrays.push(part);
      return;
    }
    if ((flags & ts.TypeFlags.Never) === 0) {
      shape.others.push(part);
    }
  }

  #formsOf(type: ts.Type): number {
    if (type.isIntersection()) {
      return type.types.map((part) => this.#formsOf(part)).find((forms) => forms !== 0) ?? 0;
    }
    const symbol = (type as ts.Type | { symbol?: ts.Symbol }).symbol;
    const name = symbol === undefined ? null : this.#sdk.nameOfSymbol(symbol);
    if (name === null) {
      return 0;
    }
    if (name === 'ErrorResult') {
      const [target] = this.#checker.getTypeArguments(type as ts.TypeReference);
      const shape = target === undefined ? null : this.shapeOf(target);
      if (shape === null || shape.isOpen || (shape.isTarget && shape.hasNull)) {
        return ERROR | ERROR_WITH_TARGET;
      }
      return shape.isTarget ? ERROR_WITH_TARGET : ERROR;
    }
    if (name in RESULT_TYPES) {
      return formsOfKind(RESULT_TYPES[name as keyof typeof RESULT_TYPES]);
    }
    if (name === 'ToolResultBase' || name === RESULT_TYPE) {
      // The value of that name is an object of factories, not a result.
      return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Variable) !== 0 ? 0 : ALL_FORMS;
    }
    return name === 'ArtifactResult' ? TEXT | WROTE : 0;
  }

  #isTarget(type: ts.Type): boolean {
    if (type.isIntersection()) {
      return type.types.some((part) => this.#isTarget(part));
    }
    const symbol = (type as ts.Type | { symbol?: ts.Symbol }).symbol;
    return (
      symbol !== undefined && type.isClassOrInterface() && this.#sdk.nameOfSymbol(symbol) === TARGET_TYPE
    );
  }

  #promisedBy(type: ts.Type): ts.Type | null {
    const symbol = (type as ts.Type | { symbol?: ts.Symbol }).symbol;
    if (symbol === undefined || (symbol.name !== 'Promise' && symbol.name !== 'PromiseLike')) {
      return null;
    }
    const [inner] = this.#checker.getTypeArguments(type as ts.TypeReference);
    return inner ?? null;
  }

  classOf(type: ts.Type): ts.ClassLikeDeclaration | null {
    const symbol = (type as ts.Type | { symbol?: ts.Symbol }).symbol;
    const declaration = symbol?.valueDeclaration;
    return declaration !== undefined &&
      ts.isClassLike(declaration) &&
      (symbol?.flags ?? 0) !== 0 &&
      type.isClassOrInterface() &&
      this.#own.has(declaration.getSourceFile())
      ? declaration
      : null;
  }

  implementersOf(type: ts.Type): readonly ts.ClassLikeDeclaration[] {
    return this.#implementations.of(type);
  }

  isReadonly(type: ts.Type): boolean {
    const name = (type as ts.Type | { symbol?: ts.Symbol }).symbol?.name;
    return name === 'ReadonlyArray' || name === 'ReadonlyMap' || name === 'ReadonlySet';
  }

  patchedMembers(): readonly PatchedMember[] {
    return findPatchedMembers(this.#project);
  }

  isPrototypeChanged(node: ts.ClassLikeDeclaration): boolean {
    return this.#changedPrototypes.has(node);
  }

  baseClassOf(node: ts.ClassLikeDeclaration): ts.Expression | null {
    const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    return clause?.types[0]?.expression ?? null;
  }

  preservedAt(type: ts.TypeNode): PreservedType | null {
    const node = withoutWrappers(type);
    if (!ts.isTypeReferenceNode(node)) {
      return null;
    }
    const symbol = this.#project.symbolAt(node.typeName);
    const [declaration] = symbol === undefined ? [] : (this.resolveAlias(symbol).declarations ?? []);
    return declaration === undefined ? null : this.preservedTypes.ofUnresolvedImport(declaration);
  }
}
