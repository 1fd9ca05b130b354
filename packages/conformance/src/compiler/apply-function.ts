import { ts } from '../../engine/typescript.mjs';
import {
  ABSENT,
  type Evaluation,
  type FunctionNode,
  type MutableScope,
  type Scope,
  type StaticValue,
  type UnknownValue,
  undecided,
  valueOf,
} from './static-value.js';
import { shortText } from './syntax.js';

/** Binds parameters to arguments; what an argument that is spread would fill stays unbound. */
export function bindParameters(
  evaluation: Evaluation,
  parameters: readonly ts.ParameterDeclaration[],
  args: readonly StaticValue[] | null,
  into: MutableScope,
): void {
  parameters.forEach((parameter, index) => {
    if (args === null) {
      return;
    }
    if (parameter.dotDotDotToken !== undefined) {
      into.set(parameter, { kind: 'array', items: args.slice(index), node: parameter });
      return;
    }
    const given = args[index] ?? ABSENT;
    const { initializer } = parameter;
    into.set(
      parameter,
      initializer !== undefined && isUndefined(evaluation, given) ? valueOf(initializer, into) : given,
    );
  });
}

/** Arguments of a call as values; null where a spread hides how many there are. */
export function argumentsOf(
  evaluation: Evaluation,
  call: ts.CallExpression | ts.NewExpression,
  scope: Scope,
): readonly StaticValue[] | null {
  const values: StaticValue[] = [];
  for (const argument of call.arguments ?? []) {
    if (!ts.isSpreadElement(argument)) {
      values.push(valueOf(argument, scope));
      continue;
    }
    const items = evaluation.elements(valueOf(argument.expression, scope));
    if (items === null) {
      return null;
    }
    values.push(...items);
  }
  return values;
}

/** What a call of a function answers. */
export function applyFunction(
  evaluation: Evaluation,
  node: FunctionNode,
  scope: Scope,
  args: readonly StaticValue[] | null,
): StaticValue {
  const inner = new Map(scope);
  bindParameters(evaluation, node.parameters, args, inner);
  if (node.body === undefined) {
    return undecided(`the code of ${shortText(node.name ?? node)} is not there to be read`, node);
  }
  if ('asteriskToken' in node && node.asteriskToken !== undefined) {
    return undecided('it is yielded by a generator', node);
  }
  if (!ts.isBlock(node.body)) {
    return valueOf(node.body, inner);
  }
  const ended = runStatements(evaluation, node.body.statements, inner);
  return ended.kind === 'value' ? ended.value : ABSENT;
}

type Ended =
  | { readonly kind: 'value'; readonly value: StaticValue }
  | { readonly kind: 'goes-on' }
  | { readonly kind: 'throws' };

const GOES_ON: Ended = { kind: 'goes-on' };

/** Follows statements to a return. Declarations need no step of their own: names are looked up when used. */
function runStatements(evaluation: Evaluation, statements: readonly ts.Statement[], scope: Scope): Ended {
  for (const [index, statement] of statements.entries()) {
    let after: Ended | null = null;
    // Once, however many branches go on: else a function of many conditions takes exponentially long.
    const rest = (): Ended => (after ??= runStatements(evaluation, statements.slice(index + 1), scope));
    if (ts.isReturnStatement(statement)) {
      return { kind: 'value', value: returned(statement, scope) };
    }
    if (ts.isThrowStatement(statement)) {
      return { kind: 'throws' };
    }
    if (ts.isIfStatement(statement)) {
      const otherwise = statement.elseStatement === undefined ? [] : [statement.elseStatement];
      const run = (branch: readonly ts.Statement[]): Ended =>
        then(runStatements(evaluation, branch, scope), rest);
      const condition = evaluation.fold(valueOf(statement.expression, scope));
      if (condition.kind === 'constant') {
        return condition.value ? run([statement.thenStatement]) : run(otherwise);
      }
      return join([run([statement.thenStatement]), run(otherwise)], condition);
    }
    if (ts.isSwitchStatement(statement)) {
      return runSwitch(evaluation, statement, scope, rest);
    }
    if (ts.isTryStatement(statement)) {
      const blocks = [
        statement.tryBlock,
        ...(statement.catchClause === undefined ? [] : [statement.catchClause.block]),
      ];
      const ends = blocks.map((block) => then(runStatements(evaluation, block.statements, scope), rest));
      return join(ends, undecided('it depends on what is caught', statement));
    }
    if (ts.isBlock(statement)) {
      return then(runStatements(evaluation, statement.statements, scope), rest);
    }
    if (ts.isIterationStatement(statement, true) && containsReturn(statement)) {
      return { kind: 'value', value: undecided('it is decided in a loop', statement) };
    }
  }
  return GOES_ON;
}

function runSwitch(
  evaluation: Evaluation,
  statement: ts.SwitchStatement,
  scope: Scope,
  rest: () => Ended,
): Ended {
  const { clauses } = statement.caseBlock;
  const from = (start: number): Ended => {
    const statements = clauses.slice(start).flatMap((clause) => [...clause.statements]);
    const end = statements.findIndex((one) => ts.isBreakStatement(one));
    return then(runStatements(evaluation, end < 0 ? statements : statements.slice(0, end), scope), rest);
  };
  const subject = evaluation.fold(valueOf(statement.expression, scope));
  const fallback = clauses.findIndex((clause) => ts.isDefaultClause(clause));
  const otherwise = (): Ended => (fallback < 0 ? rest() : from(fallback));
  if (subject.kind === 'constant') {
    for (const [index, clause] of clauses.entries()) {
      if (ts.isCaseClause(clause)) {
        const label = evaluation.fold(valueOf(clause.expression, scope));
        if (label.kind !== 'constant') {
          return { kind: 'value', value: label };
        }
        if (label.value === subject.value) {
          return from(index);
        }
      }
    }
    return otherwise();
  }
  const ends = clauses.flatMap((clause, index) => (ts.isCaseClause(clause) ? [from(index)] : []));
  return join([...ends, otherwise()], subject);
}

function then(ended: Ended, rest: () => Ended): Ended {
  return ended.kind === 'goes-on' ? rest() : ended;
}

/** One of several ends, without those that throw. */
function join(ends: readonly Ended[], cause: UnknownValue): Ended {
  const living = [...new Set(ends)].filter((end) => end.kind !== 'throws');
  const [first] = living;
  if (first === undefined) {
    return { kind: 'throws' };
  }
  if (living.length === 1) {
    return first;
  }
  const options = living.map((end) => (end.kind === 'value' ? end.value : ABSENT));
  return { kind: 'value', value: { kind: 'choice', options, cause } };
}

function returned(statement: ts.ReturnStatement, scope: Scope): StaticValue {
  return statement.expression === undefined ? ABSENT : valueOf(statement.expression, scope);
}

function isUndefined(evaluation: Evaluation, value: StaticValue): boolean {
  const folded = evaluation.fold(value);
  return folded.kind === 'constant' && folded.value === undefined;
}

function containsReturn(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) {
    return false;
  }
  return (
    ts.isReturnStatement(node) ||
    (ts.forEachChild(node, (child) => containsReturn(child) || undefined) ?? false)
  );
}
