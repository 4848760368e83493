import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const alias = { '@': root.replace(/\/$/, ''), 'server-only': `${root}test/server-only.ts` };
const exclude = ['**/node_modules/**', 'dist/**', '.next/**', 'e2e/**', '.tickmark/**'];

// unit: pure code. integration: real Postgres or real processes (`*.int.test.ts`); the global set-up starts the server.
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: { name: 'unit', include: ['**/*.test.{ts,tsx}'], exclude: [...exclude, '**/*.int.test.ts'] },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude,
          globalSetup: ['test/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
