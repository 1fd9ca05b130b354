import path from 'node:path';
import { ts } from '../../engine/typescript.mjs';
import { mcpTypesFor } from './mcp-types.js';
import { isInstalled } from './paths.js';
import { WorkspaceSources } from './workspace-sources.js';

const SOURCE_CONDITION = 'source';

export type ResolveModule = (
  literal: ts.StringLiteralLike,
  containingFile: ts.SourceFile,
  redirected: ts.ResolvedProjectReference | undefined,
) => ts.ResolvedModuleWithFailedLookupLocations;

/**
 * Resolves imports as the project's options say, except that a package of the same workspace is read
 * from the sources that its `source` export condition names, never from a build that may be stale.
 * Installed packages that publish such a condition are read by their declarations, as always. Without an
 * installation, the packages of a workspace are found by their names, and the types of the MCP SDK in declarations of one's own.
 */
export function createModuleResolver(
  options: ts.CompilerOptions,
  host: ts.ModuleResolutionHost,
  root: string,
): ResolveModule {
  const canonical = (name: string): string => (ts.sys.useCaseSensitiveFileNames ? name : name.toLowerCase());
  const cache = ts.createModuleResolutionCache(root, canonical, options);
  const sourceOptions = withSourceCondition(options);
  const sourceCache =
    sourceOptions === null ? null : ts.createModuleResolutionCache(root, canonical, sourceOptions);

  const workspace = new WorkspaceSources(root);
  const fromWorkspace = (
    specifier: string,
    failed: ts.ResolvedModuleWithFailedLookupLocations,
  ): ts.ResolvedModuleWithFailedLookupLocations => {
    if (failed.resolvedModule !== undefined || specifier.startsWith('.')) {
      return failed;
    }
    const own = workspace.resolve(specifier);
    const fileName = own ?? mcpTypesFor(specifier);
    return fileName === null
      ? failed
      : {
          resolvedModule: {
            resolvedFileName: fileName,
            extension: own === null ? ts.Extension.Dts : path.extname(fileName),
            isExternalLibraryImport: own === null,
          },
        };
  };

  return (literal, containingFile, redirected) => {
    const mode = ts.getModeForUsageLocation(containingFile, literal, options);
    const from = containingFile.fileName;
    const plain = ts.resolveModuleName(literal.text, from, options, host, cache, redirected, mode);
    if (sourceOptions === null || sourceCache === null || literal.text.startsWith('.')) {
      return fromWorkspace(literal.text, plain);
    }
    if (plain.resolvedModule !== undefined && isInstalled(plain.resolvedModule.resolvedFileName)) {
      return plain;
    }
    const source = ts.resolveModuleName(
      literal.text,
      from,
      sourceOptions,
      host,
      sourceCache,
      redirected,
      mode,
    );
    const isOwnSource =
      source.resolvedModule !== undefined && !isInstalled(source.resolvedModule.resolvedFileName);
    return isOwnSource ? source : fromWorkspace(literal.text, plain);
  };
}

/** Export conditions exist only where package exports do. */
function withSourceCondition(options: ts.CompilerOptions): ts.CompilerOptions | null {
  const conditions = options.customConditions ?? [];
  if (!readsPackageExports(options) || conditions.includes(SOURCE_CONDITION)) {
    return null;
  }
  return { ...options, customConditions: [SOURCE_CONDITION, ...conditions] };
}

function readsPackageExports(options: ts.CompilerOptions): boolean {
  const { moduleResolution, module } = options;
  if (options.resolvePackageJsonExports === false) {
    return false;
  }
  switch (moduleResolution) {
    case ts.ModuleResolutionKind.Node16:
    case ts.ModuleResolutionKind.NodeNext:
    case ts.ModuleResolutionKind.Bundler:
      return true;
    case undefined:
      // The bundled TypeScript derives it from `module`; only the historic module kinds read no exports.
      return module === undefined || module === ts.ModuleKind.CommonJS || module >= ts.ModuleKind.ES2015;
    default:
      return false;
  }
}
