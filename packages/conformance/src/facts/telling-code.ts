import { ts } from 'ts-morph';
import { RESULT_TYPE, RESULT_TYPES, TARGET_TYPE } from '@toolwright/sdk/contract-names';
import { walk } from '../compiler/walk.js';
import type { LoadedProject } from '../load/loaded-project.js';

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
  readonly calls: Set<string>;
}

/**
 * Knows, by names alone, which functions could have to do with preserved values: they speak of one, or
 * call something that does. It says yes too often and no only where nothing is to be found, so that
 * the interpretation can pass over the rest of a program.
 */
export class TellingCode {
  readonly #files = new Set<ts.SourceFile>();
  readonly #telling = new Set<ts.Node>();
  readonly #names: ReadonlySet<string>;

  constructor(project: LoadedProject, markedNames: readonly string[]) {
    this.#names = new Set([...TYPE_NAMES, ...MEMBER_NAMES, ...markedNames]);
    const typeNames = [...TYPE_NAMES, ...markedNames];
    const functions: Said[] = [];
    for (const file of project.ownFiles) {
      if (typeNames.some((name) => file.text.includes(name))) {
        this.#files.add(file);
      }
      functions.push(...this.#functionsOf(file));
    }
    spread(functions);
    for (const { node, isTelling } of functions) {
      if (isTelling) {
        this.#telling.add(node);
      }
    }
  }

  /** Whether a function, or the top level of a file, has to do with preserved values. */
  isTelling(node: ts.Node): boolean {
    return this.#telling.has(node);
  }

  /** Whether a file names a preserved type. */
  isTellingFile(file: ts.SourceFile): boolean {
    return this.#files.has(file);
  }

  #functionsOf(file: ts.SourceFile): readonly Said[] {
    const found: Said[] = [];
    // What stands at the top level, outside of every function, is the file's own.
    const top: Said = { node: file, isTelling: false, calls: new Set() };
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
          const said: Said = { node, isTelling: false, calls: new Set() };
          found.push(said);
          around.push(said);
        } else {
          this.#listen(node, around.length > 1 ? around.slice(1) : around);
        }
        return true;
      },
      (node) => {
        if (ts.isFunctionLike(node)) {
          around.pop();
        }
      },
    );
    return found;
  }

  #listen(node: ts.Node, around: readonly Said[]): void {
    if (ts.isIdentifier(node)) {
      if (this.#names.has(node.text)) {
        around.forEach((said) => (said.isTelling = true));
      }
      return;
    }
    // A spread or a property `content` in a literal may make one of any type.
    if (ts.isSpreadAssignment(node) || isContent(node)) {
      around.forEach((said) => (said.isTelling = true));
      return;
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = calledName(node.expression);
      if (name !== null) {
        around.forEach(({ calls }) => calls.add(name));
      }
    }
  }
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

/** Who calls a telling function, by its name, is telling too. */
function spread(functions: readonly Said[]): void {
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
  const work = functions.filter(({ isTelling }) => isTelling);
  const done = new Set<string>();
  for (let said = work.pop(); said !== undefined; said = work.pop()) {
    for (const name of namesOf(said.node)) {
      if (done.has(name)) {
        continue;
      }
      done.add(name);
      for (const caller of callers.get(name) ?? []) {
        if (!caller.isTelling) {
          caller.isTelling = true;
          work.push(caller);
        }
      }
    }
  }
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
