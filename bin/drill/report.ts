import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import type { DrillResult } from './drill';

/** For a terminal: one block per drill. */
export function describeResult({ name, promise, measured, pass }: DrillResult): string {
  return `${pass ? 'pass' : 'FAIL'}  ${name}\n      ${promise}\n      ${measured}`;
}

const BEGIN = '<!-- drills: begin -->';
const END = '<!-- drills: end -->';
const HEAD = ['| drill | promise | measured | | on |', '| --- | --- | --- | --- | --- |'];

/**
 * Writes results into a document, between its two marks. Rows of drills that were not run now stay as they are.
 * @param names of all drills there are, in their order
 * @param on the date, and whether waits were shortened
 */
export async function writeReport(
  file: string,
  results: readonly DrillResult[],
  names: readonly string[],
  on: string,
): Promise<void> {
  const document = await readFile(file, 'utf8');
  await writeFile(file, withResults(document, results, names, `${on}, ${machine()}`));
}

/** The document with these results in its table. Throws where it has no marks. */
export function withResults(
  document: string,
  results: readonly DrillResult[],
  names: readonly string[],
  on: string,
): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`there is no place between ${BEGIN} and ${END}`);
  const kept = document.slice(begin, end).split('\n');
  const rows = names.flatMap((name) => {
    const result = results.find((one) => one.name === name);
    return result ? [rowOf(result, on)] : kept.filter((line) => line.startsWith(`| \`${name}\` |`));
  });
  const table = [...HEAD, ...rows].join('\n');
  return `${document.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${document.slice(end)}`;
}

function rowOf({ name, promise, measured, pass }: DrillResult, on: string): string {
  return `| \`${name}\` | ${cell(promise)} | ${cell(measured)} | ${pass ? 'pass' : '**fail**'} | ${cell(on)} |`;
}

function machine(): string {
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.availableParallelism()} cores (${os.cpus()[0]?.model.trim() ?? os.arch()}), ${memory} GB, ${os.type()}, Node ${process.versions.node}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
