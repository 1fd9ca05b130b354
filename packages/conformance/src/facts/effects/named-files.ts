import { readVerbs } from '@toolwright/catalogue';
import { ts } from '../../../engine/typescript.mjs';

/**
 * What a file is that is written, by the names that its author gave: a cache, by the path or by the class that writes; a
 * log, by the path, by the class, or by the functions around where they append or report: `trackToolCall`. Null where no name says so.
 */
export function namedFile(node: ts.Node, isAppending: boolean): 'cache' | 'log' | null {
  if (!ts.isCallExpression(node)) {
    return null;
  }
  const [path] = node.arguments;
  const written = path === undefined ? '' : nameOf(path);
  const [cls = '', ...functions] = namesAround(node);
  if (CACHE.test(written) || CACHE.test(cls)) {
    return 'cache';
  }
  const isLogging =
    LOG_PATH.test(written) ||
    LOGGER.test(cls) ||
    functions.some((name) => readVerbs().read(name)?.kind === 'telemetry') ||
    (isAppending && functions.some((name) => LOGGING.test(name)));
  return isLogging ? 'log' : null;
}

/** Whether code stands in a class that is called a cache: what it keeps elsewhere, a keychain's entry, can be made again. */
export function isInCache(node: ts.Node): boolean {
  const [cls = ''] = namesAround(node);
  return CACHE.test(cls);
}

/** `cache` as a word of its own: `tokenCache`, `CACHE_DIR`, `cachePath`. */
const CACHE = /(?:^|[a-z_])Cache(?:$|[A-Zs_])|(?:^|_)caches?(?:$|[A-Z_])|(?:^|_)CACHES?(?:$|_)/u;
/** `logFile`, `LOG_PATH`, `debugLog`. */
const LOG_PATH =
  /(?:^|[a-z])Log(?:$|File|Path|Dir)|^log(?:File|Path|Dir)|(?:^|_)LOG(?:$|_(?:FILE|PATH|DIR)$)|^log_(?:file|path)$/u;
const LOGGER = /(?:^|[a-z])Logger(?:$|[A-Z])/u;
/** `log`, `writeLog`, `logToFile`, `appendToLog`; not `createLogEntry`, `login`. */
const LOGGING =
  /^(?:log|writeLog|appendLog|writeToLog|appendToLog|logToFile|logMessage|logLine|logDebug|debugLog|trace)$/u;

/** The class around a node, empty where there is none, and the functions, inmost first. */
function namesAround(node: ts.Node): readonly string[] {
  const functions: string[] = [];
  for (let current = node; !ts.isSourceFile(current); current = current.parent) {
    if (ts.isClassLike(current)) {
      return [current.name?.text ?? '', ...functions];
    }
    const named = ts.isFunctionLike(current)
      ? (ts.getNameOfDeclaration(current) ?? nameOfHolder(current))
      : undefined;
    if (named !== undefined && ts.isIdentifier(named)) {
      functions.push(named.text);
    }
  }
  return ['', ...functions];
}

function nameOfHolder({ parent }: ts.Node): ts.Node | undefined {
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined;
}

/** The name that is written for a path: of the variable, the member or the function that gives it. */
function nameOf(path: ts.Expression): string {
  if (ts.isIdentifier(path)) {
    return path.text;
  }
  if (ts.isPropertyAccessExpression(path)) {
    return path.name.text;
  }
  return ts.isCallExpression(path) ? nameOf(path.expression) : '';
}
