import {
  abstractOf,
  alternativesOf,
  inputOf,
  isAbsent,
  textOf,
  textPartsOf,
  type AbstractValue,
} from '../model/abstract-value.js';
import { classifyGraphql } from './graphql.js';
import {
  cannotSay,
  dependsOn,
  joinAlternatives,
  labelOf,
  reads,
  writes,
  type Alternative,
  type Judgement,
} from './judgement.js';
import type { VerbReader } from './verb.js';

/** What is known of a request. */
export interface HttpRequest {
  readonly method: AbstractValue;
  /** Where in the call the method stands, for messages. */
  readonly methodPlace: string;
  /** Used when the method is absent. */
  readonly defaultMethod: string;
  readonly url: AbstractValue;
  readonly body: AbstractValue;
  readonly headers: AbstractValue;
}

/** Safe methods of RFC 9110 section 9.2.1, of WebDAV (RFC 4918, 3253, 5323) and of the QUERY draft. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT', 'SEARCH', 'QUERY']);
const WRITING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** What a request does by its method, and a POST by its path and body. */
export function classifyHttp(request: HttpRequest, verbs: VerbReader): Judgement {
  const method =
    overridden(request.headers) ??
    (isAbsent(request.method)
      ? ({ kind: 'constant', value: request.defaultMethod } as const)
      : request.method);
  const alternatives = alternativesOf(method);
  const known: Alternative[] = [];
  for (const alternative of alternatives) {
    const name = isAbsent(alternative) ? request.defaultMethod : textOf(alternative);
    if (name === null) return undecidedMethod(method, request, verbs);
    known.push({ label: labelOf(alternative), judgement: judgeMethod(name.toUpperCase(), request, verbs) });
  }
  return joinAlternatives(known, request.methodPlace, inputOf(method));
}

const OVERRIDE = /^x-(http-method(-override)?|method-override)$/i;

/** The method that a header puts in the place of the request's own; servers behind old proxies take it for that. */
function overridden(headers: AbstractValue): AbstractValue | null {
  const names = headers.kind === 'object' ? Object.keys(headers.properties) : [];
  const name = names.find((one) => OVERRIDE.test(one));
  return name === undefined || headers.kind !== 'object' ? null : (headers.properties[name] ?? null);
}

function undecidedMethod(method: AbstractValue, request: HttpRequest, verbs: VerbReader): Judgement {
  const worst = judgeMethod('POST', request, verbs);
  const judgement = worst.effect === 'none' ? writes('remote', 'write', 'the method is not known') : worst;
  return dependsOn(
    method,
    request.methodPlace,
    { ...judgement, converges: 'unknown' },
    'is POST, PUT, PATCH or DELETE',
    {
      writesWhen: WRITING_METHODS,
      readsWhen: ['GET', 'HEAD', 'OPTIONS'],
    },
  );
}

function judgeMethod(method: string, request: HttpRequest, verbs: VerbReader): Judgement {
  if (SAFE_METHODS.has(method)) return reads('remote', 'read', `${method} reads`);
  switch (method) {
    case 'POST':
      return judgePosts(request, verbs);
    case 'PUT':
      return judgePut(request);
    case 'PATCH':
      return judgePatch(request);
    case 'DELETE':
      if (isOfSession(request.url))
        return reads('remote', 'connection', 'DELETE of a session ends it', 'by-name');
      return writes('remote', 'delete', 'DELETE deletes');
    case 'CONNECT':
      return reads('remote', 'connection', 'CONNECT opens a tunnel');
    default:
      return cannotSay('remote', `the method ${method.slice(0, 20)} is not known`);
  }
}

/** Last parts of a path under which a POST reads, because the question doesn't fit into a URL. */
const READING_ACTION =
  /^(_?m?search|_count|_mget|_analyze|_explain|_validate|_field_caps|_sql|_eql|queries?|query|runquery|batchget|runaggregationquery|find|filter|lookup|list|count|aggregate|preview|validate|estimate|autocomplete|suggest(ions)?|typeahead|geocode|embeddings|completions|tokenize|translate|detect|analy[sz]e|introspect|scan|jql|read|get|fetch|match|check|diff|compare|parse|scrape|rerank|moderations|classify|summari[sz]e|simulate|verify|dry-?run|extract|screenshot|pdf|snapshot|markdown)$/;

/** Obtaining a token proves who asks; no record of the service changes. RFC 6749 section 4, RFC 7662. */
const TOKEN_ACTION = /^(token|access_?tokens?|oauth2?|authorize|login|introspect|refresh_?token|sts)$/;

const RELATIVE_ACTION = /^(append|increment|decrement|add|push|bump|toggle|next|move)$/;

/** Where services take in what programs tell of themselves: events, usage, traces. By their documentation. */
const TELEMETRY_URL =
  /^https:\/\/((\w+\.)?i\.posthog\.com|(app|us|eu)\.posthog\.com\/(capture|e|batch|i)|api\.segment\.(io|com)\/v1\/|api(-js|-eu)?\.mixpanel\.com\/(track|engage|import)|api2?(\.eu)?\.amplitude\.com|(www|region1)\.google-analytics\.com\/|[\w.]*\.ingest(\.\w+)?\.sentry\.io|[\w-]*\.?in\.applicationinsights\.azure\.com|dc\.services\.visualstudio\.com|plausible\.io\/api\/event|[\w.-]*rudderstack\.com\/v1\/)/i;

/** Grants of OAuth 2.0, RFC 6749 section 4 and RFC 8628: the body says that a token is asked for. */
function asksForToken(body: AbstractValue): boolean {
  const value = body.kind === 'made' ? (body.arguments[0] ?? body) : bodyValue(body);
  if (value.kind === 'object') return 'grant_type' in value.properties;
  return textPartsOf(value)?.some((part) => /(^|&)grant_type=/.test(part)) === true;
}

/** `/session/{id}`: what WebDriver (W3C, section 8) and its like open with a POST and end with a DELETE is a connection. */
function isOfSession(url: AbstractValue): boolean {
  const parts = textPartsOf(url);
  const path = parts?.slice(0, -1).at(-1);
  return path !== undefined && parts?.at(-1) === '' && /(^|\/)session\/$/.test(path);
}

function judgePosts(request: HttpRequest, verbs: VerbReader): Judgement {
  const urls = alternativesOf(request.url);
  const alternatives = urls.map((url) => ({
    label: labelOf(url),
    judgement: judgePost({ ...request, url }, verbs),
  }));
  return joinAlternatives(alternatives, 'url', inputOf(request.url));
}

function judgePost(request: HttpRequest, verbs: VerbReader): Judgement {
  const [start = ''] = textPartsOf(request.url) ?? [];
  if (TELEMETRY_URL.test(start)) {
    return reads('remote', 'telemetry', 'POST to a service that takes in telemetry', 'by-name');
  }
  if (asksForToken(request.body)) {
    return reads('remote', 'connection', 'POST with a grant_type gets a token');
  }
  const graphql = judgeGraphqlBody(request);
  if (graphql !== null) return graphql;
  const action = lastSegment(request.url);
  if (action !== null) {
    const lower = action.toLowerCase();
    if (READING_ACTION.test(lower) || isReadingVerb(action, verbs)) {
      return reads('remote', 'read', `POST to …/${action} reads`, 'by-name');
    }
    if (lower === 'session')
      return reads('remote', 'connection', 'POST to …/session opens a session', 'by-name');
    if (TOKEN_ACTION.test(lower))
      return reads('remote', 'connection', `POST to …/${action} gets a token`, 'by-name');
  }
  const remote = judgeRemoteProcedure(request.body, verbs);
  if (remote !== null) return remote;
  const keyed = judgeIdempotencyKey(request.headers);
  if (keyed !== null) return keyed;
  if (action !== null && verbs.isConverging(action)) {
    return writes('remote', 'set', `POST to …/${action} sets a state`, { confidence: 'by-name' });
  }
  // A collection takes a new member; any other resource may do what it likes with a repetition.
  return action !== null && isCollection(action, verbs)
    ? writes('remote', 'create', `POST to …/${action} creates`)
    : writes('remote', 'write', 'POST writes');
}

/** `issues`, `create-user`: as opposed to `status`, `address`, `news`. */
function isCollection(action: string, verbs: VerbReader): boolean {
  if (verbs.read(action)?.kind === 'create') return true;
  return action.endsWith('s') && !/(us|is|ss|ews|os)$/.test(action);
}

function judgePut(request: HttpRequest): Judgement {
  const action = lastSegment(request.url)?.toLowerCase() ?? '';
  const isRelative = RELATIVE_ACTION.test(action) || holdsRelativeKey(request.body);
  return writes('remote', isRelative ? 'append' : 'set', 'PUT writes', {
    converges: isRelative ? 'unknown' : 'yes',
  });
}

function judgePatch(request: HttpRequest): Judgement {
  const body = bodyValue(request.body);
  const isAbsolute = body.kind === 'object' && !body.isOpen && !holdsRelativeKey(body);
  const action = lastSegment(request.url) ?? '';
  return writes('remote', 'set', 'PATCH writes', {
    converges: RELATIVE_ACTION.test(action.toLowerCase()) ? 'unknown' : isAbsolute ? 'yes' : 'unknown',
  });
}

/** A POST whose body holds a GraphQL document does what the document does. */
function judgeGraphqlBody(request: HttpRequest): Judgement | null {
  const document = bodyProperty(request.body, 'query');
  const isGraphqlPath = /graphql$/i.test(lastSegment(request.url) ?? '');
  if (document === null) {
    return isGraphqlPath
      ? dependsOn(request.body, 'body', writes('remote', 'write', 'POST of GraphQL'), 'holds a mutation')
      : null;
  }
  const text = textPartsOf(document)?.join(' ') ?? '';
  if (!isGraphqlPath && !/^\s*(#.*\n\s*)*(query|mutation|subscription|fragment|\{)/.test(text)) return null;
  const judgement = classifyGraphql(document);
  return { ...judgement, confidence: judgement.effect === 'none' ? 'by-name' : judgement.confidence };
}

/** `{ method: 'tools/call', params: { name } }` of MCP does what the tool of that name does. */
function toolCalled(properties: Readonly<Record<string, AbstractValue>>): AbstractValue | null {
  const { method, params } = properties;
  return method !== undefined && textOf(method) === 'tools/call' && params?.kind === 'object'
    ? (params.properties['name'] ?? null)
    : null;
}

const PROCEDURE_KEYS = ['method', 'command', 'action', 'operation', 'cmd', 'rpc'];

/** `{ jsonrpc: '2.0', method: 'issue.search' }`: the verb of the procedure, by name. */
function judgeRemoteProcedure(body: AbstractValue, verbs: VerbReader): Judgement | null {
  const value = bodyValue(body);
  const first = value.kind === 'array' ? value.elements[0] : value;
  if (first?.kind !== 'object') return null;
  const tool = toolCalled(first.properties);
  for (const key of PROCEDURE_KEYS) {
    const named = tool ?? first.properties[key];
    const parts = named === undefined ? null : textPartsOf(named);
    const name = parts?.length === 1 ? parts[0] : undefined;
    const reading = name === undefined ? null : verbs.read(name);
    if (name !== undefined && reading !== null) {
      const judgement = verbs.judge(name, 'remote');
      if (judgement.kind !== 'pure' && judgement.kind !== 'connection') return judgement;
    }
  }
  return null;
}

/** An idempotency key that is the same for a repetition makes a create converge; a random one doesn't. */
function judgeIdempotencyKey(headers: AbstractValue): Judgement | null {
  if (headers.kind !== 'object') return null;
  const entry = Object.entries(headers.properties).find(([name]) =>
    /^(x-)?idempotency-key$|^x-request-id-key$/i.test(name),
  );
  return entry === undefined ? null : judgeKeyed(entry[1]);
}

/** A create under an idempotency key. */
export function judgeKeyed(key: AbstractValue): Judgement {
  if (
    key.kind === 'made' &&
    /uuid|nanoid|ulid|cuid|random|now|Date/i.test(`${key.module}.${key.path.join('.')}`)
  ) {
    return writes('remote', 'random-key', 'the idempotency key is new every time');
  }
  const isStable = textOf(key) !== null || inputOf(key) !== null || key.kind === 'constant';
  return isStable
    ? writes('remote', 'upsert', 'the idempotency key is the same for a repetition')
    : writes('remote', 'create', 'it is not known whether the idempotency key stays the same', {
        converges: 'unknown',
      });
}

function isReadingVerb(action: string, verbs: VerbReader): boolean {
  // `get-users`, `listIssues`: more than the bare noun that a path usually ends with.
  if (!/[A-Z_:-]/.test(action)) return false;
  const reading = verbs.read(action);
  return (
    reading?.kind === 'read' &&
    /^(get|list|find|search|fetch|read|describe|query|count|lookup)$/.test(reading.verb)
  );
}

const RELATIVE_KEY = /^\$?(inc(rement)?|decrement|append|push|pop|add|delta|mul(tiply)?|prepend|concat|op)$/i;

function holdsRelativeKey(body: AbstractValue): boolean {
  switch (body.kind) {
    case 'json':
      return holdsRelativeKey(body.value);
    case 'array':
      return body.elements.some(holdsRelativeKey);
    case 'object':
      return Object.entries(body.properties).some(
        ([key, value]) =>
          (RELATIVE_KEY.test(key) && !(key === 'op' && textOf(value) === 'replace')) ||
          holdsRelativeKey(value),
      );
    default:
      return false;
  }
}

function bodyProperty(body: AbstractValue, name: string): AbstractValue | null {
  const value = bodyValue(body);
  return value.kind === 'object' ? (value.properties[name] ?? null) : null;
}

/** What a body says, be it an object, its JSON text, or a literal of JSON. */
function bodyValue(body: AbstractValue): AbstractValue {
  if (body.kind === 'json') return body.value;
  const text = textOf(body);
  if (text === null || !/^\s*[[{]/.test(text)) return body;
  try {
    return abstractOf(JSON.parse(text));
  } catch {
    return body;
  }
}

/** The last literal part of the path, without query; null when the path ends with a hole. */
function lastSegment(url: AbstractValue): string | null {
  const all = textPartsOf(url);
  // What is filled into the query says nothing of the path before it.
  const end = all?.findIndex((part) => /[?#]/.test(part)) ?? -1;
  const parts = end === -1 ? all : all?.slice(0, end + 1);
  const tail = parts?.[parts.length - 1];
  if (tail === undefined) return null;
  const path = tail.split(/[?#]/, 1)[0]?.replace(/\/+$/, '') ?? '';
  if (path === '') return null;
  const last = path.slice(path.lastIndexOf('/') + 1);
  const isWhole = parts?.length === 1 || path.includes('/') || path.includes(':');
  // `…/documents:runQuery` is a custom method.
  const action = last.slice(last.lastIndexOf(':') + 1);
  return isWhole && /^[A-Za-z_][\w.-]*$/.test(action) && !/^https?$/.test(action) ? action : null;
}
