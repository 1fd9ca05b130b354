// Names by which libraries keep functions, and by which they run them.

/** Methods that keep a function until the event that their first argument names. */
export const LISTENING = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'addEventListener',
  'subscribe',
  'listen',
]);
/** Methods that tell everybody who waits for the event that their first argument names. */
export const TELLING = new Set([
  'emit',
  'emitAsync',
  'dispatchEvent',
  'publish',
  'trigger',
  'fire',
  'notify',
  'runStores',
  'traceSync',
  'tracePromise',
  'traceCallback',
  'next',
  'complete',
  'dispatch',
  'setState',
  'postMessage',
  'send',
]);
/** Methods that keep a function for every use of what they are called on. */
const HOOKING = new Set([
  'use',
  'function',
  'aggregate',
  'table',
  'hook',
  'pre',
  'post',
  'addHook',
  'before',
  'after',
  'wrap',
  'extend',
  '$use',
  '$extends',
  'interceptor',
  'register',
  'bindStore',
  'pipe',
]);
/** Methods of the same kind that each library names in its own way: `middlewareStack.add`, `breaker.fallback`. */
const HOOKING_NAME =
  /^(?:(?:add|set|register|define|before|after|with|intercept|override|tap)(?:[A-Z]\w*)?|fallback|plugin|middleware|transform|filter)$/u;
/** What these keep waits for somebody else who asks for it by its name. */
const SERVING_NAME =
  /(?:Tool|Handler|Command|Route|Listener|Resource|Prompt|Job|Task|Worker|Test|Timeout|Interval)s?$/u;

/** Whether a method keeps a function for every use of what it is called on. */
export function isHooking(name: string): boolean {
  return HOOKING.has(name) || (HOOKING_NAME.test(name) && !SERVING_NAME.test(name));
}

/** Uses of a holder that run nothing of what it holds. */
export const QUIET =
  /^(?:off|remove(?:Event)?Listener|removeAllListeners|unsubscribe|listenerCount|eventNames|listeners|rawListeners|setMaxListeners|getMaxListeners|unref|ref|hasSubscribers)$/u;
/** What is handed to these runs when somebody else calls, not when a tool uses them. */
export const SERVING =
  /^(?:(?:node:)?(?:http|https|http2|net|tls|cluster|child_process|worker_threads)|express|fastify|hono|koa|ws|commander|yargs|bullmq|bull|node-cron|cron|@toolwright\/.*|@modelcontextprotocol\/.*|fastmcp|ai|@mastra\/.*|@langchain\/.*|@openai\/agents.*)$/u;
/** Containers of dependencies. */
export const CONTAINERS = /^(?:inversify|tsyringe|typedi|awilix|@nestjs\/.*)$/u;

/** Channels within the process: whoever posts there runs who listens. */
export const CHANNEL = /\b(?:(?:Message|Broadcast)Channel|MessagePort)\b/u;

/** Data that comes out of a stream is what is put into it. */
export const STREAMS = /^(?:node:)?(?:stream(?:\/promises|\/web)?|readline|zlib|crypto)$/u;
