import type { CaseSet } from '../../rule-testing/rule-cases.js';

export const typed: CaseSet = {
  valid: [
    {
      name: 'the wrapper is re-exported under another name',
      code: `import { guard, handlers } from './barrel.js';
export const content = guard(() => new handlers.RawPages());`,
    },
    {
      name: 'a function of another module passes the factory on',
      code: `import { guarded, Innocent } from './barrel.js';
export const content = guarded('pages', () => new Innocent());`,
    },
    {
      name: 'a handler is exported again, since whoever imports it is seen',
      code: `export { RawPages } from './raw-pages.js';`,
    },
    {
      name: 'a class completes an abstract handler of another module',
      code: `import { RawBase } from './raw-pages.js';
export abstract class RawNothing extends RawBase {}`,
    },
    {
      name: 'a class of the module is no handler',
      code: `import { container, Plain } from './raw-pages.js';
export const plain = new Plain();
export const looked = container.get<Plain>('plain');
export const unknown = container.resolve('pages');`,
    },
    {
      name: 'a look-up by the class gives something else',
      code: `import { RawPages } from './raw-pages.js';
const labels = new Map<unknown, string>();
export const label = labels.get(RawPages);`,
    },
    {
      name: 'a factory is handed over through functions of other modules',
      code: `import { guardedTwice, Innocent } from './barrel.js';
export const content = guardedTwice(() => new Innocent());`,
    },
    {
      name: 'a subclass is there for whoever hands it over',
      code: `import { handlers } from './barrel.js';
export class Quiet extends handlers.RawPages {}`,
    },
    {
      name: 'another file of the program has the name of an exported factory',
      code: `import { Innocent } from './barrel.js';
export function openInnocent() { return new Innocent(); }
const openHidden = () => new Innocent();
export const binding = { parts: { openHidden } };`,
    },
    {
      name: 'a factory function is called in the factory',
      code: `import { safeContentHandler } from '@toolwright/sdk';
import { open } from './barrel.js';
export const content = safeContentHandler(() => open());
export const again = safeContentHandler(open);`,
    },
  ],
  invalid: [
    {
      name: 'a handler is constructed under the name of a barrel',
      code: `import { Innocent, handlers } from './barrel.js';
export const a = new Innocent();
export const b = new handlers.RawPages();
const Again = handlers['RawPages'];
export const c = new Again();`,
      findings: [2, 3, 5].map((line) => ({ messageId: 'constructed', line })),
    },
    {
      name: 'a handler is made by a function of another module',
      code: `import { open, handlers } from './barrel.js';
export const a = open();
export const b = await handlers.openRawPagesLater();`,
      findings: [2, 3].map((line) => ({ messageId: 'madeByFactory', line })),
    },
    {
      name: 'a handler is looked up in a typed container',
      code: `import type { RawContentHandler } from '@toolwright/sdk';
import { container, RawPages } from './raw-pages.js';
export const a = container.get<RawPages>('pages');
export const b = container.pages();
export const c: RawContentHandler = container.get('pages');
export const d = container.get(RawPages);`,
      findings: [
        { messageId: 'lookedUp', line: 3 },
        { messageId: 'madeByFactory', line: 4 },
        { messageId: 'lookedUp', line: 5 },
        { messageId: 'lookedUp', line: 6 },
      ],
    },
    {
      name: "a subclass of another file's handler is constructed",
      code: `import { handlers } from './barrel.js';
export class Quiet extends handlers.RawPages {}
export const quiet = new Quiet();`,
      findings: [{ messageId: 'constructed', line: 3 }],
    },
    {
      name: 'a handler comes through typeof import, dynamic import, destructuring and reflection',
      code: `type Module = typeof import('./barrel.js');
export const madeHere = (module: Module) => new module.Innocent();
const { handlers: { RawPages: R } } = await import('./barrel.js');
export const a = new R();
export const b: InstanceType<Module['Innocent']> = Reflect.construct(R, []);`,
      findings: [2, 4, 5].map((line) => ({ messageId: 'constructed', line })),
    },
    {
      name: 'no other file of the program knows an exported factory',
      code: `import { Innocent } from './barrel.js';
export function openUnseen() { return new Innocent(); }
export const unseenBinding = { open: () => new Innocent() };
function openQuietly() { return new Innocent(); }`,
      findings: [2, 3, 4].map((line) => ({ messageId: 'constructed', line })),
    },
    {
      name: 'a function of another module does not guard',
      code: `import { pretend, Innocent } from './barrel.js';
export const content = pretend(() => new Innocent());`,
      findings: [
        { messageId: 'madeByFactory', line: 2 },
        { messageId: 'constructed', line: 2 },
      ],
    },
    {
      name: 'a factory keeps its handler',
      code: `import { safeContentHandler } from '@toolwright/sdk';
import { open } from './barrel.js';
const kept: unknown[] = [];
export const content = safeContentHandler(() => (kept[0] = open()));`,
      findings: [{ messageId: 'leaked', line: 4 }],
    },
  ],
};
