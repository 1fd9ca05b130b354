import type { ts } from '../../../engine/typescript.mjs';
import { describe, expect, it } from 'vitest';
import { ToolDiscovery } from '../../discover/discover-tools.js';
import type { DiscoveredTool } from '../../discover/discovered-tool.js';
import { loadProjects } from '../../load/load-projects.js';
import { SourceFileCache } from '../../load/source-file-cache.js';
import { withFixture } from '../../testing/check-fixture.js';
import { TOOLWRIGHT_ADAPTER } from './adapter.js';

const cache = new SourceFileCache();

function discover(source: string | Readonly<Record<string, string>>): readonly DiscoveredTool[] {
  const files = typeof source === 'string' ? { 'src/tools.ts': source } : source;
  return withFixture(files, (cwd) => {
    const { projects } = loadProjects({ cwd, paths: [], configs: [], testFileGlobs: [], cache });
    const discovery = new ToolDiscovery([TOOLWRIGHT_ADAPTER]);
    return [...projects].flatMap((project) => discovery.discover(project));
  });
}

function named(tools: readonly DiscoveredTool[], name: string): DiscoveredTool {
  const tool = tools.find((one) => one.name.value === name);
  if (tool === undefined) {
    throw new Error(`${name} was not found among ${tools.map((one) => String(one.name.value)).join(', ')}`);
  }
  return tool;
}

function textOf(node: ts.Node | null): string {
  return node === null ? '(none)' : node.getText().replace(/\s+/gu, ' ');
}

const SDK = "import { defineTool, type Tool, type WriterTool, type ReaderTool } from '@toolwright/sdk';";

describe('the code of a tool', () => {
  it('is found when it is a method, a function, an imported handler or bound', () => {
    const tools = discover({
      'src/handlers.ts': 'export async function save() { return 1; }\nexport const find = () => 2;',
      'src/tools.ts': `${SDK}
        import * as handlers from './handlers.js';
        import { save } from './handlers.js';
        class Service { move() { return 3; } }
        const service = new Service();
        export const tools = [
          defineTool({ name: 'method', execute() { return 0; }, preview: () => ['x'] }),
          defineTool({ name: 'save', execute: save }),
          defineTool({ name: 'find', execute: handlers.find }),
          defineTool({ name: 'bound', execute: service.move.bind(service) }),
          defineTool({ name: 'none' }),
        ];`,
    });
    expect(tools.map((tool) => [tool.name.value, textOf(tool.execute), textOf(tool.preview)])).toEqual([
      ['method', 'execute() { return 0; }', "() => ['x']"],
      ['save', 'export async function save() { return 1; }', '(none)'],
      ['find', '() => 2', '(none)'],
      ['bound', 'service.move.bind(service)', '(none)'],
      ['none', '(none)', '(none)'],
    ]);
  });

  it('is the caller’s when a factory takes it', () => {
    const tools = discover(`${SDK}
      const make = (name: string, execute: () => number) => defineTool({ name, execute });
      export const tools = [make('one', () => 1), make('two', function () { return 2; })];`);
    expect(textOf(named(tools, 'one').execute)).toBe('() => 1');
    expect(textOf(named(tools, 'two').execute)).toBe('function () { return 2; }');
  });

  it('is inherited, or a field, when the tool is a class', () => {
    const tools = discover(`${SDK}
      abstract class Base implements WriterTool {
        abstract readonly name: string;
        readonly effect = 'idempotent_write';
        execute() { return this.name; }
      }
      export class Save extends Base { readonly name = 'save'; }
      export class Find implements ReaderTool { name = 'find'; execute = async () => 1; }`);
    expect(textOf(named(tools, 'save').execute)).toBe('execute() { return this.name; }');
    expect(textOf(named(tools, 'find').execute)).toBe('async () => 1');
  });
});

describe('an object', () => {
  it('is a tool when it stands where one is expected', () => {
    const tools = discover(`${SDK}
      export const a: Tool = { name: 'a', execute() {} };
      export const b = { name: 'b', execute() {} } satisfies ReaderTool;
      export const c = { name: 'c', execute() {} } as unknown as WriterTool;
      interface PageTool extends WriterTool { readonly page: string }
      export const d: Record<string, PageTool> = { d: { name: 'd', page: '', effect: 'idempotent_write', execute() {} } };
      export function make(): ReaderTool { return { name: 'e', execute() {} }; }
      declare function register(tool: Tool | null): void;
      register({ name: 'f', execute() {} });
      declare function listen<T extends Tool>(...tools: T[]): void;
      listen({ name: 'g', execute() {} });
      export const none = [{ name: 'h', execute() {} }, { name: 'i', execute() {} }];`);
    expect(tools.map((tool) => tool.name.value)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});

describe('the id of a tool', () => {
  it('stays when other tools come and lines move', () => {
    const before = discover(`${SDK}\nexport const a = defineTool({ name: 'a', execute() {} });`);
    const after = discover(`${SDK}\n\n// moved
      export const b = defineTool({ name: 'b', execute() {} });
      export const a = defineTool({ name: 'a', execute() {} });`);
    expect(named(after, 'a').id).toBe(named(before, 'a').id);
  });

  it('holds the plugin’s folder, and the file where the name is no literal', () => {
    const tools = discover({
      'tsconfig.json': '{ "compilerOptions": { "types": [] }, "include": ["packages"] }',
      'packages/a/package.json': '{ "name": "a" }',
      'packages/a/src/tools.ts': `${SDK}\nexport const x = defineTool({ name: 'x', execute() {} });`,
      'packages/b/package.json': '{ "name": "b" }',
      'packages/b/src/package.json': '{ "type": "module" }',
      'packages/b/src/tools.ts': `${SDK}
        export const x = defineTool({ name: 'x', execute() {} });
        export const y = defineTool({ name: String(Math.random()), execute() {} });`,
    });
    expect(tools.map(({ id, plugin }) => [id, plugin])).toEqual([
      ['packages/a#x', 'packages/a'],
      ['packages/b#x', 'packages/b'],
      ['packages/b/src/tools.ts#?', 'packages/b'],
    ]);
  });
});

describe('a factory', () => {
  it('makes one tool for each caller when the callers give the names', () => {
    const tools = discover(`${SDK}
      function make(kind: string, verb = 'find') {
        return defineTool({ name: \`\${verb}_\${kind}\`, execute() {} });
      }
      const both = (kind: string) => [make(kind), make(kind, 'list')];
      export const tools = [...both('page'), ...both('file')];`);
    expect(tools.map((tool) => tool.name.value).sort()).toEqual([
      'find_file',
      'find_page',
      'list_file',
      'list_page',
    ]);
  });

  it('ends when it calls itself', () => {
    const tools = discover(`${SDK}
      function make(name: string): unknown {
        return [defineTool({ name, execute() {} }), make(name + '_again')];
      }
      make('a');`);
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.length).toBeLessThan(20);
  });
});
