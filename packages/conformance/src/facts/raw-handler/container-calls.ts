import { ts } from '../../../engine/typescript.mjs';

const LOOK_UP_METHODS = new Set([
  'get',
  'getAsync',
  'getOptional',
  'getNamed',
  'getInstance',
  'getService',
  'resolve',
  'resolveAsync',
  'resolveNamed',
  'lookup',
  'find',
  'make',
  'create',
  'instance',
  'service',
  'inject',
  'useService',
]);

const REGISTER_METHODS = new Set([
  'add',
  'addClass',
  'addSingleton',
  'addTransient',
  'asClass',
  'bind',
  'provide',
  'register',
  'registerClass',
  'registerSingleton',
  'singleton',
  'to',
  'use',
  'useClass',
]);

/** Whether a call asks a container for a service. */
export function isLookUp(call: ts.CallExpression): boolean {
  return LOOK_UP_METHODS.has(calleeName(call));
}

/** Whether a call gives a class to a container, which then constructs it. */
export function isRegistration(call: ts.CallExpression): boolean {
  return REGISTER_METHODS.has(calleeName(call));
}

function calleeName({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) {
    return expression.text;
  }
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}
