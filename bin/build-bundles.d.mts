import type { BuildOptions } from 'esbuild';

/** Settings for esbuild: our own code in one file each, packages from node_modules as they are. */
export function bundleOptions(outdir: string): BuildOptions;
