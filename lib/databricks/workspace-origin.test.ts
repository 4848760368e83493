import { expect, test } from 'vitest';
import { workspaceOrigin } from './workspace-origin';

test.each([
  ['adb-1.2.azuredatabricks.net', 'https://adb-1.2.azuredatabricks.net'],
  ['https://adb-1.2.azuredatabricks.net/', 'https://adb-1.2.azuredatabricks.net'],
  [' https://dbc-1.cloud.databricks.com/?o=123 ', 'https://dbc-1.cloud.databricks.com'],
  ['localhost:8080', 'https://localhost:8080'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('DATABRICKS_HOST %j is %s', (given, origin) => {
  expect(workspaceOrigin(given)).toBe(origin);
});

test.each([
  'http://adb-1.2.azuredatabricks.net',
  'http://127.0.0.1.evil.example',
  'ftp://localhost',
  '',
  'https://',
])('DATABRICKS_HOST %j is refused: a token goes over https only, or stays on this machine', (given) => {
  expect(() => workspaceOrigin(given)).toThrow(TypeError);
});
