import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { root } from '@/bin/root.mjs';
import { peerVersions } from './peers';
import { SETTINGS } from './postgres';

/** Where and with what was measured. */
export interface Environment {
  /** ISO 8601. */
  readonly at: string;
  /** Short hash; `+` when files differ from it. */
  readonly commit: string;
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Of PostgreSQL, where they are not its defaults. */
  readonly settings: Readonly<Record<string, string>>;
}

export function readEnvironment(servers: { postgres: string; redis: string | null }): Environment {
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const processor = os.cpus()[0]?.model.trim() ?? os.arch();
  return {
    at: new Date().toISOString(),
    commit: readCommit(),
    machine: `${os.availableParallelism()} cores (${processor}), ${memory} GB, ${os.type()}`,
    versions: {
      Node: process.versions.node,
      PostgreSQL: servers.postgres,
      ...(servers.redis ? { Redis: servers.redis } : {}),
      ...peerVersions(),
    },
    settings: SETTINGS,
  };
}

function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') ? '+' : ''}`;
  } catch {
    // A copy without its history.
    return 'unknown';
  }
}
