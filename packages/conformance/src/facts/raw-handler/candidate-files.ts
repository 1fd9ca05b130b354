import { RAW_HANDLER_TYPE, SAFE_HANDLER_FACTORY, SDK_MODULE } from '@toolwright/sdk/contract-names';
import type { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';

/**
 * The project's files that can have to do with a raw handler: they, or a file that they import, name
 * it. Only these are worth asking the compiler about. The SDK's own code holds what it wraps.
 *
 * @param known - files that declare a handler without naming it
 */
export function candidateFiles(
  project: LoadedProject,
  configuredNames: readonly string[],
  known: ReadonlySet<ts.SourceFile>,
): readonly ts.SourceFile[] {
  const names = [RAW_HANDLER_TYPE, SAFE_HANDLER_FACTORY, ...configuredNames];
  const isOwn = (file: ts.SourceFile): boolean => project.packageNameOf(file.fileName) !== SDK_MODULE;
  const packages = packagesThatName(project, names);
  const marked = new Set(
    project.ownFiles.filter(
      (file) =>
        isOwn(file) &&
        (known.has(file) ||
          names.some((name) => file.text.includes(name)) ||
          packages.some((name) => file.text.includes(`'${name}`) || file.text.includes(`"${name}`))),
    ),
  );
  const importers = importersByFile(project, isOwn);
  const queue = [...marked];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    for (const importer of importers.get(file) ?? []) {
      if (!marked.has(importer)) {
        marked.add(importer);
        queue.push(importer);
      }
    }
  }
  return project.ownFiles.filter((file) => marked.has(file));
}

/** Installed packages other than the SDK whose declarations name a raw handler, as a binding's do. */
function packagesThatName(project: LoadedProject, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const file of project.program.getSourceFiles()) {
    if (file.isDeclarationFile && names.some((name) => file.text.includes(name))) {
      const name = project.packageNameOf(file.fileName);
      if (name !== null && name !== SDK_MODULE) {
        found.add(name);
      }
    }
  }
  return [...found];
}

function importersByFile(
  project: LoadedProject,
  isOwn: (file: ts.SourceFile) => boolean,
): ReadonlyMap<ts.SourceFile, readonly ts.SourceFile[]> {
  const importers = new Map<ts.SourceFile, ts.SourceFile[]>();
  for (const file of project.ownFiles) {
    for (const imported of project.importsOf(file)) {
      if (isOwn(imported)) {
        importers.set(imported, [...(importers.get(imported) ?? []), file]);
      }
    }
  }
  return importers;
}
