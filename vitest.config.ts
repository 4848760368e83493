import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const alias = { '@': root.replace(/\/$/, ''), 'server-only': `${root}test/server-only.ts` };
// A busy machine or a slow disk is no failure; a test that hangs still is one.
const patient = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };
const exclude = ['**/node_modules/**', 'dist/**', '.next/**', '.tickmark/**'];

// unit: pure code. integration: real Postgres or real processes (`*.int.test.ts`); the global set-up starts the server.
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.int.test.ts'],
          ...patient,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude,
          globalSetup: ['test/global-setup.ts'],
          ...patient,
        },
      },
    ],
  },
});
