import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { join } from '../values/join.js';
import { NEVER, UNDEFINED, one, opaque, promise, unknownValue } from '../values/make.js';
import { NO_GUARD, type Guard } from '../values/guard.js';
import { NO_REFERENCES } from '../values/references.js';
import type { CallSite, Point, Value } from '../values/value.js';
import { nullishPart, withoutNullish } from './conditions.js';
import { evaluateAccess } from './expressions.js';
import { inFork } from './forks.js';
import { executeAll } from './statements.js';
import { plainModule } from '../queries/external-names.js';
import type { Machine } from './machine.js';

export function evaluateCall(machine: Machine, node: ts.CallExpression, at: Point): Value {
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return evaluateImport(machine, node, at);
  }
  if (node.expression.kind === ts.SyntaxKind.SuperKeyword) {
    return machine.callSuper(argumentsOf(machine, node, at), at);
  }
  const callee = skipWrappers.inward(node.expression);
  if (ts.isIdentifier(callee) && callee.text === 'require' && node.arguments.length === 1) {
    const required = moduleAt(machine, node.arguments[0]);
    if (required !== null) {
      return required;
    }
  }
  const { self, value } =
    ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee)
      ? evaluateAccess(machine, callee, at)
      : { self: UNDEFINED, value: machine.evaluate(callee, at) };
  if (at.state.isDead) {
    return NEVER;
  }
  const isChain = ts.isOptionalChain(node);
  const skipped = isChain ? nullishPart(value) : NEVER;
  const called = isChain ? withoutNullish(value) : value;
  if (called.alternatives.length === 0 && skipped.alternatives.length > 0) {
    return UNDEFINED;
  }
  const { args, spread } = argumentsOf(machine, node, at);
  const site: CallSite = { node, self, callee: called, args, spread, at };
  const before = skipped.alternatives.length === 0 ? null : at.state.fork();
  const answer = machine.call(site);
  if (before === null) {
    return answer;
  }
  // The call may not have happened at all.
  at.state.isDead = false;
  return join(answer, {
    alternatives: UNDEFINED.alternatives.map((inner) => ({
      ...inner,
      when: skipped.alternatives[0]?.when ?? NO_GUARD,
    })),
  });
}

export function evaluateNew(machine: Machine, node: ts.NewExpression, at: Point): Value {
  const callee = machine.evaluate(node.expression, at);
  const { args, spread } = argumentsOf(machine, node, at);
  return machine.construct({ node, self: UNDEFINED, callee, args, spread, at });
}

export function evaluateTaggedTemplate(
  machine: Machine,
  node: ts.TaggedTemplateExpression,
  at: Point,
): Value {
  const tag = skipWrappers.inward(node.tag);
  const { self, value } =
    ts.isPropertyAccessExpression(tag) || ts.isElementAccessExpression(tag)
      ? evaluateAccess(machine, tag, at)
      : { self: UNDEFINED, value: machine.evaluate(tag, at) };
  const args: Value[] = [
    one(
      machine.newObject(node.template, at, {
        collection: 'array',
        others: opaque({ description: 'the text of a template' }),
      }),
    ),
  ];
  if (ts.isTemplateExpression(node.template)) {
    args.push(...node.template.templateSpans.map(({ expression }) => machine.evaluate(expression, at)));
  }
  return machine.call({ node, self, callee: value, args, spread: null, at });
}

export function argumentsOf(
  machine: Machine,
  node: ts.CallExpression | ts.NewExpression,
  at: Point,
): { readonly node: ts.Node; readonly args: readonly Value[]; readonly spread: Value | null } {
  const args: Value[] = [];
  let spread: Value | null = null;
  for (const argument of node.arguments ?? []) {
    if (!ts.isSpreadElement(argument)) {
      const value = machine.evaluate(argument, at);
      if (spread === null) {
        args.push(value);
      } else {
        spread = join(spread, value);
      }
      continue;
    }
    const list = machine.evaluate(argument.expression, at);
    const known = spread === null ? fixedElements(machine, list, at) : null;
    const ways = known === null && spread === null ? fixedWays(machine, list, at) : null;
    if (known !== null) {
      args.push(...known);
    } else if (ways !== null) {
      args.push(...ways);
    } else {
      spread = join(spread ?? NEVER, machine.elementsOf(list, at, argument));
    }
  }
  return { node, args, spread };
}

/** The elements of an array literal, in order; null when their number is not known. */
export function fixedElements(machine: Machine, list: Value, at: Point): readonly Value[] | null {
  const [only, ...more] = list.alternatives;
  if (
    more.length > 0 ||
    only?.kind !== 'object' ||
    only.collection !== 'array' ||
    machine.othersOf(only, at) !== null
  ) {
    return null;
  }
  const properties = machine.propertiesOf(only, at);
  return [...properties.keys()]
    .filter((key) => /^\d+$/u.test(key))
    .map((key) => properties.get(key) ?? UNDEFINED);
}

/** Several lists of known length: by position, undefined where a list is too short, each as its list is taken. */
function fixedWays(machine: Machine, list: Value, at: Point): readonly Value[] | null {
  const ways: { readonly elements: readonly Value[]; readonly when: Guard }[] = [];
  for (const alternative of list.alternatives) {
    const elements = fixedElements(machine, { alternatives: [alternative] }, at);
    if (elements === null) {
      return null;
    }
    ways.push({ elements, when: alternative.when });
  }
  const longest = Math.max(0, ...ways.map(({ elements }) => elements.length));
  return Array.from({ length: longest }, (_, index) =>
    join(...ways.map(({ elements, when }) => machine.restricted(elements[index] ?? UNDEFINED, when))),
  );
}

function evaluateImport(machine: Machine, node: ts.CallExpression, at: Point): Value {
  const imported = moduleAt(machine, node.arguments[0]);
  machine.mayThrow(at);
  if (imported === null) {
    // What a module does while it loads is not known either.
    node.arguments.forEach((argument) => machine.evaluate(argument, at));
    machine.effects.unknown(node, 'the imported module is computed', at);
  } else if (machine.effects.isWatching) {
    runLoaded(machine, imported, at);
  }
  return promise(imported ?? unknownValue('the imported module is computed', node));
}

/** A file that nothing else imports is loaded, and so run, by the tool itself. */
function runLoaded(machine: Machine, { alternatives: [module] }: Value, at: Point): void {
  const file = module?.kind === 'module' ? module.symbol.valueDeclaration : undefined;
  if (
    file === undefined ||
    !ts.isSourceFile(file) ||
    LOADING.has(file) ||
    !machine.queries.isOwn(file) ||
    machine.queries.elsewhere.loaded.isImported(file)
  ) {
    return;
  }
  const base = at.state;
  const loaded = base.fork();
  LOADING.add(file);
  inFork(at, loaded, () => {
    executeAll(machine, file.statements, at);
  });
  LOADING.delete(file);
  base.absorb([{ ...loaded.asBranchOf(base), isDead: false }]);
}

const LOADING = new Set<ts.SourceFile>();

function moduleAt(machine: Machine, specifier: ts.Expression | undefined): Value | null {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) {
    return null;
  }
  const symbol = machine.queries.moduleOf(specifier);
  if (symbol === null) {
    const module = plainModule(specifier.text);
    return {
      alternatives: [
        {
          kind: 'external',
          module,
          path: '',
          symbol: null,
          members: [],
          references: NO_REFERENCES,
          when: NO_GUARD,
        },
      ],
    };
  }
  return one({ kind: 'module', symbol, references: NO_REFERENCES, when: NO_GUARD });
}
