import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { bare, summands } from '../references/ast-shapes.js';
import { valueOrigins } from '../references/value-origins.js';

type Source = Readonly<TSESLint.SourceCode>;

/** Stands for what is put into a text when the code runs. */
export const PLACEHOLDER = '\u2026';

const MAX_DEPTH = 12;

/** The texts that an expression can be, as far as they are literals; what is put in is a placeholder. */
export function literalTexts(expression: TSESTree.Node, source: Source, depth = 0): string[] {
  const node = bare(expression);
  if (depth > MAX_DEPTH) {
    return [PLACEHOLDER];
  }
  switch (node.type) {
    case AST_NODE_TYPES.Literal:
      return [String(node.value)];
    case AST_NODE_TYPES.TemplateLiteral:
      return [templateText(node, source, depth)];
    case AST_NODE_TYPES.BinaryExpression:
      return node.operator === '+' ? [sumText(node, source, depth)] : [PLACEHOLDER];
    case AST_NODE_TYPES.ConditionalExpression:
      return [node.consequent, node.alternate].flatMap((side) => literalTexts(side, source, depth + 1));
    case AST_NODE_TYPES.LogicalExpression:
      return [node.left, node.right].flatMap((side) => literalTexts(side, source, depth + 1));
    case AST_NODE_TYPES.CallExpression:
    case AST_NODE_TYPES.Identifier:
    case AST_NODE_TYPES.MemberExpression:
      return followedTexts(node, source, depth);
    default:
      return [PLACEHOLDER];
  }
}

function templateText(node: TSESTree.TemplateLiteral, source: Source, depth: number): string {
  return node.quasis
    .map((quasi, index) => {
      const expression = node.expressions[index];
      return (
        (quasi.value.cooked ?? '') +
        (expression === undefined ? '' : (onlyText(expression, source, depth + 1) ?? PLACEHOLDER))
      );
    })
    .join('');
}

function sumText(node: TSESTree.BinaryExpression, source: Source, depth: number): string {
  return summands(node)
    .map((part) => onlyText(part, source, depth + 1) ?? PLACEHOLDER)
    .join('');
}

function onlyText(node: TSESTree.Node, source: Source, depth: number): string | null {
  const texts = literalTexts(node, source, depth);
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

function followedTexts(node: TSESTree.Node, source: Source, depth: number): string[] {
  const texts = valueOrigins(node, source).flatMap((origin) =>
    origin.kind === 'node' && origin.node !== node ? literalTexts(origin.node, source, depth + 1) : [],
  );
  return texts.length === 0 ? [PLACEHOLDER] : texts;
}
