// `npm run pack:agent`: the agent of a Lakeflow job with all that it needs, in parts that a workspace takes.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleOptions, ENTRIES } from './build-bundles.mjs';
import { root } from './root.mjs';

/** A file of a workspace has at most 10 MB (10,485,760 bytes); what is larger, such as libvips, is whole once unpacked. */
const PART_BYTES = 9_000_000;
/** Serverless compute: Linux on x64 with glibc. What is native is packed for that. */
const TARGET = { os: 'linux', cpu: 'x64', libc: 'glibc' };
/** Read by path at run time, so no import tells of it. */
const DATA = /^node_modules\/@tesseract\.js-data\/[^/]+$/;

/**
 * Of large packages only what the agent opens; of the others all but what nobody runs. Paths inside the package.
 */
const KEPT = {
  'pdfjs-dist':
    /^(package\.json$|LICENSE|cmaps|standard_fonts|wasm|iccs|legacy$|legacy\/build($|\/pdf(\.worker)?\.mjs$))/,
  'tesseract.js-core': /^(?!.*\.wasm\.js$)/,
  '@hyzyla/pdfium':
    /^(package\.json$|LICENSE|dist($|\/index\.esm\.js$|\/pdfium\.wasm$|\/vendor|\/worker\.bundle\.js$))/,
  'gpt-tokenizer': /^(package\.json$|LICENSE|esm)/,
  openai: /^(?!src(\/|$))/,
};
/** Of the languages' data the quick models alone, which the agent reads with. */
const KEPT_DATA = /^(package\.json$|4\.0\.0_best_int)/;
const DROPPED = /\.(map|d\.ts|d\.mts|d\.cts|md|markdown)$/;

/**
 * Packs the agent.
 * @param {string} target folder for the parts; older ones in it are removed
 * @returns {Promise<string[]>} the parts' paths
 */
export async function packAgent(target = path.join(root, 'dist')) {
  const work = path.join(target, `.pack-${process.pid}`);
  const folder = path.join(work, 'agent');
  mkdirSync(folder, { recursive: true });
  try {
    const imported = await bundleAgent(folder);
    for (const place of neededPackages(imported)) copyPackage(place, folder);
    const archive = path.join(work, 'agent.tar.gz');
    runTar(['-czf', archive, '-C', folder, ...readdirSync(folder).sort()]);
    return split(archive, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Bundles both scripts of a run and tells which packages they import. */
async function bundleAgent(folder) {
  const { build, stop } = await import('esbuild');
  const names = ['agent-job', 'agent'];
  const options = { ...bundleOptions(folder), sourcemap: false, metafile: true };
  const entryPoints = Object.fromEntries(names.map((name) => [name, ENTRIES[name]]));
  const { metafile } = await build({ ...options, entryPoints });
  await stop();
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return new Set(
    imports
      .filter(({ external, path: name }) => external && !name.startsWith('node:'))
      .map((entry) => packageOf(entry.path)),
  );
}

function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Places in node_modules of these packages and all that they need, as the lock file has them for the target. */
function neededPackages(names) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const needed = new Set(Object.keys(packages).filter((place) => DATA.test(place)));
  const add = (name, from) => {
    const place = resolvePlace(packages, name, from);
    if (place === null || needed.has(place) || !runsOnTarget(packages[place])) return;
    needed.add(place);
    const { dependencies, optionalDependencies } = packages[place];
    for (const inner of Object.keys({ ...dependencies, ...optionalDependencies })) add(inner, place);
  };
  for (const name of names) add(name, '');
  return needed;
}

/** As Node looks for a package: in the importer's own node_modules, then in those above it. */
function resolvePlace(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return null;
    if (!folder.includes('/node_modules/')) folder = '';
  }
}

function runsOnTarget({ os, cpu, libc }) {
  const fits = (list, value) => !list || list.includes(value);
  return fits(os, TARGET.os) && fits(cpu, TARGET.cpu) && fits(libc, TARGET.libc);
}

function copyPackage(place, folder) {
  const from = path.join(root, place);
  if (!existsSync(from)) {
    throw new Error(
      `${place} is not installed: pack on Linux (x64), or install it for that with: npm install --no-save --os=linux --cpu=x64 --libc=glibc`,
    );
  }
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const kept = DATA.test(place) ? KEPT_DATA : KEPT[name];
  cpSync(from, path.join(folder, place), {
    recursive: true,
    filter: (source) => {
      const inside = path.relative(from, source).replaceAll('\\', '/');
      if (inside === '') return true;
      if (inside === 'node_modules' || inside.startsWith('node_modules/') || DROPPED.test(inside))
        return false;
      return !kept || kept.test(inside);
    },
  });
}

function runTar(args) {
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar failed: ${stderr}`);
}

function split(archive, target) {
  for (const name of readdirSync(target)) {
    if (name.startsWith('agent-job.tar.gz.')) rmSync(path.join(target, name));
  }
  const bytes = readFileSync(archive);
  const parts = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    const part = path.join(target, `agent-job.tar.gz.${String(parts.length).padStart(2, '0')}`);
    writeFileSync(part, bytes.subarray(start, start + PART_BYTES));
    parts.push(part);
  }
  return parts;
}
