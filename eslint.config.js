// @ts-check
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const TESTS = [
  '**/*.test.ts',
  '**/*.test-d.ts',
  '**/*.cases.ts',
  'packages/conformance/src/testing/**',
  'packages/eslint-plugin/src/rule-testing/**',
  'tests/**',
];
const CONFIGS = ['**/*.config.{js,ts,mjs}', '.dependency-cruiser.mjs'];

// Callers branch on a stable code, so what a package throws always has one.
const PLAIN_ERROR = {
  selector:
    'ThrowStatement > :matches(NewExpression, CallExpression)[callee.name=/^(Error|TypeError|RangeError)$/]',
  message: "Throw the package's own error class, with a stable code and a message that says what to do.",
};

// What the analysis asks the type checker stands in one interface; see decision 0027.
const WHOLE_CHECKER = {
  selector:
    "TSQualifiedName[left.name='ts'][right.name=/^(TypeChecker|Program)$/], MemberExpression[property.name=/^(getTypeChecker|createProgram)$/]",
  message:
    'Take `Checker` and `ProgramFiles` from load/loaded-project.ts: it names the few questions that are asked.',
};

export default defineConfig(
  globalIgnores(['**/dist/**', '**/fixtures/**', '**/generated/**', '**/node_modules/**', '.cache/**']),
  {
    files: ['**/*.{ts,mts,js,mjs}'],
    extends: [js.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 500 }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
    },
  },
  {
    files: ['**/*.{ts,mts}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      // Sources belong to their package's tsconfig.json; tests, tools and configs to the root's.
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
      // What foreign code answers is compared with the literal, so that anything else fails closed.
      '@typescript-eslint/no-unnecessary-boolean-literal-compare': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      // An async method turns a throw into a rejection, which is what a port promises, await or not.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      'no-restricted-syntax': ['error', PLAIN_ERROR],
    },
  },
  {
    files: ['packages/conformance/src/**/*.ts'],
    ignores: ['packages/conformance/src/load/load{-program,ed-project}.ts'],
    rules: { 'no-restricted-syntax': ['error', PLAIN_ERROR, WHOLE_CHECKER] },
  },
  {
    // ESLint and its configurations expect a plugin as a default export.
    files: ['packages/eslint-plugin/src/index.ts', ...CONFIGS],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['tools/**', 'bench/**', 'examples/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // What careless authors write is what these files show.
    files: ['examples/broken-plugin/src/faults/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // A test makes odd values on purpose and asserts on shapes that only the matcher knows.
    files: TESTS,
    rules: {
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
);
