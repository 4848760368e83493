import type { BuildOptions } from 'esbuild';

/** Name in dist/ → source. */
export const ENTRIES: Readonly<Record<string, string>>;

/** Settings for esbuild: our own code in one file each, packages from node_modules as they are. */
export function bundleOptions(outdir: string): BuildOptions;
