import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const alias = { '@': root.replace(/\/$/, ''), 'server-only': `${root}test/server-only.ts` };
// A busy machine or a slow disk is no failure; a test that hangs still is one.
const patient = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };
const exclude = ['**/node_modules/**', 'dist/**', '.next/**', '.tickmark/**'];

// Asked for by name alone, so that a plain `vitest run` needs no Python.
const mlflow = {
  resolve: { alias },
  test: {
    name: 'mlflow',
    include: ['**/*.mlflow.test.ts'],
    exclude,
    testTimeout: 600_000,
    // The first run installs MLflow.
    hookTimeout: 1_800_000,
  },
};

// unit: pure code. integration: real Postgres or real processes (`*.int.test.ts`); the global set-up starts the server.
// mlflow: the production build beside a real MLflow server, which the first run installs.
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.{int,mlflow}.test.ts'],
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
      ...(process.argv.includes('mlflow') ? [mlflow] : []),
    ],
  },
});
