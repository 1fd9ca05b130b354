import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';

// What a place in the code depends on, within its function.

/** The tests that decide whether a node is reached, innermost first. */
export function testsAround(node: ts.Node): readonly ts.Expression[] {
  const tests: ts.Expression[] = [];
  for (
    let current = node;
    !ts.isFunctionLike(current) && !ts.isSourceFile(current);
    current = current.parent
  ) {
    const { parent } = current;
    if (ts.isIfStatement(parent) && current !== parent.expression) {
      tests.push(parent.expression);
    } else if (ts.isConditionalExpression(parent) && current !== parent.condition) {
      tests.push(parent.condition);
    } else if (ts.isCaseOrDefaultClause(current) && ts.isCaseBlock(parent)) {
      tests.push(parent.parent.expression);
    } else if (ts.isBinaryExpression(parent) && current === parent.right && isChoice(parent)) {
      tests.push(parent.left);
    }
    const before = current === node ? testBefore(node) : null;
    if (before !== null) {
      tests.push(before);
    }
  }
  return tests;
}

/** `if (response.ok) return …;` directly before: what follows is the other case. */
function testBefore(node: ts.Node): ts.Expression | null {
  let statement = node;
  while (ts.isExpression(statement)) {
    statement = statement.parent;
  }
  const { parent } = statement;
  if (!ts.isBlock(parent)) {
    return null;
  }
  const before = parent.statements[parent.statements.indexOf(statement as ts.Statement) - 1];
  return before !== undefined && ts.isIfStatement(before) && isReturn(before.thenStatement)
    ? before.expression
    : null;
}

function isReturn(node: ts.Statement): boolean {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node;
  return last !== undefined && ts.isReturnStatement(last);
}

function isChoice({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}

export function namesIn(test: ts.Expression): readonly ts.Identifier[] {
  const names: ts.Identifier[] = [];
  walk(test, (inner) => {
    const isMember = ts.isPropertyAccessExpression(inner.parent) && inner.parent.name === inner;
    if (ts.isIdentifier(inner) && !isMember) {
      names.push(inner);
    }
    return !ts.isFunctionLike(inner);
  });
  return names;
}

/** Members of an answer that say whether, or how often, something was done. */
const SAYS_WHETHER =
  /^(?:ok|status(?:Code|Text)?|success(?:ful)?|succeeded|failed|isError|errors?|code|(?:affected|changed|modified|matched|deleted|inserted|upserted|updated)(?:Rows|Count)?|rows?Affected|rowCount|numRows\w*|changes|rows|count|length|data|result)$/u;

/** The names in a test that asks an answer whether there is one, or what became of the call. */
export function outcomesIn(test: ts.Expression): readonly ts.Identifier[] {
  return namesIn(test).filter((name) => {
    const outer = skipWrappers.outward(name);
    const { parent } = outer;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === outer) {
      return SAYS_WHETHER.test(parent.name.text);
    }
    return !ts.isElementAccessExpression(parent) && !ts.isCallExpression(parent);
  });
}
