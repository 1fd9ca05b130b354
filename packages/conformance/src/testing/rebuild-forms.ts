import { readFileSync } from 'node:fs';
import { checkFixture } from './check-fixture.js';

/**
 * A case of a file of rebuild forms: a heading, `violated` or `kept` as the only item of a list, and a module as a code block, in
 * which `CallToolResult` is imported; where it says `'MCP'`, it imports from the same module.
 */
export interface RebuildForm {
  readonly title: string;
  readonly expected: 'violated' | 'kept';
  readonly code: string;
}

/** Where the forms find `CallToolResult`: the module, and the files that make it be there. */
export interface ResultModule {
  readonly specifier: string;
  readonly files: Readonly<Record<string, string>>;
}

export function readRebuildForms(file: URL): readonly RebuildForm[] {
  const forms = readFileSync(file, 'utf8')
    .split(/^## /mu)
    .slice(1)
    .map((section): RebuildForm => {
      const title = section.slice(0, section.indexOf('\n')).trim();
      const expected = /^- (violated|kept)$/mu.exec(section)?.[1] as RebuildForm['expected'] | undefined;
      const code = /^```ts\n(.*?)^```$/msu.exec(section)?.[1];
      if (expected === undefined || code === undefined) {
        throw new Error(`${title}: expected \`violated\` or \`kept\`, and a code block.`);
      }
      return { title, expected, code };
    });
  if (forms.length === 0) {
    throw new Error(`${file.pathname}: expected forms under headings, found none.`);
  }
  return forms;
}

/** Whether the rule has a finding in each form, all of them in one project; `inconclusive` is neither. */
export function outcomesOfForms(
  forms: readonly RebuildForm[],
  { specifier, files }: ResultModule,
): readonly string[] {
  const sources = forms.map(({ code }, index) => [
    `src/form-${String(index)}.ts`,
    `import type { CallToolResult } from '${specifier}';\n${code.replaceAll("'MCP'", `'${specifier}'`)}`,
  ]);
  const report = checkFixture(
    { ...files, ...(Object.fromEntries(sources) as Record<string, string>) },
    { rules: ['result-rebuild-keeps-fields'] },
  );
  return forms.map((_, index) => {
    const verdicts = report.verdicts
      .filter(({ location }) => location?.file === `src/form-${String(index)}.ts`)
      .map(({ verdict }) => verdict);
    return verdicts.includes('violated')
      ? 'violated'
      : verdicts.includes('inconclusive')
        ? 'inconclusive'
        : 'kept';
  });
}
