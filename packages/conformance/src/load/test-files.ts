import picomatch from 'picomatch';

const TEST_FOLDER = /(^|\/)(__tests__|__mocks__|__fixtures__|tests?|e2e)\//u;
const TEST_FILE = /\.(test|spec|test-d|e2e)\.[cm]?[jt]sx?$/u;

/**
 * Whether a file is a test: by its name, by a folder above it, or by a glob of the configuration.
 *
 * @param relativeToRoot - relative to the project's folder, so that a project which itself lies in a
 *   folder called `tests` is not exempt as a whole.
 */
export function isTestFile(relativeToRoot: string, extraGlobs: readonly string[] = []): boolean {
  return (
    TEST_FILE.test(relativeToRoot) ||
    TEST_FOLDER.test(relativeToRoot) ||
    extraGlobs.some((glob) => picomatch.isMatch(relativeToRoot, glob, { dot: true }))
  );
}
