// `npm test [PART… | --all]` and `npm run check`. The last line says how it went, for people and for CI.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs';
import { root } from './root.mjs';
import { runTool } from './run-tool.mjs';

const PARTS = {
  check: [types, lint, directions],
  unit: [() => vitest('unit')],
  integration: [() => vitest('integration')],
  e2e: [() => endToEnd('embedded')],
  databricks: [() => endToEnd('databricks')],
  mlflow: [() => vitest('mlflow')],
};
/** What `npm test` runs: all that a contributor needs on a machine of their own. `--all` runs every part. */
const DEFAULT = ['check', 'unit', 'integration', 'e2e'];

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const reports = mkdtempSync(path.join(tmpdir(), 'tickmark-reports-'));
const [command, ...parts] = process.argv.slice(2);

await main();

async function main() {
  const names = chosenParts();
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown) {
    process.stderr.write(`${unknown}: unknown; there are ${Object.keys(PARTS).join(', ')}, --all\n`);
    process.exit(2);
  }
  for (const step of names.flatMap((name) => PARTS[name])) add(await step());
  rmSync(reports, { recursive: true, force: true });
  // Once more at the end, where a person looks and where a log that is cut keeps them.
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n\n`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

function chosenParts() {
  if (command === 'check') return ['check'];
  if (parts.includes('--all')) return Object.keys(PARTS);
  return parts.length > 0 ? parts : DEFAULT;
}

function add(counts) {
  for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
  failures.push(...(counts.failures ?? []));
}

/** A check is one test: its tool ends well or it does not. */
async function check(title, steps) {
  for (const [tool, ...args] of steps) {
    if ((await runTool(title, tool, args)) !== 0) return { failed: 1, failures: [title] };
  }
  return { passed: 1 };
}

function types() {
  // Next writes the types of routes and of imported styles, which a fresh checkout does not have.
  return check('types', [
    ['next/dist/bin/next', 'typegen'],
    ['typescript/bin/tsc', '--noEmit'],
    // The types of what is measured against come with its packages, which `npm run bench` installs.
    ...(existsSync(path.join(root, 'bench', 'node_modules'))
      ? [['typescript/bin/tsc', '--noEmit', '-p', 'bench']]
      : []),
  ]);
}

function lint() {
  return check('format and lint', [['@biomejs/biome/bin/biome', 'check', '--error-on-warnings']]);
}

function directions() {
  if (!existsSync(path.join(root, '.dependency-cruiser.mjs'))) return {};
  const folders = ['app', 'lib', 'worker', 'agent', 'bin', 'examples'];
  return check('directions of imports', [
    ['dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs', ...folders],
  ]);
}

async function vitest(project) {
  // Some integration tests start our own processes, which are run from the bundles.
  if (project !== 'unit' && !(await built({ app: project === 'mlflow' })))
    return { failed: 1, failures: ['the build'] };
  const file = path.join(reports, `${project}.json`);
  const args = ['run', '--project', project, '--passWithNoTests', '--reporter=default', '--reporter=json'];
  const code = await runTool(`${project} tests`, 'vitest/vitest.mjs', [...args, `--outputFile.json=${file}`]);
  const report = readReport(file);
  return settle(code, {
    passed: report?.numPassedTests,
    failed: report?.numFailedTests,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures: failedInVitest(report),
  });
}

/** The same specs on each platform; on Databricks against the stand-in workspace. */
async function endToEnd(platform) {
  if (!(await built({ app: true }))) return { failed: 1, failures: ['the build'] };
  const file = path.join(reports, `e2e-${platform}.json`);
  const args = ['test', '--pass-with-no-tests', '--reporter=list,json'];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, TICKMARK_E2E_PLATFORM: platform };
  const code = await runTool(`end-to-end tests, ${platform}`, '@playwright/test/cli.js', args, env);
  const report = readReport(file);
  const stats = report?.stats;
  return settle(code, {
    passed: stats?.expected,
    // One that passes at the second try is a failure that was lucky.
    failed: stats ? stats.unexpected + stats.flaky : undefined,
    skipped: stats?.skipped,
    failures: failedInPlaywright(report),
  });
}

async function built(options) {
  try {
    await ensureBuilt(options);
    return true;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return false;
  }
}

/** A tool that fails without a failed test (a crash, an error outside of all tests) counts as one. */
function settle(code, counts) {
  // A file can fail outside of its tests, which no count of tests shows.
  const failed = Math.max(counts.failed ?? 0, counts.failures.length);
  if (code === 0 || failed > 0) return { ...counts, failed };
  return { ...counts, failed: 1, failures: ['a tool ended badly without a failed test'] };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
