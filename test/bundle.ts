import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles an entry point as the production build does, for tests that start it as a process; returns the script's
 * path, inside the repository so that packages resolve.
 * @param entry path from the repository's root, such as `agent/host.ts`
 */
export async function bundleForTest(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    alias: { '@': ROOT.replace(/\/$/, '') },
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 12);
  const folder = path.join(ROOT, 'node_modules/.cache/tickmark-test');
  const script = path.join(folder, `${path.basename(entry, '.ts')}-${hash}.mjs`);
  await mkdir(folder, { recursive: true });
  // Several test files bundle the same entry at once.
  const draft = `${script}.${process.pid}.${Math.random()}`;
  await writeFile(draft, code);
  await rename(draft, script);
  return script;
}
