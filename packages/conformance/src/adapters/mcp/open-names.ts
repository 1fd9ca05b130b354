import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { Bindable, Scope } from '../../compiler/static-value.js';
import { bindingPath } from '../../compiler/syntax.js';

/** What a caller, a loop or an object decides: a parameter, a variable of a loop, or `this` by its class. */
export type Open = Bindable | ts.ClassLikeDeclaration;

/** What an expression depends on and a scope leaves open, in the order of the source. */
export interface OpenNames {
  /** Around the expression itself. */
  readonly around: readonly Open[];
  /** Around what the scope has bound: where a caller's argument comes from. */
  readonly behind: readonly Open[];
}

export function openIn(evaluator: Evaluator, node: ts.Expression, scope: Scope): OpenNames {
  const around = new Set<Open>();
  const behind = new Set<Open>();
  const seen = new Set<ts.Node>();
  let found = around;
  visit(node);
  return { around: [...around], behind: [...behind].filter((one) => !around.has(one)) };

  function visit(current: ts.Node): void {
    if (seen.has(current) || ts.isFunctionLike(current) || ts.isTypeNode(current)) {
      return;
    }
    seen.add(current);
    if (ts.isIdentifier(current)) {
      name(current);
    } else if (current.kind === ts.SyntaxKind.ThisKeyword) {
      const owner = ts.findAncestor(current, ts.isClassLike);
      if (owner !== undefined) {
        open(owner);
      }
    } else if (ts.isPropertyAccessExpression(current)) {
      visit(current.expression);
    } else {
      ts.forEachChild(current, visit);
    }
  }

  function name(identifier: ts.Identifier): void {
    const declaration = evaluator.references.symbolAt(identifier)?.valueDeclaration;
    if (declaration === undefined) {
      return;
    }
    const root = ts.isBindingElement(declaration) ? bindingPath(declaration).root : declaration;
    if (ts.isParameter(root)) {
      open(root);
    } else if (ts.isVariableDeclaration(root)) {
      if (ts.isForOfStatement(root.parent.parent)) {
        open(root);
      } else if (root.initializer !== undefined) {
        visit(root.initializer);
      }
    }
  }

  function open(one: Open): void {
    const value = scope.get(one);
    if (value === undefined) {
      found.add(one);
    } else if (value.kind === 'expression') {
      const outer = found;
      found = behind;
      visit(value.node);
      found = outer;
    }
  }
}

/**
 * What to fill next: where an argument comes from before anything else around the place, and of that the one
 * whose function, loop or class lies closest.
 */
export function nextToFill({ around, behind }: OpenNames): Open | null {
  const [first] = behind;
  return (
    first ??
    around.reduce<Open | null>(
      (best, one) => (best === null || ownerOf(one).pos > ownerOf(best).pos ? one : best),
      null,
    )
  );
}

function ownerOf(open: Open): ts.Node {
  return ts.isClassLike(open) ? open : ts.isVariableDeclaration(open) ? open.parent.parent : open.parent;
}
