import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { McpPackages } from './mcp-packages.js';

/** A call that registers a tool by position: a name, then what describes it, then its handler. */
export interface Registration {
  readonly call: ts.CallExpression;
  readonly name: ts.Expression;
  /** Between name and handler: a description, a schema, annotations, or one object with all of them. */
  readonly described: readonly ts.Expression[];
  readonly handler: ts.Expression;
}

/** A call that registers a tool by one object. */
export interface ObjectRegistration {
  readonly call: ts.CallExpression;
  readonly definition: ts.Expression;
}

/** A handler that a low-level server was given for one of the protocol's requests. */
export interface RequestHandler {
  readonly request: 'list' | 'call';
  readonly call: ts.CallExpression;
  readonly handler: ts.Expression;
}

export interface FoundRegistrations {
  readonly positional: readonly Registration[];
  /** Calls of whatever else takes a name, an object that describes a tool, and a function. */
  readonly alike: readonly Registration[];
  readonly objects: readonly ObjectRegistration[];
  readonly handlers: readonly RequestHandler[];
}

/** Methods of the SDK's server that take a name first. */
const POSITIONAL = new Set([
  'registerTool',
  'tool',
  'registerToolTask',
  'addTool',
  'registerAppTool',
  'appTool',
]);
const BY_OBJECT = new Set(['addTool', 'registerTool', 'tool', 'defineTool']);

/** Every call in the checked files that hands a tool, or the list of all, to a server. */
export function findRegistrations(
  project: LoadedProject,
  packages: McpPackages,
  registrars: readonly string[],
): FoundRegistrations {
  const found = {
    positional: [] as Registration[],
    alike: [] as Registration[],
    objects: [] as ObjectRegistration[],
    handlers: [] as RequestHandler[],
  };
  const configured = new Set(registrars.map((name) => name.slice(name.lastIndexOf('.') + 1)));
  for (const file of project.sourceFiles) {
    if (!packages.has(file) && configured.size === 0) {
      continue;
    }
    walk(file, (node) => {
      if (ts.isCallExpression(node)) {
        readCall(node, configured, found);
      }
      return true;
    });
  }
  return found;
}

function readCall(
  call: ts.CallExpression,
  configured: ReadonlySet<string>,
  found: {
    readonly positional: Registration[];
    readonly alike: Registration[];
    readonly objects: ObjectRegistration[];
    readonly handlers: RequestHandler[];
  },
): void {
  const expression = skipWrappers.inward(call.expression);
  const isMethod = ts.isPropertyAccessExpression(expression);
  const method = isMethod ? expression.name.text : ts.isIdentifier(expression) ? expression.text : '';
  if (isMethod && method === 'setRequestHandler') {
    const handler = requestHandler(call);
    if (handler !== null) {
      found.handlers.push(handler);
    }
    return;
  }
  const isConfigured = configured.has(method);
  const isKnown = (isMethod && POSITIONAL.has(method)) || method === 'registerAppTool';
  if (!isKnown && !isConfigured) {
    const alike = readPositional(call, [...call.arguments]);
    if (alike !== null && isRegistrar(alike)) {
      found.alike.push(alike);
    }
    return;
  }
  const args = method === 'registerAppTool' ? call.arguments.slice(1) : [...call.arguments];
  const positional = readPositional(call, args);
  if (positional !== null) {
    found.positional.push(positional);
    return;
  }
  const [first] = args;
  if (first !== undefined && (isConfigured || BY_OBJECT.has(method)) && !isText(first)) {
    found.objects.push({ call, definition: first });
  }
}

function readPositional(call: ts.CallExpression, args: readonly ts.Expression[]): Registration | null {
  const [name, ...rest] = args;
  const handler = rest.at(-1);
  if (name === undefined || handler === undefined || !mayBeName(name) || !mayBeHandler(handler)) {
    return null;
  }
  return { call, name, described: rest.slice(0, -1), handler };
}

/**
 * Whether a call with any name has the signature of `registerTool`: a server's own registrar comes from code
 * that is not here as often as not, so that it cannot be followed to the SDK's.
 */
function isRegistrar({ described, handler }: Registration): boolean {
  const target = skipWrappers.inward(handler);
  const isCode = ts.isArrowFunction(target) || ts.isFunctionExpression(target);
  return isCode && described.some((one) => describesTool(skipWrappers.inward(one)));
}

function describesTool(node: ts.Expression): boolean {
  if (!ts.isObjectLiteralExpression(node)) {
    return false;
  }
  const keys = new Set(node.properties.map((property) => property.name?.getText()));
  return keys.has('description') && (keys.has('inputSchema') || keys.has('annotations'));
}

function mayBeName(node: ts.Expression): boolean {
  const target = skipWrappers.inward(node);
  return !(
    ts.isObjectLiteralExpression(target) ||
    ts.isArrayLiteralExpression(target) ||
    ts.isFunctionExpression(target) ||
    ts.isArrowFunction(target) ||
    ts.isNewExpression(target) ||
    ts.isNumericLiteral(target)
  );
}

function mayBeHandler(node: ts.Expression): boolean {
  const target = skipWrappers.inward(node);
  return !(
    isText(target) ||
    ts.isArrayLiteralExpression(target) ||
    ts.isNumericLiteral(target) ||
    ts.isSpreadElement(target) ||
    // A task's handlers come as one object; a description or a schema does not answer calls.
    (ts.isObjectLiteralExpression(target) && !target.properties.some(isTaskHandler))
  );
}

function isTaskHandler(property: ts.ObjectLiteralElementLike): boolean {
  return property.name?.getText() === 'createTask';
}

function isText(node: ts.Expression): boolean {
  const target = skipWrappers.inward(node);
  return (
    ts.isStringLiteralLike(target) ||
    ts.isTemplateExpression(target) ||
    (ts.isBinaryExpression(target) && isText(target.left))
  );
}

/** `setRequestHandler(ListToolsRequestSchema, …)` in version 1, `setRequestHandler('tools/list', …)` in version 2. */
function requestHandler(call: ts.CallExpression): RequestHandler | null {
  const [schema, handler] = call.arguments;
  if (schema === undefined || handler === undefined) {
    return null;
  }
  const text = schema.getText();
  if (/ListTools|['"`]tools\/list['"`]/u.test(text)) {
    return { request: 'list', call, handler };
  }
  return /CallTool|['"`]tools\/call['"`]/u.test(text) ? { request: 'call', call, handler } : null;
}
