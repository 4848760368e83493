import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/** Name in dist/ → source. */
export const ENTRIES = {
  supervisor: 'bin/supervisor.ts',
  alone: 'bin/alone.ts',
  worker: 'worker/main.ts',
  host: 'agent/host.ts',
  agent: 'agent/main.ts',
  'agent-job': 'agent/job/main.ts',
  'agent-program': 'agent/external/main.ts',
  inspect: 'agent/inspect.ts',
  'rules-model': 'agent/rules-model/main.ts',
  extract: 'bin/extract.ts',
  callback: 'bin/callback.ts',
  doctor: 'bin/doctor.ts',
  eval: 'bin/eval.ts',
  drill: 'bin/drill.ts',
  'drill-worker': 'bin/drill/worker-process.ts',
  'drill-agent': 'bin/drill/stand-in-agent.ts',
  bench: 'bench/main.ts',
  'bench-worker': 'bench/worker-process.ts',
  'bench-bare-fan-out': 'bench/systems/bare-fan-out.ts',
  example: 'examples/other-workload/main.ts',
  generate: 'bin/generate.ts',
  'rebuild-figures': 'bin/rebuild-figures.ts',
  roles: 'bin/roles.ts',
  'db-adopt': 'bin/db-adopt.ts',
  'db-grant': 'bin/db-grant.ts',
  'db-mask': 'bin/db-mask.ts',
  'db-migrate': 'bin/db-migrate.ts',
  'db-url': 'bin/db-url.ts',
};

/** Settings for esbuild: our own code in one file each, packages from node_modules as they are. */
export function bundleOptions(outdir) {
  return {
    entryPoints: Object.fromEntries(
      Object.entries(ENTRIES).filter(([, source]) => existsSync(path.join(root, source))),
    ),
    absWorkingDir: root,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    outExtension: { '.js': '.mjs' },
    // Only what Next bundles may import it; in a plain process the marker would throw.
    alias: { 'server-only': path.join(root, 'test', 'server-only.ts') },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  };
}

/** Builds all bundles; each file changes in one step, since running processes start new ones from dist/. */
export async function buildBundles() {
  // Here and not at the top: this file is read before anything is installed.
  const { build, stop } = await import('esbuild');
  const dist = path.join(root, 'dist');
  const draft = path.join(dist, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    const { metafile } = await build({ ...bundleOptions(draft), metafile: true });
    refuseUnresolved(metafile);
    for (const name of readdirSync(draft)) renameSync(path.join(draft, name), path.join(dist, name));
  } finally {
    rmSync(draft, { recursive: true, force: true });
    // Its helper process would stay as long as we do.
    await stop();
  }
}

// A path of ours that leads nowhere looks like a package to esbuild, and would only be missed when it is needed.
function refuseUnresolved(metafile) {
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    const missing = imports.find((entry) => entry.external && entry.path.startsWith('@/'));
    if (missing) throw new Error(`${file} imports ${missing.path}, which is not there`);
  }
}
