/**
 * Ends a check: prints what it found, one problem a line, and sets the exit code; without a problem it
 * prints what was looked at, so that a check that looked at nothing is seen.
 */
export function reportProblems(problems: readonly string[], lookedAt: string): void {
  for (const problem of problems) {
    console.error(problem);
  }
  if (problems.length > 0) {
    process.exitCode = 1;
    return;
  }
  console.log(lookedAt);
}
