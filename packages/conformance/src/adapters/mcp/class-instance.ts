import { ts } from '../../../engine/typescript.mjs';
import { constructInstance, effectiveConstructor, staticMember } from '../../compiler/class-members.js';
import type { Evaluator } from '../../compiler/evaluator.js';
import { EMPTY_SCOPE, type MutableScope, type StaticValue, undecided } from '../../compiler/static-value.js';

/**
 * An object of a class that somebody else constructs. What its constructor takes apart and the class has as
 * a static of the same name (`static operationType`, `constructor({ operationType })`) is that static: the
 * code that constructs every class of a list hands each its own.
 */
export function classInstance(evaluator: Evaluator, node: ts.ClassLikeDeclaration): StaticValue {
  const instance = constructInstance(evaluator, node, () => null, EMPTY_SCOPE);
  const [parameter] = effectiveConstructor(evaluator, node, EMPTY_SCOPE)?.parameters ?? [];
  if (instance.kind !== 'instance' || parameter === undefined || !ts.isObjectBindingPattern(parameter.name)) {
    return instance;
  }
  const hasStatic = parameter.name.elements.some((element) => {
    const key = element.propertyName ?? element.name;
    return ts.isIdentifier(key) && staticMember(evaluator, node, EMPTY_SCOPE, key.text).kind !== 'constant';
  });
  if (hasStatic) {
    const given = undecided('the class is constructed elsewhere', parameter, parameter);
    const own: StaticValue = { kind: 'class', node, scope: EMPTY_SCOPE };
    (instance.scope as MutableScope).set(parameter, { kind: 'merged', parts: [given, own], node: parameter });
  }
  return instance;
}
