import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.mjs';

const MESSAGE_LINES = 8;

/**
 * The failed tests of a report in the JSON of Vitest, each as text: the file, the title, how its message begins.
 * A file that failed outside of its tests is one entry.
 */
export function failedInVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const failed = (file.assertionResults ?? []).filter(({ status }) => status === 'failed');
    if (failed.length > 0) {
      return failed.map((test) => entry(file.name, test.fullName, test.failureMessages?.join('\n')));
    }
    return file.status === 'failed' ? [entry(file.name, '(outside of its tests)', file.message)] : [];
  });
}

/** The same for a report in the JSON of Playwright. */
export function failedInPlaywright(report) {
  const outside = (report?.errors ?? []).map((error) =>
    entry('e2e', '(outside of its tests)', error.message),
  );
  return [...outside, ...(report?.suites ?? []).flatMap(failedSpecs)];
}

function failedSpecs(suite) {
  const own = (suite.specs ?? [])
    .filter(({ ok }) => !ok)
    .map((spec) => {
      const results = spec.tests.flatMap((test) => test.results);
      const messages = results.flatMap(({ errors }) => errors ?? []).map(({ message }) => message);
      return entry(path.join('e2e', spec.file), spec.title, messages.join('\n'));
    });
  return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

function entry(file, title, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line && !line.includes('node_modules'))
    .slice(0, MESSAGE_LINES);
  const where = path.isAbsolute(file) ? path.relative(root, file) : file;
  return [`${where} › ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
