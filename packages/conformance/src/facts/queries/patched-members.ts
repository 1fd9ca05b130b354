import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';

/** A member of a global or of a library, a method of every list or text, that the project puts its own code for. */
export interface PatchedMember {
  /** Module specifier; empty for a global. */
  readonly module: string;
  /** `console.log`, `Array.prototype.map`; the last name is `*` where it is not known. */
  readonly path: string;
  /** What takes its place; null where that is not said. */
  readonly value: ts.Expression | null;
  /** It is a descriptor of the property, not the property. */
  readonly isDescriptor: boolean;
  readonly node: ts.Node;
}

const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'self', 'global']);
const GLOBAL_NAMES = new Set([...Object.getOwnPropertyNames(globalThis), ...GLOBAL_OBJECTS, 'require']);
/** Data of the process, and what a module gives. */
const DATA = /^(?:process\.(?:env|exitCode|title|argv|execArgv)\b|module\.|exports\.)/u;
const DEFINES = /^(?:Object|Reflect)\.(?:defineProperty|set|assign|defineProperties|setPrototypeOf)$/u;
const MENTIONS =
  /[\w$)\]]\s*(?:\.\s*[\w$]+|\[[^\]\n]{1,60}\])[)\]}\s]*(?:\?\?|\|\||&&)?=(?![=>])|(?:define(?:Property|Properties)|Object\s*\.\s*assign|Reflect\s*\.\s*set|setPrototypeOf)\s*\(/u;

/** Finds where a project changes what is not its own, wherever in it that is. */
export function findPatchedMembers(project: LoadedProject): readonly PatchedMember[] {
  const found: PatchedMember[] = [];
  for (const file of project.ownFiles) {
    if (!MENTIONS.test(file.text)) {
      continue;
    }
    const imported = importedNames(file);
    walk(file, (node) => {
      const patches =
        ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
          ? assignedTo(node)
          : ts.isCallExpression(node)
            ? definedBy(node)
            : [];
      for (const { target, name, value, isDescriptor } of patches) {
        const place = placeOf(project, imported, target, name);
        if (place !== null) {
          found.push({ ...place, value, isDescriptor, node });
        }
      }
      return !ts.isTypeNode(node);
    });
  }
  return found;
}

interface Patch {
  readonly target: ts.Expression;
  readonly name: string;
  readonly value: ts.Expression | null;
  readonly isDescriptor: boolean;
}

function assignedTo(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): readonly Patch[] {
  const current = skipWrappers.outward(node);
  const { parent } = current;
  const isDirect =
    ts.isBinaryExpression(parent) && parent.left === current && isAssignment(parent.operatorToken.kind);
  if (!isDirect && !isInPattern(current)) {
    return [];
  }
  const value = isDirect ? parent.right : null;
  return [{ target: node.expression, name: nameOf(node) ?? '*', value, isDescriptor: false }];
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** `[console.log] = […]`, `({ log: console.log } = …)`, `for (console.log of …)`. */
function isInPattern(node: ts.Node): boolean {
  const { parent } = node;
  if ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === node) {
    return true;
  }
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  }
  const isPart =
    ts.isArrayLiteralExpression(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isSpreadAssignment(parent) ||
    ts.isParenthesizedExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node);
  return isPart && isInPattern(parent);
}

function definedBy(node: ts.CallExpression): readonly Patch[] {
  const [, how] = DEFINES.test(textOf(node.expression)) ? textOf(node.expression).split('.') : [];
  const [target, second, third] = node.arguments;
  if (how === undefined || target === undefined) {
    return [];
  }
  switch (how) {
    case 'defineProperty':
    case 'set': {
      const name = second !== undefined && ts.isStringLiteralLike(second) ? second.text : symbolIn(second);
      return [{ target, name: name ?? '*', value: third ?? null, isDescriptor: how === 'defineProperty' }];
    }
    case 'assign':
    case 'defineProperties':
      return second !== undefined && ts.isObjectLiteralExpression(second)
        ? second.properties.map((property): Patch => {
            const name = property.name === undefined ? '*' : property.name.getText();
            const value = ts.isPropertyAssignment(property)
              ? property.initializer
              : ts.isShorthandPropertyAssignment(property)
                ? property.name
                : null;
            return { target, name, value, isDescriptor: how === 'defineProperties' };
          })
        : [{ target, name: '*', value: null, isDescriptor: false }];
    default:
      return [{ target, name: '*', value: null, isDescriptor: false }];
  }
}

function symbolIn(node: ts.Expression | undefined): string | null {
  const text = node === undefined ? '' : textOf(node);
  return /^Symbol\.\w+$/u.test(text) ? `@@${text.slice('Symbol.'.length)}` : null;
}

function nameOf(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): string | null {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text;
  }
  const key = node.argumentExpression;
  return ts.isStringLiteralLike(key) ? key.text : symbolIn(key);
}

/** Where a member is; null where it is not of a global or a library. */
function placeOf(
  project: LoadedProject,
  imported: ReadonlyMap<string, Imported>,
  target: ts.Expression,
  name: string,
): Pick<PatchedMember, 'module' | 'path'> | null {
  const names = [name];
  let current = skipWrappers.inward(target);
  while (ts.isPropertyAccessExpression(current) || ts.isElementAccessExpression(current)) {
    names.unshift(nameOf(current) ?? '*');
    current = skipWrappers.inward(current.expression);
  }
  if (!ts.isIdentifier(current)) {
    return null;
  }
  const root = current.text;
  const from = imported.get(root);
  if (from !== undefined) {
    return { module: from.module, path: [...from.path, ...names].join('.') };
  }
  if (!GLOBAL_NAMES.has(root) || isOwn(project, current)) {
    return null;
  }
  const path = GLOBAL_OBJECTS.has(root) ? names : [root, ...names];
  while (path.length > 1 && GLOBAL_OBJECTS.has(path[0] ?? '')) {
    path.shift();
  }
  const text = path.join('.');
  return DATA.test(text) ? null : { module: '', path: text };
}

function isOwn(project: LoadedProject, node: ts.Identifier): boolean {
  const symbol = project.checker.getSymbolAtLocation(node);
  return (symbol?.declarations ?? []).some(
    (one) => !one.getSourceFile().isDeclarationFile && (ts.isParameter(one) || ts.isVariableDeclaration(one)),
  );
}

interface Imported {
  readonly module: string;
  readonly path: readonly string[];
}

/** The names under which a file has what is not the project's own. */
function importedNames(file: ts.SourceFile): ReadonlyMap<string, Imported> {
  const names = new Map<string, Imported>();
  for (const statement of file.statements) {
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
    if (clause === undefined || !ts.isImportDeclaration(statement)) {
      continue;
    }
    const module = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : '';
    if (module.startsWith('.') || module === '') {
      continue;
    }
    if (clause.name !== undefined) {
      names.set(clause.name.text, { module, path: [] });
    }
    const bindings = clause.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings)) {
      names.set(bindings.name.text, { module, path: [] });
    } else if (bindings !== undefined) {
      for (const { name, propertyName } of bindings.elements) {
        const imported = (propertyName ?? name).text;
        names.set(name.text, { module, path: imported === 'default' ? [] : [imported] });
      }
    }
  }
  return names;
}

function textOf(node: ts.Expression): string {
  const inner = skipWrappers.inward(node);
  return ts.isPropertyAccessExpression(inner)
    ? `${textOf(inner.expression)}.${inner.name.text}`
    : ts.isIdentifier(inner)
      ? inner.text
      : '';
}
