import { createRequire } from 'node:module';

// Required, not imported: an import would first look through nine megabytes for the names that they export.
const { ts: compiler, getLibFiles } = createRequire(import.meta.url)('@ts-morph/common');

// The compiler's namespace is one object of two thousand getters, which the engine can only look up by hashing. What is
// asked at every node lies on a small object before it, where each access costs a tenth.
const OFTEN_ASKED = /^is[A-Z]|^(?:SyntaxKind|[A-Z][A-Za-z]*Flags|forEachChild)$/u;

const ts = Object.create(compiler);
for (const [name, value] of Object.entries(compiler)) {
  if (OFTEN_ASKED.test(name)) {
    Object.defineProperty(ts, name, { value, enumerable: true });
  }
}

export { getLibFiles, ts };
