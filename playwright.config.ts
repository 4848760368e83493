import { defineConfig, devices } from '@playwright/test';
import chromium from '@sparticuz/chromium';
import { e2ePort } from './e2e/instance';
import { onDatabricks } from './e2e/platform';

// The browser comes inside a package for Linux on x64; elsewhere Playwright's own is used (npx playwright install).
const packaged = process.platform === 'linux' && process.arch === 'x64';
const launchOptions = packaged
  ? {
      executablePath: await chromium.executablePath(),
      // One process for all tabs suits a function that runs once; here a crash would take the whole run along.
      args: chromium.args.filter((arg) => arg !== '--single-process' && !arg.startsWith('--headless')),
    }
  : {};

/**
 * In continuous integration the specs of pure interface run on one platform: nothing that they look at depends on it, and on
 * two cores they would take longer than all that does. `npm run test:databricks` by hand runs every spec.
 */
const ON_DATABRICKS_IN_CI = /\/(databricks|callbacks|http|submit|task|operator|agents)\.spec\.ts$/;

const PHONE = {
  name: 'phone',
  grep: /@phone/,
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  },
};

export default defineConfig({
  testDir: 'e2e',
  testMatch: onDatabricks && process.env.CI ? ON_DATABRICKS_IN_CI : '*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  // All specs share one instance and one machine with few cores.
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    baseURL: `http://127.0.0.1:${await e2ePort()}`,
    trace: 'retain-on-failure',
    actionTimeout: 20_000,
    launchOptions,
  },
  projects: [
    {
      name: 'desktop',
      // What a tag says holds on one platform only; the rest of the specs is the same on both.
      grepInvert: onDatabricks ? /@phone-only|@embedded/ : /@phone-only|@databricks/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
    // What a phone shows does not depend on the platform.
    ...(onDatabricks ? [] : [PHONE]),
  ],
});
