import type { CaseSet } from '../../rule-testing/rule-cases.js';

const NAMED = [{ handlers: [{ from: './src/raw.ts', name: 'RawPages' }] }];
const PACKAGE = [{ handlers: [{ from: 'pages-binding/raw', name: 'RawPages' }] }];

const RAW_CLASS = `import { safeContentHandler, type RawContentHandler } from '@toolwright/sdk';
class RawPages implements RawContentHandler {}
`;

export const syntactic: CaseSet = {
  valid: [
    {
      name: 'a handler is constructed directly in the factory',
      code: `${RAW_CLASS}export const content = safeContentHandler((call) => new RawPages(call), {});`,
    },
    {
      name: 'a handler is constructed in the factory in steps',
      code: `${RAW_CLASS}export const content = safeContentHandler(() => {
  const raw = new RawPages();
  raw.prepare();
  return raw;
});`,
    },
    {
      name: 'a named factory is passed by reference',
      code: `${RAW_CLASS}function openPages() { return new RawPages(); }
export const content = safeContentHandler(openPages);`,
    },
    {
      name: 'a factory kept in an object is passed by reference',
      code: `${RAW_CLASS}const binding = { open: () => new RawPages() };
export const content = safeContentHandler(binding.open);`,
    },
    {
      name: 'nothing but the factory calls the functions that construct it',
      code: `${RAW_CLASS}export function openPages() { return new RawPages(); }
const openFirst = () => [1].map(() => openPages())[0];
export const content = safeContentHandler(() => openFirst());`,
    },
    {
      name: 'another file can hand an exported factory over',
      code: `${RAW_CLASS}export function openPages() { return new RawPages(); }
export const openLogged = async () => logged(new RawPages());
export const binding = { pages: { open: () => { const raw = new RawPages(); raw.prepare(); return raw; } } };
function openNamed(): RawContentHandler { return { write() {} }; }
const openFound = () => container.get<RawContentHandler>('pages');
export { openNamed, openFound as open };
export default () => Reflect.construct(RawPages, []);`,
    },
    {
      name: 'a CommonJS module exports a factory',
      code: `const { RawPages } = require('./raw');
function openPages() { return new RawPages(); }
module.exports = { openPages, more: () => new RawPages() };
exports.open = () => new RawPages();`,
      options: NAMED,
      filename: 'src/open.ts',
    },
    {
      name: 'a function of another file of the project takes the factory',
      code: `import { guarded } from './guarded.js';
import type { RawContentHandler } from '@toolwright/sdk';
class RawPages implements RawContentHandler {}
export const content = guarded('pages', () => new RawPages());`,
    },
    {
      name: 'a subclass is constructed in the factory, or by whoever imports it',
      code: `${RAW_CLASS}class Quiet extends RawPages {}
export class Loud extends RawPages {}
export const content = safeContentHandler(() => new Quiet());`,
    },
    {
      name: 'a subclass of a named handler is constructed in the factory',
      code: `import { safeContentHandler } from '@toolwright/sdk';
import { RawPages } from './raw.js';
class Quiet extends RawPages {}
export const content = safeContentHandler(() => new Quiet());`,
      options: NAMED,
      filename: 'src/quiet.ts',
    },
    {
      name: 'a type is a handler or something else',
      code: `${RAW_CLASS}class Service { either!: RawContentHandler | Plain; }
export const found = container.get('pages') as RawContentHandler | Plain;`,
    },
    {
      name: 'the wrapper is imported under another name',
      code: `import { safeContentHandler as guard, type RawContentHandler } from '@toolwright/sdk';
class RawPages implements RawContentHandler {}
export const content = guard(() => new RawPages());`,
    },
    {
      name: 'the wrapper is reached through a namespace',
      code: `import * as sdk from '@toolwright/sdk';
class RawPages implements sdk.RawContentHandler {}
export const content = sdk.safeContentHandler(() => new RawPages());`,
    },
    {
      name: 'a function of the file passes the factory on',
      code: `${RAW_CLASS}const guarded = (log, open) => safeContentHandler(open, { log });
export const content = guarded(console, () => new RawPages());`,
    },
    {
      name: 'the wrapper comes from a module of the project',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
import { safeContentHandler } from './content.js';
class RawPages implements RawContentHandler {}
export const content = safeContentHandler(() => new RawPages());`,
    },
    {
      name: 'a wrapper module is named in the options',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
import { guard } from 'pages-binding/safe';
class RawPages implements RawContentHandler {}
export const content = guard(() => new RawPages());`,
      options: [{ wrapperModules: ['pages-binding/safe'] }],
    },
    {
      name: 'a handler is loaded in the factory',
      code: `import { safeContentHandler } from '@toolwright/sdk';
export const content = safeContentHandler(() => import('./raw.js').then(({ RawPages }) => new RawPages()));`,
      options: NAMED,
      filename: 'src/content.ts',
    },
    {
      name: 'a look-up is the work of the factory',
      code: `import { safeContentHandler, type RawContentHandler } from '@toolwright/sdk';
export const content = safeContentHandler(() => container.get<RawContentHandler>('pages'));`,
    },
    {
      name: 'a handler is declared and exported',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
export class RawPages implements RawContentHandler {
  static open() { return new RawPages(); }
}
export type { RawContentHandler };`,
    },
    {
      name: 'a handler decorates another one that it is given',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
export class LoggedHandler implements RawContentHandler {
  constructor(private readonly inner: RawContentHandler) {}
  write(operation) { return (this.inner as RawContentHandler).write(operation); }
}`,
    },
    {
      name: 'a class completes an abstract handler',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
abstract class RawBase implements RawContentHandler {}
export class RawPages extends RawBase {}`,
    },
    {
      name: 'a type of the same name comes from another package',
      code: `import type { RawContentHandler } from 'another-sdk';
class RawPages implements RawContentHandler {}
export const pages = new RawPages();`,
    },
    {
      name: 'a class of the same name is not the one that the options name',
      code: `import { RawPages } from './other/raw.js';
export const pages = new RawPages();`,
      options: NAMED,
      filename: 'src/content.ts',
    },
    {
      name: 'a look-up says nothing about its type',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
export const pages: unknown = container.get('pages');
export type Raw = RawContentHandler;`,
    },
    {
      name: 'the file is a test',
      code: `${RAW_CLASS}const raw = new RawPages();`,
      filename: 'src/raw-pages.test.ts',
    },
    {
      name: 'the file is a wrapper module',
      code: `${RAW_CLASS}export const raw = new RawPages();`,
      options: [{ wrapperModules: ['./src/content/guard.ts'] }],
      filename: 'src/content/guard.ts',
    },
    {
      name: 'the file has nothing to do with it',
      code: `class Pages { static open() { return new Pages(); } }
export const pages = Pages.open();`,
    },
  ],
  invalid: [
    {
      name: 'a handler is constructed outside',
      code: `${RAW_CLASS}export const raw = new RawPages();`,
      findings: [{ messageId: 'constructed', line: 3, data: { handler: '"RawPages"' } }],
    },
    {
      name: 'a handler is constructed outside and handed in',
      code: `${RAW_CLASS}const raw = new RawPages();
export const content = safeContentHandler(() => raw);`,
      findings: [{ messageId: 'constructed', line: 3 }],
    },
    {
      name: 'a handler is constructed by a function that the factory makes',
      code: `${RAW_CLASS}export const content = safeContentHandler(() => {
  const later = () => new RawPages();
  register(later);
  return later();
});`,
      findings: [{ messageId: 'constructed', line: 4 }],
    },
    {
      name: 'a class that a factory returns is constructed elsewhere too',
      code: `import { safeContentHandler } from '@toolwright/sdk';
import { Pages } from './pages.js';
export const content = safeContentHandler(() => new Pages());
export const again = new Pages();`,
      findings: [{ messageId: 'constructed', line: 4 }],
    },
    {
      name: 'a named factory is called too',
      code: `${RAW_CLASS}function openPages() { return new RawPages(); }
export const content = safeContentHandler(openPages);
export const raw = openPages();`,
      findings: [{ messageId: 'madeByFactory', line: 5 }],
    },
    {
      name: 'a named factory is passed to something else too',
      code: `${RAW_CLASS}function openPages() { return new RawPages(); }
export const content = safeContentHandler(openPages);
container.register('pages', openPages);`,
      findings: [{ messageId: 'constructed', line: 3 }],
    },
    {
      name: 'a factory function is called through an alias',
      code: `${RAW_CLASS}const open = (): RawContentHandler => ({ write() {} });
const again = open;
export const raw = again.call(null);`,
      findings: [
        { messageId: 'constructed', line: 3 },
        { messageId: 'madeByFactory', line: 5 },
      ],
    },
    {
      name: 'a static factory is called',
      code: `${RAW_CLASS}class Files implements RawContentHandler { static open() { return new Files(); } }
export const raw = Files.open();`,
      findings: [{ messageId: 'madeByFactory', line: 4 }],
    },
    {
      name: 'a look-up is typed by its argument, its type argument, a cast or an annotation',
      code: `${RAW_CLASS}const a = container.get(RawPages);
const b = container.resolve<RawContentHandler>('pages');
const c = container.find('pages') as RawContentHandler;
const d: RawContentHandler = await container.getAsync('pages');
const e = <RawContentHandler>globalThis.pages;
const f = inject(RawPages);`,
      findings: [
        { messageId: 'lookedUp', line: 3 },
        { messageId: 'lookedUp', line: 4 },
        { messageId: 'madeByFactory', line: 5 },
        { messageId: 'lookedUp', line: 6 },
        { messageId: 'lookedUp', line: 7 },
        { messageId: 'lookedUp', line: 8 },
      ],
    },
    {
      name: 'a look-up is typed later',
      code: `${RAW_CLASS}const found = services.pages();
export const write = () => (found as RawContentHandler).write({});`,
      findings: [{ messageId: 'lookedUp', line: 4 }],
    },
    {
      name: 'a container method is named in the options',
      code: `${RAW_CLASS}const a = kernel.obtain(RawPages);
const b = kernel.get(RawPages);`,
      options: [{ containerMethods: ['obtain'] }],
      findings: [{ messageId: 'lookedUp', line: 3 }],
    },
    {
      name: 'a handler is subclassed, and the subclass constructed',
      code: `${RAW_CLASS}class Quiet extends RawPages {}
export const raw = new Quiet();`,
      findings: [{ messageId: 'constructed', line: 4 }],
    },
    {
      name: 'a named handler is subclassed, since the file that constructs the subclass cannot know it',
      code: `import { RawPages } from './raw.js';
export class Quiet extends RawPages {}`,
      options: NAMED,
      filename: 'src/quiet.ts',
      findings: [{ messageId: 'subclassed', line: 2 }],
    },
    {
      name: 'a factory that nobody else can have makes a handler',
      code: `${RAW_CLASS}function openPages() { return new RawPages(); }
export function writeNow(operation) {
  const raw = new RawPages();
  return raw.write(operation);
}
export class Binding { open() { return new RawPages(); } }
const kept = { open: () => new RawPages() };
import { register } from 'a-container';
register(() => new RawPages());`,
      findings: [3, 5, 8, 9, 11].map((line) => ({ messageId: 'constructed', line })),
    },
    {
      name: 'an exported factory is called',
      code: `${RAW_CLASS}export function openPages() { return new RawPages(); }
export const raw = openPages();`,
      findings: [{ messageId: 'madeByFactory', line: 4 }],
    },
    {
      name: 'a handler is aliased',
      code: `${RAW_CLASS}const A = RawPages;
const { B } = { B: A };
class Registry { static C = B; D = B; make() { return new this.D(); } }
export const a = new A();
export const b = new B();
export const c = new Registry.C();
export const d = new (flag ? RawPages : class { readonly isOther = true; })();
export const e = new (RawPages as any)();
export const f = new (RawPages.bind(null))();
const pick = () => RawPages;
export const g = new (pick())();
const h = ((R = RawPages) => new R())();`,
      findings: [
        { messageId: 'constructed', line: 5 },
        { messageId: 'constructed', line: 6 },
        { messageId: 'constructed', line: 7 },
        { messageId: 'constructed', line: 8 },
        { messageId: 'constructed', line: 9 },
        { messageId: 'constructed', line: 10 },
        { messageId: 'constructed', line: 11 },
        { messageId: 'constructed', line: 13 },
        { messageId: 'constructed', line: 14 },
      ],
    },
    {
      name: 'a handler is constructed by reflection',
      code: `${RAW_CLASS}const { construct } = Reflect;
export const a = Reflect.construct(RawPages, []);
export const b = construct(RawPages, []);
export const c = globalThis.Reflect['construct'](RawPages, []);
export const d = Object.create(RawPages.prototype);`,
      findings: [
        { messageId: 'constructed', line: 4 },
        { messageId: 'constructed', line: 5 },
        { messageId: 'constructed', line: 6 },
        { messageId: 'constructed', line: 7 },
      ],
    },
    {
      name: 'a named handler is imported in every way',
      code: `import { RawPages, RawPages as Innocent } from './raw.js';
import * as raw from './raw';
import legacy = require('./raw');
const { RawPages: Required } = require('./raw.cjs');
const key = 'RawPages';
new RawPages();
new Innocent();
new raw.RawPages();
new raw[key]();
new legacy.RawPages();
new Required();
new (require('../src/raw').RawPages)();
const { RawPages: Loaded } = await import('./raw.js');
new Loaded();
new (await import('./raw.js')).RawPages();
import('./raw.js').then((module) => new module.RawPages());
import('./raw.js').then(({ RawPages: R }) => new R());`,
      options: NAMED,
      filename: 'src/content.ts',
      findings: [6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17].map((line) => ({
        messageId: 'constructed',
        line,
      })),
    },
    {
      name: 'a named handler is known by a type that imports it',
      code: `type Raw = typeof import('pages-binding/raw').RawPages;
declare const A: Raw;
declare const B: typeof import('pages-binding/raw');
export const make = (R: Raw, all: typeof import('pages-binding/raw')) => [new R(), new all.RawPages()];
new A();
new B.RawPages();
const c = container.get<InstanceType<typeof import('pages-binding/raw')['RawPages']>>('pages');
const d: import('pages-binding/raw').RawPages = container.pages();`,
      options: PACKAGE,
      findings: [
        { messageId: 'constructed', line: 4 },
        { messageId: 'constructed', line: 4 },
        { messageId: 'constructed', line: 5 },
        { messageId: 'constructed', line: 6 },
        { messageId: 'lookedUp', line: 7 },
        { messageId: 'madeByFactory', line: 8 },
      ],
    },
    {
      name: 'a named factory function is called',
      code: `import { openRaw } from 'pages-binding/raw';
export const raw = openRaw();`,
      options: [{ handlers: [{ from: 'pages-binding/raw', name: 'openRaw' }] }],
      findings: [{ messageId: 'madeByFactory', line: 2 }],
    },
    {
      name: 'a named handler has a static factory',
      code: `import { RawPages } from 'pages-binding/raw';
export const raw = RawPages.open();`,
      options: PACKAGE,
      findings: [{ messageId: 'madeByFactory', line: 2 }],
    },
    {
      name: 'a named handler is exported again',
      code: `export { RawPages } from './raw.js';
export * from './raw.js';
import { RawPages as Raw } from './raw.js';
export { Raw };
export const Innocent = Raw;
export default Raw;
export type { RawPages as Type } from './raw.js';`,
      options: NAMED,
      filename: 'src/index.ts',
      findings: [1, 2, 4, 5, 6].map((line) => ({ messageId: 'reExported', line })),
    },
    {
      name: 'the module of a named handler constructs it',
      code: `export class RawPages {}
export const shared = new RawPages();`,
      options: NAMED,
      filename: 'src/raw.ts',
      findings: [{ messageId: 'constructed', line: 2 }],
    },
    {
      name: 'a handler is written as an object',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
export const raw: RawContentHandler = { write() {} };
export const other = { write() {} } satisfies RawContentHandler;`,
      findings: [
        { messageId: 'constructed', line: 2 },
        { messageId: 'constructed', line: 3 },
      ],
    },
    {
      name: 'a handler is injected',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
interface Pages extends RawContentHandler {}
class First { constructor(private readonly raw: RawContentHandler) {} }
class Second { raw!: Pages | undefined; }
class Third { raw = inject('raw') as RawContentHandler; }`,
      findings: [
        { messageId: 'injected', line: 3 },
        { messageId: 'injected', line: 4 },
        { messageId: 'lookedUp', line: 5 },
      ],
    },
    {
      name: 'a tool uses a handler that was passed in',
      code: `import { defineTool, type RawContentHandler } from '@toolwright/sdk';
export const tool = (raw: RawContentHandler) => defineTool({
  name: 'find',
  execute: (input) => raw.find(input),
  preview: (input) => raw.read(input),
});`,
      findings: [{ messageId: 'used', line: 2 }],
    },
    {
      name: 'a factory keeps its handler',
      code: `${RAW_CLASS}let kept;
export const content = safeContentHandler(() => {
  const raw = new RawPages();
  kept = raw;
  return raw;
});
export const other = safeContentHandler(() => (globalThis.raw = new RawPages()));`,
      findings: [
        { messageId: 'leaked', line: 6 },
        { messageId: 'leaked', line: 9 },
      ],
    },
    {
      name: 'a function of the file only has the name of the wrapper',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
class RawPages implements RawContentHandler {}
const safeContentHandler = (open) => open();
export const content = safeContentHandler(() => new RawPages());`,
      findings: [{ messageId: 'constructed', line: 4 }],
    },
  ],
};
