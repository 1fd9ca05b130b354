import { ts } from '../../engine/typescript.mjs';
import { RESULT_TYPE, RESULT_TYPES, TARGET_TYPE } from '@toolwright/sdk/contract-names';
import { walk } from '../compiler/walk.js';
import type { LoadedProject } from '../load/loaded-project.js';
import { namesForTypes } from './names-for-types.js';
import type { CheckerQueries } from './queries/checker-queries.js';
import { Evidence } from './rebuilds/evidence.js';

const TYPE_NAMES = [RESULT_TYPE, TARGET_TYPE, 'CallToolResult', ...Object.keys(RESULT_TYPES)];
/** Members by which a preserved value is built or taken apart. */
const MEMBER_NAMES = [
  'isError',
  'artifacts',
  'target',
  'structuredContent',
  'withContent',
  'withArtifacts',
  'structuredClone',
];

interface Said {
  readonly node: ts.SignatureDeclaration | ts.SourceFile;
  isTelling: boolean;
  /** It hands a function to something that keeps it, or puts one into a property. */
  isKeeping: boolean;
  /** It names a preserved type outright. */
  isOutright: boolean;
  /** Places where a value may be a preserved one; its type decides. */
  readonly hints: ts.Node[];
  readonly calls: Set<string>;
}

/**
 * Knows, by names alone, which functions could have to do with preserved values: they speak of one, or
 * call something that does. It says yes too often and no only where nothing is to be found, so that
 * the interpretation can pass over the rest of a program.
 */
export class TellingCode {
  readonly #files = new Set<ts.SourceFile>();
  readonly #telling: ReadonlySet<ts.Node>;
  readonly #rebuilding: ReadonlySet<ts.Node>;
  readonly #keeping: ReadonlySet<ts.Node>;
  readonly #types: ReadonlySet<string>;
  readonly #members = new Set(MEMBER_NAMES);

  constructor(project: LoadedProject, queries: CheckerQueries) {
    const typeNames = [
      ...namesForTypes(project.ownFiles, [...TYPE_NAMES, ...queries.preservedTypes.markedNames]),
    ];
    this.#types = new Set(typeNames);
    const functions: Said[] = [];
    for (const file of project.ownFiles) {
      if (typeNames.some((name) => file.text.includes(name))) {
        this.#files.add(file);
      }
      functions.push(...this.#functionsOf(file));
    }
    this.#telling = reached(
      functions,
      functions.filter(({ isTelling }) => isTelling),
      () => true,
    );
    this.#keeping = reached(
      functions,
      functions.filter(({ isKeeping }) => isKeeping),
      () => true,
    );
    this.#rebuilding = rebuilding(project, functions, this.#telling, queries);
  }

  /** Whether a function, or the top level of a file, has to do with preserved values. */
  isTelling(node: ts.Node): boolean {
    return this.#telling.has(node);
  }

  /**
   * Whether a function could rebuild one, by the types of what it handles: fewer than the telling ones,
   * for what is looked at for the sake of rebuilds alone.
   */
  isRebuilding(node: ts.Node): boolean {
    return this.#rebuilding.has(node);
  }

  /** Whether a function, or the top level of a file, gives code to something that keeps it: to what a tool may use. */
  isKeeping(node: ts.Node): boolean {
    return this.#keeping.has(node);
  }

  /** Whether a file names a preserved type. */
  isTellingFile(file: ts.SourceFile): boolean {
    return this.#files.has(file);
  }

  #functionsOf(file: ts.SourceFile): readonly Said[] {
    const found: Said[] = [];
    // What stands at the top level, outside of every function, is the file's own.
    const top = nothingSaid(file);
    found.push(top);
    const around: Said[] = [top];
    walk(
      file,
      (node) => {
        if (
          ts.isImportDeclaration(node) ||
          ts.isInterfaceDeclaration(node) ||
          ts.isTypeAliasDeclaration(node)
        ) {
          return false;
        }
        if (ts.isFunctionLike(node)) {
          const said = nothingSaid(node);
          found.push(said);
          around.push(said);
        } else {
          this.#listen(node, around.length > 1 ? around.slice(1) : around);
        }
        return true;
      },
      (node) => {
        if (ts.isFunctionLike(node)) {
          // Code that a statement of the file hands to something is kept there for later.
          const said = around.pop();
          top.isTelling ||= said?.isTelling === true && isHandedOver(node);
        }
      },
    );
    return found;
  }

  #listen(node: ts.Node, around: readonly Said[]): void {
    if (ts.isIdentifier(node)) {
      if (this.#types.has(node.text)) {
        around.forEach((said) => (said.isTelling = said.isOutright = true));
      } else if (this.#members.has(node.text)) {
        around.forEach((said) => hint(said, node));
      }
      return;
    }
    // A spread or a property `content` in a literal may make one of any type.
    if (ts.isSpreadAssignment(node) || isContent(node)) {
      around.forEach((said) => hint(said, node));
      return;
    }
    if (keepsCode(node)) {
      around.forEach((said) => (said.isKeeping = true));
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = calledName(node.expression);
      if (name !== null) {
        around.forEach(({ calls }) => calls.add(name));
      }
    }
  }
}

const KEEPING =
  /^(?:on|once|addListener|prepend(?:Once)?Listener|addEventListener|subscribe|use|function|aggregate|createHook)$/u;

/** The same, of what is given as code and not by a name. */
const HOOKING =
  /^(?:add|fallback|tap\w*|hook|pre|post|before|after|wrap|extend|\$use|\$extends|addHook|register|intercept)$/u;

/** `bus.on('seen', …)` and `hooks.after = …`; what a function does to its own parts is nobody else's. */
function keepsCode(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) {
    const { expression: callee } = node;
    const last = node.arguments.at(-1);
    if (ts.isIdentifier(callee)) {
      return callee.text === 'subscribe' && last !== undefined;
    }
    return (
      ts.isPropertyAccessExpression(callee) &&
      last !== undefined &&
      (KEEPING.test(callee.name.text)
        ? ts.isFunctionLike(last) || ts.isIdentifier(last)
        : HOOKING.test(callee.name.text) && node.arguments.some((given) => ts.isFunctionLike(given))) &&
      callee.expression.getText() !== 'process'
    );
  }
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isFunctionLike(node.right) &&
    ts.isPropertyAccessExpression(node.left) &&
    node.left.expression.kind !== ts.SyntaxKind.ThisKeyword
  );
}

/** Whether a function is part of what a statement at the top level calls something with. */
function isHandedOver(node: ts.Node): boolean {
  for (let current = node.parent; !ts.isSourceFile(current); current = current.parent) {
    if (ts.isFunctionLike(current)) {
      return false;
    }
    if (ts.isExpressionStatement(current)) {
      return true;
    }
  }
  return false;
}

function isContent(node: ts.Node): boolean {
  return (
    (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
    ts.isIdentifier(node.name) &&
    node.name.text === 'content'
  );
}

function calledName(callee: ts.Expression): string | null {
  if (ts.isIdentifier(callee)) {
    return callee.text;
  }
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : null;
}

function nothingSaid(node: Said['node']): Said {
  return { node, isTelling: false, isKeeping: false, isOutright: false, hints: [], calls: new Set() };
}

function hint(said: Said, node: ts.Node): void {
  said.isTelling = true;
  said.hints.push(node);
}

/** The functions with evidence that their types confirm, and who gets preserved values from them or gives them some. */
function rebuilding(
  project: LoadedProject,
  functions: readonly Said[],
  telling: ReadonlySet<ts.Node>,
  queries: CheckerQueries,
): ReadonlySet<ts.Node> {
  const evidence = new Evidence(queries);
  if (!evidence.isPossible(project)) {
    return new Set();
  }
  const own = functions.filter(({ node }) => telling.has(node));
  const start = own.filter(
    ({ isOutright, hints }) => isOutright || hints.some((node) => evidence.isConfirmed(node)),
  );
  return reached(own, start, (node) => ts.isSourceFile(node) || evidence.isExchanging(node));
}

/** Who calls one of some functions by its name, and who calls those; as far as a function lets it pass. */
function reached(
  functions: readonly Said[],
  start: readonly Said[],
  isPassedOn: (node: Said['node']) => boolean,
): ReadonlySet<ts.Node> {
  const callers = new Map<string, Said[]>();
  for (const said of functions) {
    for (const name of said.calls) {
      const known = callers.get(name);
      if (known === undefined) {
        callers.set(name, [said]);
      } else {
        known.push(said);
      }
    }
  }
  const found = new Set<ts.Node>(start.map(({ node }) => node));
  const work = [...start];
  const done = new Set<string>();
  for (let said = work.pop(); said !== undefined; said = work.pop()) {
    const names = namesOf(said.node).filter((name) => !done.has(name));
    if (names.length === 0 || !isPassedOn(said.node)) {
      continue;
    }
    for (const name of names) {
      done.add(name);
      for (const caller of callers.get(name) ?? []) {
        if (!found.has(caller.node)) {
          found.add(caller.node);
          work.push(caller);
        }
      }
    }
  }
  return found;
}

/** What a function is called by: its name, its class's for a constructor, the variable that holds it. */
function namesOf(node: ts.SignatureDeclaration | ts.SourceFile): readonly string[] {
  if (ts.isSourceFile(node)) {
    return [];
  }
  const { parent } = node;
  if (ts.isConstructorDeclaration(node) && ts.isClassLike(parent)) {
    return parent.name === undefined ? [] : [parent.name.text];
  }
  const name = ts.getNameOfDeclaration(node) ?? (isNamed(parent) ? parent.name : undefined);
  return name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? [name.text] : [];
}

function isNamed(
  node: ts.Node,
): node is ts.VariableDeclaration | ts.PropertyAssignment | ts.PropertyDeclaration {
  return ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node);
}
