import { ts } from '../../../engine/typescript.mjs';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import { heritageOf } from './class-heritage.js';

/** More classes than this that could be meant say nothing together. */
const MOST = 3;

/** Knows which classes of the project implement an interface of the project, or extend an abstract class of it. */
export class Implementations {
  readonly #project: LoadedProject;
  readonly #own: ReadonlySet<ts.SourceFile>;
  #byBase: ReadonlyMap<ts.Symbol, readonly ts.ClassLikeDeclaration[]> | null = null;

  constructor(project: LoadedProject, own: ReadonlySet<ts.SourceFile>) {
    this.#project = project;
    this.#own = own;
  }

  /** The concrete classes that a value of a declared type is an instance of; none where there are none, or too many. */
  of(type: ts.Type): readonly ts.ClassLikeDeclaration[] {
    const { symbol } = type as ts.Type | { symbol?: ts.Symbol };
    const isOwn = symbol?.declarations?.every(
      (declaration) =>
        this.#own.has(declaration.getSourceFile()) &&
        (ts.isInterfaceDeclaration(declaration) || isAbstract(declaration)),
    );
    if (symbol === undefined || isOwn !== true) {
      return [];
    }
    const found = new Set<ts.ClassLikeDeclaration>();
    this.#collect(symbol, found, new Set());
    return found.size > MOST ? [] : [...found];
  }

  #collect(base: ts.Symbol, found: Set<ts.ClassLikeDeclaration>, seen: Set<ts.Symbol>): void {
    if (seen.has(base)) {
      return;
    }
    seen.add(base);
    this.#byBase ??= this.#find();
    for (const node of this.#byBase.get(base) ?? []) {
      if (!isAbstract(node)) {
        found.add(node);
      }
      const symbol =
        node.name === undefined ? undefined : this.#project.checker.getSymbolAtLocation(node.name);
      if (symbol !== undefined) {
        this.#collect(symbol, found, seen);
      }
    }
  }

  #find(): ReadonlyMap<ts.Symbol, readonly ts.ClassLikeDeclaration[]> {
    const byBase = new Map<ts.Symbol, ts.ClassLikeDeclaration[]>();
    const { checker } = this.#project;
    for (const file of this.#own) {
      if (!/\b(?:implements|extends)\b/u.test(file.text)) {
        continue;
      }
      walk(file, (node) => {
        if (ts.isClassLike(node)) {
          for (const base of heritageOf(checker, node)) {
            byBase.set(base, [...(byBase.get(base) ?? []), node]);
          }
        }
        return !ts.isTypeNode(node);
      });
    }
    return byBase;
  }
}

function isAbstract(node: ts.Declaration): boolean {
  return (
    ts.isClassLike(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)
  );
}
