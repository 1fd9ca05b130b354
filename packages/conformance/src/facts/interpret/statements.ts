import { ts } from '../../../engine/typescript.mjs';
import { UNDEFINED, opaque } from '../values/make.js';
import type { Point, Value } from '../values/value.js';
import { inFork } from './forks.js';
import { dispose, settled } from './implicit-calls.js';
import { defineClass } from './classes.js';
import { executeLoop } from './loops.js';
import type { JumpTarget } from './frame.js';
import type { Machine } from './machine.js';
import { executeSwitch } from './switch-statement.js';
import { executeTry, runWithEnd } from './try-statement.js';
import { tellApart } from './written.js';

/** Runs one statement. Where no path goes on behind it, the state is dead afterwards. */
export function execute(machine: Machine, node: ts.Statement, at: Point): void {
  if (at.state.isDead) {
    return;
  }
  switch (node.kind) {
    case ts.SyntaxKind.Block:
      executeAll(machine, (node as ts.Block).statements, at);
      return;
    case ts.SyntaxKind.VariableStatement:
      declare(machine, (node as ts.VariableStatement).declarationList, at);
      return;
    case ts.SyntaxKind.ExpressionStatement:
      machine.evaluate((node as ts.ExpressionStatement).expression, at);
      return;
    case ts.SyntaxKind.IfStatement:
      executeIf(machine, node as ts.IfStatement, at);
      return;
    case ts.SyntaxKind.ReturnStatement:
      executeReturn(machine, node as ts.ReturnStatement, at);
      return;
    case ts.SyntaxKind.ThrowStatement: {
      const thrown = machine.evaluate((node as ts.ThrowStatement).expression, at);
      machine.mayThrow(at, thrown);
      machine.effects.thrown(node as ts.ThrowStatement, at);
      at.state.isDead = true;
      return;
    }
    case ts.SyntaxKind.TryStatement:
      executeTry(machine, node as ts.TryStatement, at);
      return;
    case ts.SyntaxKind.SwitchStatement:
      executeSwitch(machine, node as ts.SwitchStatement, at, []);
      return;
    case ts.SyntaxKind.ForStatement:
    case ts.SyntaxKind.ForOfStatement:
    case ts.SyntaxKind.ForInStatement:
    case ts.SyntaxKind.WhileStatement:
    case ts.SyntaxKind.DoStatement:
      executeLoop(machine, node as ts.IterationStatement, at, []);
      return;
    case ts.SyntaxKind.LabeledStatement:
      executeLabeled(machine, node as ts.LabeledStatement, at, []);
      return;
    case ts.SyntaxKind.BreakStatement:
    case ts.SyntaxKind.ContinueStatement:
      jump(node as ts.BreakOrContinueStatement, at);
      return;
    case ts.SyntaxKind.ExportAssignment:
      machine.evaluate((node as unknown as ts.ExportAssignment).expression, at);
      return;
    case ts.SyntaxKind.ClassDeclaration:
      defineClass(machine, node as ts.ClassDeclaration, at);
      return;
    case ts.SyntaxKind.ModuleDeclaration:
      executeNamespace(machine, node as ts.ModuleDeclaration, at);
      return;
    case ts.SyntaxKind.WithStatement:
      machine.giveUp('what names mean inside of `with` is not known', at);
      machine.execute((node as ts.WithStatement).statement, at);
      return;
    default:
      // Declarations are found by name when they are used; empty and debugger statements do nothing.
      return;
  }
}

export function executeAll(machine: Machine, statements: readonly ts.Statement[], at: Point): void {
  for (const [index, statement] of statements.entries()) {
    if (at.state.isDead) {
      return;
    }
    if (ts.isVariableStatement(statement) && isUsing(statement.declarationList)) {
      executeUsing(machine, statement.declarationList, at, () => {
        executeAll(machine, statements.slice(index + 1), at);
      });
      return;
    }
    machine.execute(statement, at);
  }
}

export function isUsing(list: ts.VariableDeclarationList): boolean {
  return (list.flags & ts.NodeFlags.Using) !== 0;
}

/** `using x = …` and what follows it in its block: then the disposers run, the last one first. */
function executeUsing(machine: Machine, list: ts.VariableDeclarationList, at: Point, rest: () => void): void {
  const awaitUsing: number = ts.NodeFlags.AwaitUsing;
  const isAsync = (list.flags & awaitUsing) === awaitUsing;
  const held: { readonly value: Value; readonly node: ts.Node }[] = [];
  for (const { name, initializer } of list.declarations) {
    if (initializer !== undefined && !at.state.isDead) {
      const value = machine.evaluate(initializer, at);
      machine.bind(name, value, at);
      held.unshift({ value, node: initializer });
    }
  }
  runWithEnd(at, rest, () => {
    for (const { value, node } of held) {
      dispose(machine, value, isAsync, at, node);
    }
  });
}

function executeNamespace(machine: Machine, node: ts.ModuleDeclaration, at: Point): void {
  if (node.body !== undefined && ts.isModuleBlock(node.body)) {
    executeAll(machine, node.body.statements, at);
  }
}

export function declare(machine: Machine, list: ts.VariableDeclarationList, at: Point): void {
  for (const declaration of list.declarations) {
    if (at.state.isDead) {
      return;
    }
    const { initializer } = declaration;
    if (initializer !== undefined) {
      const value = machine.evaluate(initializer, at);
      machine.bind(declaration.name, machine.asDeclared(value, declaration.type, at), at);
    } else if ((list.flags & ts.NodeFlags.Const) === 0) {
      machine.bind(declaration.name, UNDEFINED, at);
    } else if (ts.isIdentifier(declaration.name)) {
      // `declare const` and the like: only its type is there.
      machine.bind(declaration.name, declaredOnly(machine, declaration, at), at);
    }
  }
}

function declaredOnly(machine: Machine, declaration: ts.VariableDeclaration, at: Point): Value {
  const name = declaration.name.getText();
  if (declaration.type === undefined) {
    return opaque({ unknown: `\`${name}\` has no value here`, description: name, place: declaration });
  }
  return machine.typed(machine.queries.declaredType(declaration.type), {
    place: declaration,
    tag: `declared ${declaration.getSourceFile().fileName} ${String(declaration.pos)}`,
    at,
    origin: 0,
    description: name,
    why: `\`${name}\` is given from outside`,
    references: new Set(),
  });
}

function executeIf(machine: Machine, node: ts.IfStatement, at: Point): void {
  const { whenTrue, whenFalse } = machine.branch(node.expression, at);
  const base = at.state;
  if (isRefusal(node.thenStatement)) {
    // What is left behind a check of the input is the ordinary case.
    whenFalse.conditions = whenFalse.conditions.filter(
      (one) => one.input === null || base.conditions.includes(one),
    );
  }
  inFork(at, whenTrue, () => {
    machine.execute(node.thenStatement, at);
  });
  inFork(at, whenFalse, () => {
    if (node.elseStatement !== undefined) {
      machine.execute(node.elseStatement, at);
    }
  });
  tellApart(machine, at, [whenTrue, whenFalse]);
  base.absorb([whenTrue.asBranchOf(base), whenFalse.asBranchOf(base)]);
}

function isRefusal(node: ts.Statement): boolean {
  return ts.isBlock(node)
    ? node.statements.length > 0 &&
        ts.isThrowStatement(node.statements[node.statements.length - 1] as ts.Node)
    : ts.isThrowStatement(node);
}

function executeReturn(machine: Machine, node: ts.ReturnStatement, at: Point): void {
  const given = node.expression === undefined ? UNDEFINED : machine.evaluate(node.expression, at);
  const value = isAsyncCode(at.frame.node) ? settled(machine, given, at, node) : given;
  if (!at.state.isDead) {
    recordReturn(machine, value, node, at);
  }
  at.state.isDead = true;
}

function isAsyncCode(node: ts.Node): boolean {
  return (
    (ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) ??
    false
  );
}

export function recordReturn(machine: Machine, given: Value, node: ts.Node, at: Point): void {
  machine.observer.returned(given, node, at);
  machine.effects.answered(node, at);
  const value = machine.current(given, at);
  at.frame.returns.push({ value, node, branch: at.state.asBranchOf(at.frame.entry) });
}

function executeLabeled(
  machine: Machine,
  node: ts.LabeledStatement,
  at: Point,
  outer: readonly string[],
): void {
  const labels = [...outer, node.label.text];
  const { statement } = node;
  if (ts.isLabeledStatement(statement)) {
    executeLabeled(machine, statement, at, labels);
  } else if (ts.isIterationStatement(statement, false)) {
    executeLoop(machine, statement, at, labels);
  } else if (ts.isSwitchStatement(statement)) {
    executeSwitch(machine, statement, at, labels);
  } else {
    const base = at.state;
    const target: JumpTarget = { labels, isLoop: false, isSwitch: false, base, breaks: [], continues: [] };
    at.frame.targets.push(target);
    const body = base.fork();
    inFork(at, body, () => {
      machine.execute(statement, at);
    });
    at.frame.targets.pop();
    base.absorb([body.asBranchOf(base), ...target.breaks]);
  }
}

function jump(node: ts.BreakOrContinueStatement, at: Point): void {
  const isBreak = ts.isBreakStatement(node);
  const label = node.label?.text;
  const target = at.frame.targets.findLast((one) =>
    label === undefined ? isUnlabelledTarget(one, isBreak) : one.labels.includes(label),
  );
  target?.[isBreak ? 'breaks' : 'continues'].push(at.state.asBranchOf(target.base));
  at.state.isDead = true;
}

// A labelled block is left by its label only; a switch takes `break` and not `continue`.
function isUnlabelledTarget(target: JumpTarget, isBreak: boolean): boolean {
  return target.isLoop || (isBreak && target.isSwitch);
}
