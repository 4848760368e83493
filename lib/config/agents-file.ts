import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ConfigError } from './schema';

/** An agent of another author that runs on this machine: a program, and how it appears to people. */
export interface ProgramAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Program and arguments; the path of `input.json` is added as the last one. No shell sees it. */
  readonly command: readonly string[];
  /** Absolute; the program is started in it. */
  readonly folder: string;
}

const AgentsFile = z.strictObject({
  agents: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/, { error: 'needs small letters, digits and -' }),
        name: z.string().trim().min(1).max(100),
        description: z.string().max(500).default(''),
        command: z.array(z.string().min(1)).min(1),
      }),
    )
    .max(100),
});

/** Whoever may write this file says which programs are run. A group may be the owner's own, as on many systems. */
const WRITABLE_BY_ALL = 0o002;

/**
 * Reads TICKMARK_AGENTS_FILE. A command comes from this file of the machine's owner and from nowhere else: nothing that
 * arrives over the network can add or change one. Throws {@link ConfigError} for a file that everybody may write or that
 * can't be used.
 */
export function readAgentsFile(file: string): ProgramAgent[] {
  const wrong = (why: string) => new ConfigError(`TICKMARK_AGENTS_FILE: ${file} ${why}`);
  let content: string;
  try {
    const { mode, uid } = statSync(file);
    if (mode & WRITABLE_BY_ALL)
      throw wrong('can be written by everybody: chmod o-w it, since it names programs to run');
    // Root may run as another user's Tickmark; any other owner could change what we run.
    const self = process.getuid?.();
    if (self !== undefined && self !== 0 && uid !== self && uid !== 0) throw wrong('belongs to another user');
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw wrong(`could not be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const { agents } = parse(content, wrong);
  const ids = agents.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw wrong(`names the agent ${twice} twice`);
  const folder = path.dirname(path.resolve(file));
  return agents.map((agent) => ({ ...agent, folder }));
}

function parse(content: string, wrong: (why: string) => ConfigError): z.infer<typeof AgentsFile> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw wrong('is not JSON');
  }
  const parsed = AgentsFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrong(`is not as it should be: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}
