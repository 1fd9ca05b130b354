/**
 * Declarations of the one type of the MCP SDK that rules ask for, for programs in which the SDK is not installed:
 * without them an alias, an interface or a generic over it would be of no known type at all. Everything else of the SDK stays
 * as unknown as it is.
 */
const FOLDER = '/__mcp-types__/node_modules/@modelcontextprotocol';

/** What types are imported from: the protocol's module of version 1, and the packages of version 2. */
const TYPES_OF_1 = /^@modelcontextprotocol\/sdk\/(?:.+\/)?(?:types|spec\.types)(?:\.d)?(?:\.[cm]?[jt]s)?$/u;
const PACKAGE_OF_2 = /^@modelcontextprotocol\/(?:server|client|core|core-internal)$/u;

const TEXT = `export interface CallToolResult {
  [field: string]: unknown;
  content: any[];
  structuredContent?: { [field: string]: unknown };
  isError?: boolean;
  _meta?: { [field: string]: unknown };
}
`;

/** The file that stands in for a module of the MCP SDK that was not found; null for every other module. */
export function mcpTypesFor(specifier: string): string | null {
  if (TYPES_OF_1.test(specifier)) {
    return `${FOLDER}/sdk/types.d.ts`;
  }
  return PACKAGE_OF_2.test(specifier)
    ? `${FOLDER}/${specifier.slice(specifier.indexOf('/') + 1)}/index.d.ts`
    : null;
}

/** The text of such a file; undefined for every other name. */
export function mcpTypesText(fileName: string): string | undefined {
  return fileName.startsWith(`${FOLDER}/`) && fileName.endsWith('.d.ts') ? TEXT : undefined;
}

/** The package that such a file stands in for; null for every other name. */
export function mcpPackageOf(fileName: string): string | null {
  return fileName.startsWith(`${FOLDER}/`)
    ? `@modelcontextprotocol/${fileName
        .slice(FOLDER.length + 1)
        .split('/', 1)
        .join('')}`
    : null;
}
