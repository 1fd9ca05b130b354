import { RULES } from '../run-rules/registry.js';
import { MANIFEST_FILE } from '../load/effects-manifest.js';
import { BASELINE_FILE } from './baseline-file.js';
import { FORMATS } from './parse-command-line.js';
import { CONFIG_FILE } from './read-check-config.js';

/** The text of --help. */
export function helpText(): string {
  const width = Math.max(...RULES.map(({ id }) => id.length));
  return `Proves from the source that tools keep the contracts they declare. Nothing of it is executed.

Usage: toolwright-conformance [paths...] [options]

Without paths it checks the project of the working directory: its tsconfig.json or jsconfig.json, what
that refers to, the packages of its workspace, or plain JavaScript.

Options:
  -p, --project FILE     a tsconfig.json to check; can be given more than once
      --format FORMAT    ${FORMATS.join(', ')} (default: ${FORMATS[0]})
  -o, --output FILE      write the report there instead of to standard output
      --strict           fail on what cannot be decided, too
      --rule ID          ask only this rule; can be given more than once
      --list-tools       print the tools and their effects, and ask no rule
      --explain ID       print what a rule proves, what its verdict rests on and how to correct a finding
      --baseline FILE    leave out the findings that this file knows; one that is gone fails the run
      --update-baseline  write that file from what is found now (default: ${BASELINE_FILE})
      --update-manifest  write ${MANIFEST_FILE} beside the package.json of each plugin
      --config FILE      configuration (default: ${CONFIG_FILE} of the working directory, if there is one)
  -h, --help             print this
  -v, --version          print the version

Rules:
${RULES.map(({ id, summary }) => `  ${id.padEnd(width)}  ${summary}`).join('\n')}

A finding is left out by a comment above it, or in its line, that gives a reason:
  // toolwright-ignore <rule-id> -- <reason>

Exit code: 0 nothing violated; 1 findings; 2 the check could not do its work.
`;
}
