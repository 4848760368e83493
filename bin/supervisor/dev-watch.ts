import path from 'node:path';
import { bundleOptions } from '../build-bundles.mjs';
import { root } from '../root.mjs';

/** Builds the bundles again whenever a source changes, and calls `onChange` after each but the first time. */
export async function watchSources(
  say: (line: string) => void,
  onChange: () => Promise<void>,
): Promise<() => Promise<void>> {
  const { context } = await import('esbuild');
  let first = true;
  const reload = {
    name: 'reload',
    setup(build: import('esbuild').PluginBuild) {
      build.onEnd(async (result) => {
        if (first || result.errors.length > 0) {
          first = false;
          return;
        }
        say('the worker starts again with the changed code');
        await onChange();
      });
    },
  };
  const watching = await context({ ...bundleOptions(path.join(root, 'dist')), plugins: [reload] });
  await watching.watch();
  return () => watching.dispose();
}
