import { ts } from '../../../engine/typescript.mjs';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import { heritageOf } from './class-heritage.js';

/** A member of a class, or of an object that is written out, which is what an interface asks for. */
export type Implementation =
  | { readonly kind: 'class'; readonly node: ts.ClassLikeDeclaration }
  | { readonly kind: 'literal'; readonly member: ts.ObjectLiteralElementLike };

/** More objects with a member of one name are not asked for their types. */
const MOST_LITERALS = 24;

interface Index {
  /** The classes that say they implement or extend something of the project's own, by the name and what was declared. */
  readonly classes: ReadonlyMap<ts.Symbol, readonly ts.ClassLikeDeclaration[]>;
  readonly members: ReadonlyMap<string, readonly ts.ObjectLiteralElementLike[]>;
}

/** Knows what in the project does what its interfaces and abstract classes only declare. */
export class ImplementingMembers {
  readonly #project: LoadedProject;
  readonly #known = new Map<ts.Symbol, readonly Implementation[]>();
  #index: Index | null = null;

  constructor(project: LoadedProject) {
    this.#project = project;
  }

  /** @param member - the method, or the property that holds a function, as it is declared without code */
  of(member: ts.Symbol): readonly Implementation[] {
    let known = this.#known.get(member);
    if (known === undefined) {
      known = this.#find(member);
      this.#known.set(member, known);
    }
    return known;
  }

  #find(member: ts.Symbol): readonly Implementation[] {
    const owner = member.declarations?.[0]?.parent;
    if (
      owner === undefined ||
      !(ts.isInterfaceDeclaration(owner) || ts.isClassLike(owner) || ts.isTypeLiteralNode(owner))
    ) {
      return [];
    }
    this.#index ??= this.#build();
    const { classes, members } = this.#index;
    const { checker } = this.#project;
    const name = ts.isTypeLiteralNode(owner) ? aliasNameOf(owner) : owner.name;
    const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name);
    const inClasses = symbol === undefined ? [] : (classes.get(symbol) ?? []);
    const candidates = members.get(member.name) ?? [];
    const literals =
      candidates.length > MOST_LITERALS ? [] : candidates.filter((one) => this.#isOf(one, member));
    return [
      ...inClasses.map((node) => ({ kind: 'class' as const, node })),
      ...literals.map((one) => ({ kind: 'literal' as const, member: one })),
    ];
  }

  /** Whether an object is written where what declares the member is expected. */
  #isOf(one: ts.ObjectLiteralElementLike, member: ts.Symbol): boolean {
    const { checker } = this.#project;
    const type = checker.getContextualType(one.parent as ts.ObjectLiteralExpression);
    return type !== undefined && checker.getPropertyOfType(type, member.name) === member;
  }

  #build(): Index {
    const classes = new Map<ts.Symbol, ts.ClassLikeDeclaration[]>();
    const members = new Map<string, ts.ObjectLiteralElementLike[]>();
    for (const file of this.#project.ownFiles) {
      if (file.isDeclarationFile) {
        continue;
      }
      walk(file, (node) => {
        if (ts.isClassLike(node) && node.heritageClauses !== undefined) {
          for (const above of this.#above(node)) {
            add(classes, above, node);
          }
        } else if (ts.isObjectLiteralExpression(node)) {
          node.properties.filter(mayHoldCode).forEach((property) => {
            add(members, property.name.text, property);
          });
        }
        return true;
      });
    }
    return { classes, members };
  }

  /** What a class implements and extends, and what those extend. */
  #above(node: ts.ClassLikeDeclaration): ReadonlySet<ts.Symbol> {
    const { checker } = this.#project;
    const found = new Set<ts.Symbol>();
    const work: (ts.ClassLikeDeclaration | ts.InterfaceDeclaration)[] = [node];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      for (const symbol of heritageOf(checker, next)) {
        if (!found.has(symbol)) {
          found.add(symbol);
          work.push(...(symbol.declarations ?? []).filter(isOfHeritage));
        }
      }
    }
    return found;
  }
}

function isOfHeritage(node: ts.Node): node is ts.ClassLikeDeclaration | ts.InterfaceDeclaration {
  return ts.isClassLike(node) || ts.isInterfaceDeclaration(node);
}

type Named = ts.ObjectLiteralElementLike & { readonly name: ts.Identifier };

function mayHoldCode(property: ts.ObjectLiteralElementLike): property is Named {
  const holds =
    ts.isMethodDeclaration(property) ||
    ts.isShorthandPropertyAssignment(property) ||
    (ts.isPropertyAssignment(property) &&
      (ts.isFunctionLike(property.initializer) ||
        ts.isIdentifier(property.initializer) ||
        ts.isPropertyAccessExpression(property.initializer) ||
        ts.isCallExpression(property.initializer)));
  return holds && ts.isIdentifier(property.name);
}

/** `type Store = { … }` */
function aliasNameOf(node: ts.TypeLiteralNode): ts.Identifier | undefined {
  return ts.isTypeAliasDeclaration(node.parent) ? node.parent.name : undefined;
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) {
    map.set(key, [value]);
  } else {
    known.push(value);
  }
}
