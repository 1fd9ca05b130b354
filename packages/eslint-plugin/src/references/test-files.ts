const TEST_FILE = /(?:^|\/)__(?:tests|mocks)__\/|\.(?:test|spec)(?:-d)?\.[cm]?[jt]sx?$/u;

/** Whether a file is a test by its name, or lies in a folder that holds nothing else. */
export function isTestFile(file: string): boolean {
  return TEST_FILE.test(file.replaceAll('\\', '/'));
}
