import type { TSESLint, TSESTree } from '@typescript-eslint/utils';
import { ESLintUtils } from '@typescript-eslint/utils';
import ts from 'typescript';
import { LintError } from '../errors.js';
import { packageNameOf } from '../references/package-name.js';

/** The key under `settings` that all rules of this plugin read. */
export const SETTINGS_KEY = 'toolwright';

/**
 * When rules ask the compiler: `auto` where the parser offers types, `required` fails where it does
 * not, `off` never.
 */
export type TypesSetting = 'auto' | 'required' | 'off';

/** The compiler's view of the linted file. Every method computes only what it is asked. */
export interface TypeInformation {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  typeOf(node: TSESTree.Node): ts.Type;
  /** The compiler's node for one of the parser's. */
  nodeOf(node: TSESTree.Node): ts.Node;
  /** The type that an expression is expected to have where it stands; null where nothing is expected. */
  contextualTypeOf(node: TSESTree.Expression): ts.Type | null;
  /** The symbol that a name stands for, behind imports and re-exports. */
  symbolOf(node: TSESTree.Node): ts.Symbol | null;
}

type AnyContext = Readonly<TSESLint.RuleContext<string, readonly unknown[]>>;

const bySource = new WeakMap<object, TypeInformation | null>();

/**
 * @throws LintError `TYPES_MISSING` when the settings require types and the parser offers none, and
 *   `BAD_SETTINGS` when the setting has a value that it does not know.
 */
export function typeInformation(context: AnyContext): TypeInformation | null {
  const setting = typesSetting(context.settings);
  if (setting === 'off') {
    return null;
  }
  const known = bySource.get(context.sourceCode);
  const types = known === undefined ? read(context) : known;
  bySource.set(context.sourceCode, types);
  if (types === null && setting === 'required') {
    throw new LintError(
      'TYPES_MISSING',
      `Cannot lint ${context.filename} with types: expected the parser to offer them, found none. ` +
        'Set languageOptions.parserOptions.projectService to true with @typescript-eslint/parser, or use ' +
        'the configuration "disableTypeChecked" of @toolwright/eslint-plugin for this file.',
    );
  }
  return types;
}

function typesSetting(settings: Readonly<Record<string, unknown>>): TypesSetting {
  const own = settings[SETTINGS_KEY];
  const types: unknown = typeof own === 'object' && own !== null && 'types' in own ? own.types : undefined;
  if (types === undefined || types === 'auto' || types === 'required' || types === 'off') {
    return types ?? 'auto';
  }
  throw new LintError(
    'BAD_SETTINGS',
    `Cannot read settings.${SETTINGS_KEY}.types: expected "auto", "required" or "off", found ${JSON.stringify(types)}.`,
  );
}

function read(context: AnyContext): TypeInformation | null {
  const services = context.sourceCode.parserServices;
  if (services?.program === undefined || services.program === null) {
    return null;
  }
  const typed = ESLintUtils.getParserServices(context);
  const checker = typed.program.getTypeChecker();
  return {
    program: typed.program,
    checker,
    typeOf: (node) => typed.getTypeAtLocation(node),
    nodeOf: (node) => typed.esTreeNodeToTSNodeMap.get(node),
    contextualTypeOf(node) {
      const expression = typed.esTreeNodeToTSNodeMap.get(node);
      return ts.isExpression(expression) ? (checker.getContextualType(expression) ?? null) : null;
    },
    symbolOf(node) {
      const symbol = typed.getSymbolAtLocation(node);
      return symbol === undefined ? null : behindAliases(symbol, checker);
    },
  };
}

export function behindAliases(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** The package (or ambient module) that declares something; null for a global of no package. */
export function declaringPackage(declaration: ts.Declaration): string | null {
  for (let node: ts.Node = declaration; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) {
      return node.name.text;
    }
  }
  return packageNameOf(declaration.getSourceFile().fileName);
}

/** Whether a symbol has this name and is declared by this package. */
export function isDeclaredBy(symbol: ts.Symbol, packageName: string, name: string): boolean {
  return (
    symbol.name === name &&
    (symbol.declarations ?? []).some((declaration) => declaringPackage(declaration) === packageName)
  );
}
