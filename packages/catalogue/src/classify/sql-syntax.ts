import type { Convergence } from '../model/effect.js';
import { joinConvergence, writes, type Judgement } from './judgement.js';
import { isRandomSqlFunction, judgeSqlFunction } from './sql-functions.js';
import type { DatabasePlace } from './sql-statements.js';
import { HOLE_NAME } from './sql-tokens.js';

/** A node of the parser's tree: plain JSON, one key per variant. */
type SyntaxNode = Readonly<Record<string, unknown>>;

export interface SyntaxFindings {
  /** Row changes, `SELECT … INTO` and writing functions, in the order of the text. */
  readonly changes: readonly Judgement[];
  /** Functions of the project's own that may write. */
  readonly uncertain: readonly Judgement[];
}

/**
 * What a parsed statement changes, wherever in it the change stands: in a common table expression,
 * a branch, a subquery. It says what the leading words can't: whether a change converges.
 */
export function findChanges(statement: unknown, where: DatabasePlace): SyntaxFindings {
  const changes: Judgement[] = [];
  const uncertain: Judgement[] = [];
  visit(statement, (key, node) => {
    const change = judgeChange(key, node, where);
    if (change !== null) changes.push(change);
    if (key === 'Function') {
      const called = judgeSqlFunction(nameOf(node['name']), where);
      if (called?.effect === 'unknown') uncertain.push(called);
      else if (called !== null && called.effect !== 'none') changes.push(called);
    }
    // The actions of a MERGE belong to it.
    return key !== 'Merge';
  });
  return { changes, uncertain };
}

function judgeChange(key: string, node: SyntaxNode, where: DatabasePlace): Judgement | null {
  if (key === 'Insert' && 'table' in node) {
    const isReplacing =
      node['replace_into'] === true || node['or'] === 'Replace' || node['overwrite'] === true;
    return writes(where, isReplacing ? 'upsert' : 'create', 'the SQL text inserts rows', {
      converges: convergenceOfInsert(node),
    });
  }
  if (key === 'Update' && 'assignments' in node && 'table' in node) {
    return writes(where, 'set', 'the SQL text updates rows', { converges: convergenceOfUpdate(node) });
  }
  if (key === 'Delete' && 'from' in node) {
    const isNext = Boolean(node['limit']) || holdsLimit(node['selection']);
    return isNext
      ? writes(where, 'pop', 'the SQL text deletes whichever row comes first')
      : writes(where, 'delete', 'the SQL text deletes rows');
  }
  if (key === 'Merge' && Array.isArray(node['clauses'])) {
    return writes(where, 'upsert', 'the SQL text merges rows', { converges: convergenceOfMerge(node) });
  }
  if (key === 'Select' && isNode(node['into']) && !nameOf(node['into']['name']).startsWith('@')) {
    const isTemporary = node['into']['temporary'] === true;
    return writes(isTemporary ? 'session' : where, 'ensure', 'the SQL text selects into a new table');
  }
  return null;
}

function convergenceOfInsert(node: SyntaxNode): Convergence {
  const isRandom = holdsRandom(node['source']);
  const isGuarded =
    node['ignore'] === true ||
    node['replace_into'] === true ||
    ['Ignore', 'Replace'].includes(String(node['or']));
  // Without a target the unique column that guards may be the random one.
  if (isGuarded) return isRandom ? 'unknown' : 'yes';
  if (node['overwrite'] === true) return 'yes';
  const on = node['on'];
  if (!isNode(on)) return holdsNotExists(node['source']) ? 'yes' : 'no';
  const keyConvergence = convergenceOfConflictKey(node, on, isRandom);
  if (isNode(on['DuplicateKeyUpdate']) || Array.isArray(on['DuplicateKeyUpdate'])) {
    return joinConvergence([keyConvergence, convergenceOfAssignments(on['DuplicateKeyUpdate'], null)]);
  }
  const conflict = on['OnConflict'];
  const action = isNode(conflict) ? conflict['action'] : undefined;
  if (!isNode(action)) return keyConvergence;
  const update = action['DoUpdate'];
  if (!isNode(update)) return keyConvergence;
  return joinConvergence([
    keyConvergence,
    convergenceOfAssignments(update['assignments'], update['selection']),
  ]);
}

/** A conflict on a column that gets a random value never happens. */
function convergenceOfConflictKey(node: SyntaxNode, on: SyntaxNode, isRandom: boolean): Convergence {
  if (!isRandom) return 'yes';
  const conflict = on['OnConflict'];
  const target = isNode(conflict) ? conflict['conflict_target'] : undefined;
  const targets = isNode(target) && Array.isArray(target['Columns']) ? target['Columns'].map(nameOf) : [];
  const columns = Array.isArray(node['columns']) ? node['columns'].map(nameOf) : [];
  if (targets.length === 0 || columns.length === 0) return 'unknown';
  const rows = rowsOf(node['source']);
  const isKeyRandom = rows.some((row) => targets.some((name) => holdsRandom(row[columns.indexOf(name)])));
  return isKeyRandom ? 'no' : 'yes';
}

function rowsOf(source: unknown): readonly (readonly unknown[])[] {
  const body = isNode(source) ? source['body'] : undefined;
  const values = isNode(body) ? body['Values'] : undefined;
  const rows = isNode(values) && Array.isArray(values['rows']) ? (values['rows'] as unknown[]) : [];
  return rows.map((row) => {
    if (Array.isArray(row)) return row as unknown[];
    return isNode(row) && Array.isArray(row['content']) ? (row['content'] as unknown[]) : [];
  });
}

function convergenceOfUpdate(node: SyntaxNode): Convergence {
  const assigned = convergenceOfAssignments(node['assignments'], node['selection']);
  // Which rows are "first" changes with every run, unless the update takes them out of the choice.
  const isNext = Boolean(node['limit']) || holdsLimit(node['selection']);
  return isNext ? joinConvergence([assigned, 'unknown']) : assigned;
}

function convergenceOfMerge(node: SyntaxNode): Convergence {
  const clauses = Array.isArray(node['clauses']) ? (node['clauses'] as unknown[]) : [];
  return joinConvergence(
    clauses.map((clause) => {
      const action = isNode(clause) ? clause['action'] : undefined;
      const update = isNode(action) ? action['Update'] : undefined;
      return isNode(update) ? convergenceOfAssignments(update['assignments'], null) : 'yes';
    }),
  );
}

function convergenceOfAssignments(assignments: unknown, selection: unknown): Convergence {
  if (!Array.isArray(assignments)) return 'unknown';
  const pairs = (assignments as unknown[]).filter(isNode);
  const targets = new Set(pairs.map((pair) => nameOf(pair['target'])));
  const compared = comparedColumns(selection);
  return joinConvergence(
    pairs.map((pair) => {
      const target = nameOf(pair['target']);
      const own = ownUse(pair['value'], target, targets);
      // Compare-and-set: a repetition finds no row any more.
      return own === 'no' && compared.has(target) ? 'yes' : own;
    }),
  );
}

/** Functions whose result is stable when their own result goes in again. */
const STABLE_FUNCTION =
  /^(values|coalesce|ifnull|isnull|nvl|nullif|greatest|least|lower|upper|trim|ltrim|rtrim|btrim|abs|max|min|round|floor|ceil|jsonb?_set|jsonb?_remove|json_replace|json_merge_patch|array_remove)$/i;

/** Functions that grow what they are given. */
const GROWING_FUNCTION =
  /^(concat|concat_ws|array_append|array_prepend|array_cat|list_append|json_array_append|json_array_insert|jsonb_insert|json_insert|group_concat|string_agg|lpad|rpad|repeat|reverse|date_add|date_sub|dateadd|datetime|adddate)$/i;

/** Whether an assigned value feeds on the column that it is assigned to. */
function ownUse(value: unknown, target: string, targets: ReadonlySet<string>): Convergence {
  if (!isNode(value)) return 'yes';
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'Identifier' || key === 'CompoundIdentifier' || key === 'Value' || key === 'Placeholder')
      return 'yes';
    if (!isNode(inner)) continue;
    if (key === 'BinaryOp') {
      const mentioned = columnsIn(inner);
      if (mentioned.has(target)) return COMPARISON.has(String(inner['op'])) ? 'unknown' : 'no';
      return [...mentioned].some((name) => targets.has(name)) ? 'unknown' : nestedUse(inner, target, targets);
    }
    if (key === 'UnaryOp') return columnsIn(inner).has(target) ? 'no' : 'yes';
    if (key === 'Subquery') return 'unknown';
    if (key === 'Function') {
      const name = nameOf(inner['name']);
      const mentions = columnsIn(inner['args']).has(target);
      if (GROWING_FUNCTION.test(lastPart(name)) && mentions) return 'no';
      if (mentions && !STABLE_FUNCTION.test(lastPart(name))) return 'unknown';
      if (isRandomSqlFunction(name)) return 'unknown';
      return nestedUse(inner['args'], target, targets);
    }
    if (key === 'Case' && columnsIn(inner['conditions']).has(target))
      return joinConvergence([nestedUse(inner, target, targets), 'unknown']);
  }
  return nestedUse(value, target, targets);
}

const COMPARISON = new Set(['Eq', 'NotEq', 'Lt', 'LtEq', 'Gt', 'GtEq', 'And', 'Or']);

function nestedUse(value: unknown, target: string, targets: ReadonlySet<string>): Convergence {
  if (Array.isArray(value)) {
    return joinConvergence((value as unknown[]).map((one) => nestedUse(one, target, targets)));
  }
  if (!isNode(value)) return 'yes';
  return joinConvergence(
    Object.entries(value).map(([key, inner]) =>
      EXPRESSION_KEYS.has(key)
        ? ownUse({ [key]: inner }, target, targets)
        : nestedUse(inner, target, targets),
    ),
  );
}

const EXPRESSION_KEYS = new Set(['BinaryOp', 'UnaryOp', 'Subquery', 'Function', 'Case']);

function comparedColumns(selection: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  visit(selection, (key, node) => {
    if (key === 'BinaryOp' && node['op'] === 'Eq') {
      for (const side of [node['left'], node['right']]) {
        if (isNode(side) && ('Identifier' in side || 'CompoundIdentifier' in side)) names.add(nameOf(side));
      }
    }
    return key !== 'Subquery' && key !== 'Query';
  });
  return names;
}

function columnsIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  visit(value, (key, node) => {
    if (key === 'Identifier') names.add(nameOf({ Identifier: node }));
    return true;
  });
  visitArrays(value, (key, list) => {
    if (key === 'CompoundIdentifier') names.add(nameOf({ CompoundIdentifier: list }));
  });
  names.delete(HOLE_NAME);
  return names;
}

function holdsRandom(value: unknown): boolean {
  let isRandom = false;
  visit(value, (key, node) => {
    if (key === 'Function' && isRandomSqlFunction(nameOf(node['name']))) isRandom = true;
    return !isRandom;
  });
  return isRandom;
}

function holdsLimit(value: unknown): boolean {
  let isLimited = false;
  visit(value, (_key, node) => {
    if (isNode(node['limit_clause']) || isNode(node['limit']) || isNode(node['fetch'])) isLimited = true;
    return !isLimited;
  });
  return isLimited;
}

function holdsNotExists(value: unknown): boolean {
  let isGuarded = false;
  visit(value, (key, node) => {
    if (key === 'Exists' && node['negated'] === true) isGuarded = true;
    return !isGuarded;
  });
  return isGuarded;
}

/** Calls `enter` for every object with the key it stands under; it answers whether to go on inside. */
function visit(value: unknown, enter: (key: string, node: SyntaxNode) => boolean, key = ''): void {
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) visit(one, enter, key);
    return;
  }
  if (!isNode(value)) return;
  if (!enter(key, value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name !== 'span') visit(inner, enter, name);
  }
}

function visitArrays(value: unknown, enter: (key: string, list: readonly unknown[]) => void, key = ''): void {
  if (Array.isArray(value)) {
    enter(key, value);
    for (const one of value as unknown[]) visitArrays(one, enter, key);
  } else if (isNode(value)) {
    for (const [name, inner] of Object.entries(value)) visitArrays(inner, enter, name);
  }
}

/** The last name in a node that names something, in small letters, qualified names by a dot for functions. */
function nameOf(node: unknown): string {
  const parts: string[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value as unknown[]) collect(one);
    else if (isNode(value)) {
      if (typeof value['value'] === 'string') parts.push(value['value'].toLowerCase());
      else for (const [name, inner] of Object.entries(value)) if (name !== 'span') collect(inner);
    }
  };
  collect(node);
  // A column is known by its last part; a function of a schema by both.
  return Array.isArray(node) ? parts.join('.') : (parts[parts.length - 1] ?? '');
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
