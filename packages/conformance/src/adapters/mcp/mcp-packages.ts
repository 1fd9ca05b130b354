import type { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';

/** Packages that serve tools over MCP: the SDK of both generations, and frameworks on top of it. */
const MODULES = [
  '@modelcontextprotocol/',
  'fastmcp',
  'mcp-handler',
  '@vercel/mcp-adapter',
  'mcp-framework',
  'mcp-use',
  'litemcp',
  'xmcp',
  'agents/mcp',
  '@rekog/mcp-nest',
  'tmcp',
];
const MCP_NAME = /(^|[-_/@.])mcp([-_/.]|$)/iu;

/** Knows which code belongs to an MCP server: calls that look alike elsewhere mean something else. */
export class McpPackages {
  readonly #project: LoadedProject;
  readonly #packages: ReadonlySet<string>;

  constructor(project: LoadedProject) {
    this.#project = project;
    const found = new Set<string>();
    for (const file of project.ownFiles) {
      const folder = project.packageFolderOf(file.fileName);
      if (
        !found.has(folder) &&
        (importsMcp(file) || MCP_NAME.test(project.packageNameOf(file.fileName) ?? ''))
      ) {
        found.add(folder);
      }
    }
    this.#packages = found;
  }

  /** Whether anything in the program has to do with MCP. */
  get isPresent(): boolean {
    return this.#packages.size > 0;
  }

  has(file: ts.SourceFile): boolean {
    return this.#packages.has(this.#project.packageFolderOf(file.fileName));
  }
}

const MCP_IMPORT = /(?:from|require\(|import\()\s*['"`][^'"`\n]*\bmcp\b[^'"`\n]*['"`]/iu;

/** Whether a file imports or requires a package that serves tools over MCP, or one that is called so. */
function importsMcp(file: ts.SourceFile): boolean {
  return (
    MCP_IMPORT.test(file.text) ||
    MODULES.some(
      (name) =>
        file.text.includes(`'${name}`) || file.text.includes(`"${name}`) || file.text.includes(`\`${name}`),
    )
  );
}
