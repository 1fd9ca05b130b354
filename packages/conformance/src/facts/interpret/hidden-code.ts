import { ts } from '../../../engine/typescript.mjs';
import type { ExternalValue } from '../values/value.js';

const CODE_OF = new Map([
  ['.d.ts', ['.js', '.jsx']],
  ['.d.mts', ['.mjs']],
  ['.d.cts', ['.cjs']],
]);
const KNOWN = new Map<string, string | null>();

/**
 * The file of the project's own whose code a declaration beside it stands for: the compiler reads the declaration alone.
 * Null for packages, and where there is no such file.
 */
export function hiddenBehind({ symbol }: ExternalValue): string | null {
  const file = symbol?.declarations?.[0]?.getSourceFile();
  if (file === undefined || !file.isDeclarationFile || file.fileName.includes('/node_modules/')) {
    return null;
  }
  const { fileName } = file;
  let known = KNOWN.get(fileName);
  if (known === undefined) {
    known = find(fileName);
    KNOWN.set(fileName, known);
  }
  return known;
}

function find(fileName: string): string | null {
  for (const [ending, endings] of CODE_OF) {
    if (fileName.endsWith(ending)) {
      const stem = fileName.slice(0, -ending.length);
      const code = endings.map((one) => `${stem}${one}`).find((one) => ts.sys.fileExists(one));
      return code?.split('/').at(-1) ?? null;
    }
  }
  return null;
}
