// @ts-check
// This project's own rules on this project's own tools and host. Apart from eslint.config.js, since it needs a build.
import parser from '@typescript-eslint/parser';
import toolwright from '@toolwright/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';

export default defineConfig(globalIgnores(['**/dist/**', '**/*.test.ts', '**/fixtures/**']), {
  files: ['**/*.ts'],
  extends: [toolwright.configs.recommendedTypeChecked],
  // Comments for the other configuration's rules are none of this one's business.
  linterOptions: { reportUnusedDisableDirectives: 'off' },
  languageOptions: {
    parser,
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
});
