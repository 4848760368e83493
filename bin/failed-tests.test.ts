import path from 'node:path';
import { expect, test } from 'vitest';
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs';
import { root } from './root.mjs';

test('a failed test is named by file and title, with the start of its message and without the runner’s stack', () => {
  const message =
    '\u001b[31mexpected 1 to be 2\u001b[39m\n    at lib/a.test.ts:2:4\n    at node_modules/vitest/x.js:1';
  const report = {
    testResults: [
      {
        name: path.join(root, 'lib/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'holds' },
          { status: 'failed', fullName: 'breaks', failureMessages: [message] },
        ],
      },
      {
        name: path.join(root, 'lib/b.test.ts'),
        status: 'failed',
        message: 'no such module',
        assertionResults: [],
      },
    ],
  };
  expect(failedInVitest(report)).toEqual([
    'lib/a.test.ts › breaks\n    expected 1 to be 2\n        at lib/a.test.ts:2:4',
    'lib/b.test.ts › (outside of its tests)\n    no such module',
  ]);
});

test('a failed test of the browser is found at any depth', () => {
  const spec = (ok: boolean, title: string) => ({
    ok,
    title,
    file: 'a.spec.ts',
    tests: [{ results: [{ errors: ok ? [] : [{ message: 'not visible' }] }] }],
  });
  const report = { suites: [{ specs: [spec(true, 'holds')], suites: [{ specs: [spec(false, 'breaks')] }] }] };
  expect(failedInPlaywright(report)).toEqual(['e2e/a.spec.ts › breaks\n    not visible']);
});

test('a report that was never written has no failed tests to name', () => {
  expect(failedInVitest(null)).toEqual([]);
  expect(failedInPlaywright(null)).toEqual([]);
});
