import { defineConfig } from 'vitest/config';

// Workspace packages are read from their sources, so no build is needed and none can be stale.
const conditions = ['source'];

export default defineConfig({
  resolve: { conditions: [...conditions, 'module', 'node'] },
  ssr: { resolve: { conditions: [...conditions, 'module', 'node'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'examples/*/src/**/*.test.ts',
      'bench/**/*.test.ts',
      'tools/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'],
    // eventsource names its TypeScript sources "source" as well, which Node itself cannot load.
    server: { deps: { inline: ['@modelcontextprotocol/client', /eventsource/] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
