import { describe, expect, it } from 'vitest';
import { namedModule } from './module-path.js';

const CWD = '/project';

describe('a module named by its path', () => {
  const module = namedModule('./src/raw/index.ts', CWD);

  it.each(['../raw/index.js', '../raw/index', '../raw', '../../src/raw/index.mts'])(
    'is meant by %s when a file beside it imports it',
    (specifier) => {
      expect(module.isMeantBy(specifier, '/project/src/tools/save.ts')).toBe(true);
    },
  );

  it.each(['../raw/other.js', './raw', 'raw', '@raw/index'])('is not meant by %s', (specifier) => {
    expect(module.isMeantBy(specifier, '/project/src/tools/save.ts')).toBe(false);
  });

  it('is the file itself when that is linted', () => {
    expect(module.isFile('/project/src/raw/index.ts')).toBe(true);
    expect(module.isFile('/project/src/raw/other.ts')).toBe(false);
    expect(module.packageName).toBeNull();
  });
});

describe('a module named as a package', () => {
  it.each([
    ['pages-binding', 'pages-binding'],
    ['pages-binding/raw', 'pages-binding'],
    ['@acme/pages', '@acme/pages'],
    ['@acme/pages/raw', '@acme/pages'],
  ])('is meant by its own specifier alone when it is %s', (from, packageName) => {
    const module = namedModule(from, CWD);
    expect(module.isMeantBy(from, '/project/a.ts')).toBe(true);
    expect(module.isMeantBy(`${from}/other`, '/project/a.ts')).toBe(false);
    expect(module.isFile('/project/pages-binding.ts')).toBe(false);
    expect(module.packageName).toBe(packageName);
  });
});
