import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The exit code of a child (null: it was killed), at once where it has ended already: its `exit` is not told twice. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
