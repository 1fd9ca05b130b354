import { ts } from '../../engine/typescript.mjs';

type Wrapper =
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.TypeAssertion
  | ts.SatisfiesExpression
  | ts.NonNullExpression;

function isWrapper(node: ts.Node): node is Wrapper {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  );
}

/** Steps over parentheses, type assertions, `satisfies` and `!`, which change no value. */
export const skipWrappers = {
  /** The expression inside. */
  inward(node: ts.Expression): ts.Expression {
    let current = node;
    while (isWrapper(current)) {
      current = current.expression;
    }
    return current;
  },
  /** The outermost expression around. */
  outward(node: ts.Node): ts.Node {
    let current = node;
    while (isWrapper(current.parent)) {
      current = current.parent;
    }
    return current;
  },
};

/** Whether a variable can be given no other value: `const`, or `using`. */
export function isConstVariable(declaration: ts.VariableDeclaration): boolean {
  const kind: number = ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.BlockScoped;
  return kind !== Number(ts.NodeFlags.None) && kind !== Number(ts.NodeFlags.Let);
}

/** The nearest function around a node, or null at a module's top level. */
export function enclosingFunction(node: ts.Node): ts.SignatureDeclaration | null {
  for (let current = node.parent as ts.Node | undefined; current !== undefined; current = current.parent) {
    if (ts.isFunctionLike(current)) {
      return current;
    }
  }
  return null;
}

/** The binding element's path to the declaration that it takes apart, outermost key first. */
export function bindingPath(element: ts.BindingElement): {
  readonly root: ts.ParameterDeclaration | ts.VariableDeclaration;
  /** Null where a key is computed, or the element is a rest. */
  readonly keys: readonly string[] | null;
  /** Defaults along the path, by the number of keys before them. */
  readonly defaults: ReadonlyMap<number, ts.Expression>;
} {
  const keys: string[] = [];
  const initializers: (ts.Expression | undefined)[] = [];
  let isKnown = true;
  let current: ts.BindingElement | ts.ParameterDeclaration | ts.VariableDeclaration = element;
  while (ts.isBindingElement(current)) {
    const key = keyOf(current);
    isKnown &&= key !== null && current.dotDotDotToken === undefined;
    keys.unshift(key ?? '');
    initializers.unshift(current.initializer);
    current = current.parent.parent;
  }
  const defaults = new Map<number, ts.Expression>();
  initializers.forEach((initializer, index) => {
    if (initializer !== undefined) {
      defaults.set(index + 1, initializer);
    }
  });
  return { root: current, keys: isKnown ? keys : null, defaults };
}

function keyOf(element: ts.BindingElement): string | null {
  if (ts.isArrayBindingPattern(element.parent)) {
    return String(element.parent.elements.indexOf(element));
  }
  const name = element.propertyName ?? element.name;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : null;
}

/** Source text as one line of at most so many characters, for messages. */
export function shortText(node: ts.Node, maxLength = 60): string {
  const text = node.getText().replace(/\s+/gu, ' ');
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
