import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@/bin/root.mjs';

/** What the bench measures against, by package. */
interface Peers {
  'graphile-worker': typeof import('graphile-worker');
  'pg-boss': typeof import('pg-boss');
  bullmq: typeof import('bullmq');
  '@dbos-inc/dbos-sdk': typeof import('@dbos-inc/dbos-sdk');
  ioredis: typeof import('ioredis');
}

const folder = path.join(root, 'bench');

/** Loads one of the packages of `bench/package.json`. */
export async function loadPeer<Name extends keyof Peers>(name: Name): Promise<Peers[Name]> {
  const { loadPeer: load } = await import(pathToFileURL(path.join(folder, 'load-peer.mjs')).href);
  return load(name);
}

/** The versions that are installed, from bench's own list. */
export function peerVersions(): Record<string, string> {
  const require = createRequire(path.join(folder, 'package.json'));
  return (require('./package.json') as { dependencies: Record<string, string> }).dependencies;
}
