import {
  EFFECT_CONSTANT,
  EFFECT_MEMBERS,
  SDK_MODULE,
  TOOL_DEFINITIONS,
} from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { PackageSymbols } from '../../compiler/package-symbols.js';
import type { KnownContract } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import type { Checker, LoadedProject } from '../../load/loaded-project.js';
import type { Effect } from '../../model/fact-base.js';

/** The types that a tool has, by their names in the SDK. */
const TOOL_TYPES: ReadonlySet<string> = new Set([
  TOOL_DEFINITIONS.readerInterface,
  TOOL_DEFINITIONS.writerInterface,
  TOOL_DEFINITIONS.union,
  'DefinedTool',
]);

const EFFECTS: ReadonlyMap<string, Effect> = new Map(Object.entries(EFFECT_MEMBERS));

/** Recognises what the SDK exports, whether it is installed or not. */
export class SdkContract implements KnownContract {
  readonly #checker: Checker;
  readonly #sdk: PackageSymbols;
  readonly #toolClasses = new Map<ts.Node, boolean>();

  constructor(project: LoadedProject) {
    this.#checker = project.checker;
    this.#sdk = new PackageSymbols(project, SDK_MODULE);
  }

  constantOf(node: ts.Expression): string | undefined {
    if (ts.isPropertyAccessExpression(node)) {
      const effect = EFFECTS.get(node.name.text);
      return effect !== undefined && this.#sdk.nameOf(node.expression) === EFFECT_CONSTANT
        ? effect
        : undefined;
    }
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
      const effect = EFFECTS.get(node.argumentExpression.text);
      return effect !== undefined && this.#sdk.nameOf(node.expression) === EFFECT_CONSTANT
        ? effect
        : undefined;
    }
    // `const { READ_ONLY } = ToolEffect`
    if (ts.isIdentifier(node)) {
      const declaration = this.#checker.getSymbolAtLocation(node)?.valueDeclaration;
      if (declaration !== undefined && ts.isBindingElement(declaration)) {
        const { parent } = declaration.parent;
        const key = declaration.propertyName ?? declaration.name;
        const isFromConstant =
          ts.isVariableDeclaration(parent) &&
          parent.initializer !== undefined &&
          this.#sdk.nameOf(parent.initializer) === EFFECT_CONSTANT;
        return isFromConstant && ts.isIdentifier(key) ? EFFECTS.get(key.text) : undefined;
      }
    }
    return undefined;
  }

  isIdentityCall(call: ts.CallExpression): boolean {
    return this.isFactoryCall(call);
  }

  /** Whether a call is one of `defineTool`. */
  isFactoryCall(call: ts.CallExpression): boolean {
    return this.isFactory(call.expression);
  }

  /** Whether an expression is `defineTool` itself. */
  isFactory(node: ts.Expression): boolean {
    return this.#sdk.nameOf(node) === TOOL_DEFINITIONS.factory;
  }

  /** Whether an expression is the SDK as a whole. */
  isNamespace(node: ts.Expression): boolean {
    return this.#sdk.isNamespace(node);
  }

  /** Whether a class is a tool: it, an interface of it or a class above it implements one of the SDK's interfaces. */
  isToolClass(node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): boolean {
    const known = this.#toolClasses.get(node);
    if (known !== undefined) {
      return known;
    }
    this.#toolClasses.set(node, false);
    const heritage = node.heritageClauses?.flatMap((clause) => [...clause.types]) ?? [];
    const documented = ts.isClassLike(node) ? ts.getJSDocImplementsTags(node) : [];
    const isTool =
      heritage.some((type) => this.#isToolReference(type)) ||
      documented.some((tag) => this.#isToolReference(tag.class) || mentionsToolType(tag.getText()));
    this.#toolClasses.set(node, isTool);
    return isTool;
  }

  /** Whether a value of a type is a tool, or one of several kinds that all are. */
  isToolType(type: ts.Type): boolean {
    return this.#isToolType(type, new Set());
  }

  /** Whether an expression is a tool that already exists. */
  isTool(node: ts.Expression): boolean {
    const target = skipWrappers.inward(node);
    if (ts.isCallExpression(target) && this.isFactoryCall(target)) {
      return true;
    }
    if (this.isToolType(this.#checker.getTypeAtLocation(target))) {
      return true;
    }
    const declaration = ts.isIdentifier(target)
      ? this.#checker.getSymbolAtLocation(target)?.valueDeclaration
      : undefined;
    if (
      declaration === undefined ||
      !(ts.isVariableDeclaration(declaration) || ts.isParameter(declaration))
    ) {
      return false;
    }
    return (
      (declaration.type !== undefined && this.isToolTypeNode(declaration.type)) ||
      (declaration.initializer !== undefined &&
        declaration.initializer !== target &&
        ts.isCallExpression(skipWrappers.inward(declaration.initializer)) &&
        this.isTool(declaration.initializer))
    );
  }

  /** Whether an object literal, or a new object, stands where a tool is expected, through assertions that say nothing. */
  isExpectedTool(node: ts.Expression): boolean {
    const outer = skipWrappers.outward(node) as ts.Expression;
    for (const place of outer === node ? [node] : [node, outer]) {
      const expected = this.#checker.getContextualType(place);
      if (expected !== undefined && (expected.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0) {
        return this.#isExpectedTool(expected);
      }
    }
    const annotation = annotationOf(node);
    return annotation !== null && this.isToolTypeNode(annotation);
  }

  /** The same from a type as it is written, for where the SDK is not installed. */
  isToolTypeNode(node: ts.TypeNode): boolean {
    if (TOOL_TYPES.has(this.#sdk.nameOf(node) ?? '')) {
      return true;
    }
    return (
      ts.forEachChild(node, (child) => (ts.isTypeNode(child) && this.isToolTypeNode(child)) || undefined) ??
      false
    );
  }

  #isToolReference(node: ts.ExpressionWithTypeArguments): boolean {
    if (TOOL_TYPES.has(this.#sdk.nameOf(node) ?? '')) {
      return true;
    }
    const type = this.#checker.getTypeAtLocation(node);
    return this.isToolType(type) || this.#declaresTool(this.#checker.getSymbolAtLocation(node.expression));
  }

  #declaresTool(symbol: ts.Symbol | undefined): boolean {
    const target =
      symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
        ? this.#checker.getAliasedSymbol(symbol)
        : symbol;
    return (
      target?.declarations?.some(
        (one) => (ts.isClassLike(one) || ts.isInterfaceDeclaration(one)) && this.isToolClass(one),
      ) ?? false
    );
  }

  /** Undefined and null may stand beside a tool; anything else beside it makes the place open to other things. */
  #isExpectedTool(type: ts.Type): boolean {
    const parts = type.isUnion() ? type.types : [type];
    return (
      (this.#isNamed(type) || parts.some((part) => this.#isToolType(part, new Set()))) && parts.length > 0
    );
  }

  #isToolType(type: ts.Type, seen: Set<ts.Type>): boolean {
    if (seen.has(type)) {
      return false;
    }
    seen.add(type);
    if (this.#isNamed(type)) {
      return true;
    }
    if (type.isUnion()) {
      const parts = type.types.filter(
        (part) => (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0,
      );
      return parts.length > 0 && parts.every((part) => this.#isToolType(part, seen));
    }
    if (type.isIntersection()) {
      return type.types.some((part) => this.#isToolType(part, seen));
    }
    if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) {
      const constraint = this.#checker.getBaseConstraintOfType(type);
      return constraint !== undefined && this.#isToolType(constraint, seen);
    }
    return this.#declaresTool(type.symbol);
  }

  #isNamed(type: ts.Type): boolean {
    return [type.aliasSymbol, type.symbol as ts.Symbol | undefined].some(
      (symbol) => symbol !== undefined && TOOL_TYPES.has(this.#sdk.nameOfSymbol(symbol) ?? ''),
    );
  }
}

/** `@implements {import('…').WriterTool}`, which the compiler parses as no reference at all. */
function mentionsToolType(text: string): boolean {
  const [, specifier = '', name = ''] = /import\(\s*['"]([^'"]+)['"]\s*\)\s*\.\s*(\w+)/u.exec(text) ?? [];
  return specifier === SDK_MODULE && TOOL_TYPES.has(name);
}

/** The type that is written for the place where an expression stands; null where there is none. */
function annotationOf(node: ts.Expression): ts.TypeNode | null {
  let current: ts.Node = node;
  for (;;) {
    const parent: ts.Node = current.parent;
    if (
      ts.isSatisfiesExpression(parent) ||
      ts.isAsExpression(parent) ||
      ts.isTypeAssertionExpression(parent)
    ) {
      const { kind } = parent.type;
      const saysNothing =
        kind === ts.SyntaxKind.AnyKeyword ||
        kind === ts.SyntaxKind.UnknownKeyword ||
        parent.type.getText() === 'const';
      if (!saysNothing) {
        return parent.type;
      }
    } else if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) {
      return parent.type ?? ts.getJSDocType(parent) ?? null;
    } else if (ts.isArrowFunction(parent)) {
      return parent.type ?? ts.getJSDocReturnType(parent) ?? null;
    } else if (ts.isReturnStatement(parent)) {
      const owner = ts.findAncestor(parent, ts.isFunctionLike);
      return owner?.type ?? (owner === undefined ? null : (ts.getJSDocReturnType(owner) ?? null));
    } else if (
      !ts.isParenthesizedExpression(parent) &&
      !ts.isArrayLiteralExpression(parent) &&
      !ts.isPropertyAssignment(parent) &&
      !ts.isObjectLiteralExpression(parent) &&
      !ts.isConditionalExpression(parent)
    ) {
      return null;
    }
    current = parent;
  }
}
