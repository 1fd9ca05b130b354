import { ts } from '../../../engine/typescript.mjs';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';

const MENTIONS = /\bprototype\b|__proto__|getPrototypeOf/u;
/** Functions that take a prototype and leave it as it is. */
const READERS =
  /^(?:Object\.(?:create|keys|entries|values|getOwnPropertyNames|getOwnPropertySymbols|getOwnPropertyDescriptors?|hasOwn|is)|Reflect\.(?:has|get|ownKeys|getOwnPropertyDescriptor))$/u;

interface ChangedClasses {
  readonly classes: ReadonlySet<ts.Node>;
  /** A prototype is changed of which the source does not say whose it is. */
  readonly isAny: boolean;
  /** The same in JavaScript, where hardly a type is known, and bundles do so with their own: it may be any class there. */
  readonly isAnyOfScripts: boolean;
}

/** Knows the classes whose methods are replaced from outside of them: what they declare is not what is called. */
export class ChangedPrototypes {
  readonly #project: LoadedProject;
  #changed: ChangedClasses | null = null;

  constructor(project: LoadedProject) {
    this.#project = project;
  }

  has(node: ts.ClassLikeDeclaration): boolean {
    this.#changed ??= this.#find();
    const { isAny, isAnyOfScripts, classes } = this.#changed;
    return isAny || (isAnyOfScripts && isScript(node.getSourceFile())) || classes.has(node);
  }

  #find(): ChangedClasses {
    const classes = new Set<ts.Node>();
    let isAny = false;
    let isAnyOfScripts = false;
    for (const file of this.#project.ownFiles) {
      if (!MENTIONS.test(file.text)) {
        continue;
      }
      walk(file, (node) => {
        if (isPrototype(node) && isChangedAt(node)) {
          const cls = this.#classOf(node);
          if (cls !== null) {
            classes.add(cls);
          } else if (isScript(file)) {
            isAnyOfScripts = true;
          } else {
            isAny = true;
          }
        }
        return true;
      });
    }
    return { classes, isAny, isAnyOfScripts };
  }

  /** The class of `C.prototype`, of `this.prototype` in it, or of an instance; null where it is not known. */
  #classOf(node: ts.Expression): ts.Node | null {
    const [subject, isInstance] = ts.isCallExpression(node)
      ? [node.arguments[0], true]
      : ts.isPropertyAccessExpression(node)
        ? [node.expression, node.name.text === '__proto__']
        : [undefined, false];
    if (subject === undefined) {
      return null;
    }
    const { checker } = this.#project;
    const ofType = (checker.getTypeAtLocation(subject) as ts.Type | { symbol?: ts.Symbol }).symbol;
    const named = isInstance ? undefined : checker.getSymbolAtLocation(subject);
    const symbol = named ?? ofType;
    const target =
      symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
        ? checker.getAliasedSymbol(symbol)
        : symbol;
    const declaration = target?.valueDeclaration ?? ofType?.valueDeclaration;
    if (declaration === undefined) {
      return null;
    }
    // A class that is not this project's is no concern here.
    return ts.isClassLike(declaration) || declaration.getSourceFile().isDeclarationFile ? declaration : null;
  }
}

function isScript(file: ts.SourceFile): boolean {
  return /\.[cm]?jsx?$/u.test(file.fileName);
}

function isPrototype(node: ts.Node): node is ts.Expression {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'prototype' || node.name.text === '__proto__';
  }
  return ts.isCallExpression(node) && /^(?:Object|Reflect)\.getPrototypeOf$/u.test(node.expression.getText());
}

/** Whether the place where a prototype stands can change it, or lets it get away. */
function isChangedAt(node: ts.Expression): boolean {
  let current: ts.Node = node;
  while (ts.isParenthesizedExpression(current.parent) || ts.isAsExpression(current.parent)) {
    current = current.parent;
  }
  const { parent } = current;
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) {
    return parent.expression === current && isWritten(parent);
  }
  if (ts.isCallExpression(parent)) {
    return parent.expression !== current && !READERS.test(parent.expression.getText());
  }
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    // `at = Object.getPrototypeOf(at)` walks up a chain: what `getPrototypeOf` gave is treated as in a variable.
    return isAssignment && (parent.left === current || !ts.isCallExpression(node));
  }
  // `getPrototypeOf` in a variable is how plain objects are told: it counts where a member of it is written.
  if (ts.isCallExpression(node)) {
    return false;
  }
  return !(
    ts.isExpressionStatement(parent) ||
    ts.isTypeOfExpression(parent) ||
    ts.isIfStatement(parent) ||
    ts.isPrefixUnaryExpression(parent)
  );
}

function isWritten(node: ts.Node): boolean {
  let current = node;
  while (
    ts.isParenthesizedExpression(current.parent) ||
    ts.isAsExpression(current.parent) ||
    ts.isNonNullExpression(current.parent)
  ) {
    current = current.parent;
  }
  const { parent } = current;
  return (
    ts.isDeleteExpression(parent) ||
    (ts.isBinaryExpression(parent) &&
      parent.left === current &&
      parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment)
  );
}
