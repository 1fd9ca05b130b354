import { ts } from '../../../engine/typescript.mjs';
import type { ReferenceIndex } from '../../compiler/reference-index.js';
import type { RawHandlerUse } from '../../model/fact-base.js';

export interface Finding {
  readonly kind: RawHandlerUse['kind'];
  readonly certainty: RawHandlerUse['certainty'];
  readonly node: ts.Node;
  readonly handler: string;
  readonly why: string;
  /** The handler's class, where the project declares it. */
  readonly origin: ts.Node | null;
}

/** Findings, at most one a place, and the question whether a value comes from one of them. */
export class FindingSet {
  readonly #references: ReferenceIndex;
  readonly #byNode = new Map<ts.Node, Finding>();

  constructor(references: ReferenceIndex) {
    this.#references = references;
  }

  /** The first finding of a place stays. */
  add(finding: Finding): void {
    if (!this.#byNode.has(finding.node)) {
      this.#byNode.set(finding.node, finding);
    }
  }

  [Symbol.iterator](): Iterator<Finding> {
    return this.#byNode.values();
  }

  hasWithin(node: ts.Node): boolean {
    for (const found of this.#byNode.keys()) {
      if (found.getSourceFile() === node.getSourceFile() && node.pos <= found.pos && found.end <= node.end) {
        return true;
      }
    }
    return false;
  }

  /** Whether what a value comes from is a finding already, so that its uses need not be. */
  isOriginReported(node: ts.Node): boolean {
    let current: ts.Node | null = node;
    while (current !== null) {
      if (this.#byNode.has(current)) {
        return true;
      }
      if (ts.isCallExpression(current) && this.hasWithin(current)) {
        return true;
      }
      if (ts.isPropertyAccessExpression(current) && this.#isDeclaredAtFinding(current.name)) {
        return true;
      }
      if (ts.isIdentifier(current) && this.#isDeclaredAtFinding(current)) {
        return true;
      }
      current = sourceOf(current);
    }
    return false;
  }

  #isDeclaredAtFinding(name: ts.Node): boolean {
    const declaration = this.#references.symbolAt(name)?.valueDeclaration;
    return declaration !== undefined && this.hasWithin(declaration);
  }
}

/** The node that a node takes its value from; null where that is not in the same expression. */
function sourceOf(node: ts.Node): ts.Node | null {
  if (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node)
  ) {
    return node.expression;
  }
  if (ts.isBindingElement(node)) {
    return node.parent.parent;
  }
  return ts.isVariableDeclaration(node) ? (node.initializer ?? null) : null;
}
