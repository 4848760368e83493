import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import type { DrillResult } from './drill';

/** For a terminal: one block per drill. */
export function describeResult({ name, promise, measured, pass }: DrillResult): string {
  return `${pass ? 'pass' : 'FAIL'}  ${name}\n      ${promise}\n      ${measured}`;
}

const BEGIN = '<!-- drills: begin -->';
const END = '<!-- drills: end -->';

/** Writes the results into a document, between its two marks. */
export async function writeReport(
  file: string,
  results: readonly DrillResult[],
  quick: boolean,
): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${file} has no place between ${BEGIN} and ${END}`);
  const table = reportTable(results, quick);
  await writeFile(file, `${text.slice(0, before + BEGIN.length)}\n\n${table}\n\n${text.slice(after)}`);
}

function reportTable(results: readonly DrillResult[], quick: boolean): string {
  const cpus = os.cpus();
  const machine = `${os.availableParallelism()} cores (${cpus[0]?.model.trim() ?? os.arch()}), ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node ${process.versions.node}`;
  const passed = results.filter(({ pass }) => pass).length;
  const rows = results.map(
    ({ name, promise, measured, pass }) =>
      `| \`${name}\` | ${cell(promise)} | ${cell(measured)} | ${pass ? 'pass' : '**fail**'} |`,
  );
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine}: ${passed} of ${results.length} passed${quick ? ', waits shortened (`--quick`)' : ''}.`,
    '',
    '| drill | promise | measured | |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
