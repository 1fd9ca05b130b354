import type { RuleTester as RuleTesterClass } from '@typescript-eslint/rule-tester';
import type { TSESLint } from '@typescript-eslint/utils';

/** A case in which a rule says nothing. */
export interface ValidCase {
  readonly name: string;
  readonly code: string;
  readonly options?: readonly unknown[];
  /** A file of the fixture project (`typed`), or any name (`syntactic`). */
  readonly filename?: string;
}

/** A finding of a case: which message, on which line, and what each suggestion makes of the code. */
export interface ExpectedFinding {
  readonly messageId: string;
  readonly line: number;
  readonly data?: Readonly<Record<string, string>>;
  readonly suggestions?: readonly { readonly messageId: string; readonly output: string }[];
}

export interface InvalidCase extends ValidCase {
  readonly findings: readonly ExpectedFinding[];
}

export interface CaseSet {
  readonly valid: readonly ValidCase[];
  readonly invalid: readonly InvalidCase[];
}

/** Everything that is tested of one rule, as data, so that each supported ESLint runs the same cases. */
export interface RuleCases {
  readonly rule: string;
  /** Run without types. */
  readonly syntactic: CaseSet;
  /** Run with types, in the project under `fixtures/typed`; empty for a rule that asks for none. */
  readonly typed: CaseSet;
}

/** What runs the cases: a RuleTester bound to one ESLint, its parser, and the test functions. */
export interface CaseRunner {
  readonly RuleTester: typeof RuleTesterClass;
  readonly parser: TSESLint.Parser.LooseParserModule;
  readonly afterAll: (run: () => void) => void;
  readonly describe: (text: string, run: () => void) => void;
  readonly it: (text: string, run: () => void) => void;
}

const TYPED_ROOT = new URL('../fixtures/typed/', import.meta.url);

type TestedRule = Parameters<RuleTesterClass['run']>[1];

/** @param ruleModule the rule; a tester of one ESLint has a type of its own for the same object. */
export function runRuleCases(ruleModule: object, cases: RuleCases, runner: CaseRunner): void {
  const { RuleTester } = runner;
  const rule = ruleModule as TestedRule;
  RuleTester.afterAll = runner.afterAll;
  RuleTester.describe = runner.describe;
  RuleTester.it = runner.it;
  RuleTester.itOnly = runner.it;

  const withoutTypes = new RuleTester({ languageOptions: { parser: runner.parser } });
  withoutTypes.run(`${cases.rule} without types`, rule, testsOf(cases.syntactic));
  if (cases.typed.valid.length + cases.typed.invalid.length > 0) {
    const withTypes = new RuleTester({
      languageOptions: {
        parser: runner.parser,
        parserOptions: { projectService: true, tsconfigRootDir: TYPED_ROOT.pathname },
      },
    });
    withTypes.run(`${cases.rule} with types`, rule, testsOf(cases.typed));
  }
}

function testsOf(cases: CaseSet): Parameters<RuleTesterClass['run']>[2] {
  return {
    valid: cases.valid.map(({ name, code, options, filename }) => ({
      name,
      code,
      ...(options === undefined ? {} : { options }),
      ...(filename === undefined ? {} : { filename }),
    })),
    invalid: cases.invalid.map(({ name, code, options, filename, findings }) => ({
      name,
      code,
      ...(options === undefined ? {} : { options }),
      ...(filename === undefined ? {} : { filename }),
      errors: findings.map((finding) => ({
        messageId: finding.messageId,
        line: finding.line,
        ...(finding.data === undefined ? {} : { data: finding.data }),
        ...(finding.suggestions === undefined
          ? {}
          : { suggestions: finding.suggestions.map((suggestion) => ({ ...suggestion })) }),
      })),
    })),
  };
}
