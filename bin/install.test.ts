import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findMissing } from './install.mjs';

let folder: string;

const WANTED = {
  '': { version: '0.1.0' },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/for-another-system': { version: '1.0.0', optional: true },
};

function write(name: string, content: object): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), JSON.stringify(content));
}

function install(packages: Record<string, { version: string }>): void {
  for (const name of Object.keys(packages)) write(`${name}/package.json`, {});
  write('node_modules/.package-lock.json', { packages });
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tickmark-install-'));
  write('package-lock.json', { packages: WANTED });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('nothing is missing when all packages are there in their versions, those for other systems aside', () => {
  install({ 'node_modules/pg': { version: '8.0.0' }, 'node_modules/vitest': { version: '5.0.0' } });
  expect(findMissing(folder, true)).toBeNull();
});

test('test tools are missed by tests only: a platform may leave them out', () => {
  install({ 'node_modules/pg': { version: '8.0.0' } });
  expect(findMissing(folder, false)).toBeNull();
  expect(findMissing(folder, true)).toMatch(/vitest 5.0.0/);
});

test('a fresh checkout and an installation that was cut short count as not installed', () => {
  expect(findMissing(folder, false)).toMatch(/did not finish/);
  write('node_modules/pg/package.json', {});
  expect(findMissing(folder, false)).toMatch(/did not finish/);
});

test('another version and a folder that is gone are noticed', () => {
  install({ 'node_modules/pg': { version: '7.0.0' } });
  expect(findMissing(folder, false)).toMatch(/pg 8.0.0/);
  install({ 'node_modules/pg': { version: '8.0.0' } });
  rmSync(path.join(folder, 'node_modules/pg'), { recursive: true });
  expect(findMissing(folder, false)).toMatch(/pg is not complete/);
});
