import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/** Hash of names and contents of these files and folders of the checkout, tests and build output left out. */
export function hashSources(names) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const name of names) add(hash, name);
  return hash.digest('hex');
}

function add(hash, name) {
  const info = lstatSync(path.join(root, name), { throwIfNoEntry: false });
  if (!info || name === 'public/pdfjs' || name === 'bench/node_modules' || /\.test\.tsx?$/.test(name)) return;
  if (info.isDirectory()) {
    for (const entry of readdirSync(path.join(root, name)).sort()) add(hash, `${name}/${entry}`);
    return;
  }
  if (info.isFile()) hash.update(`\0${name}\0`).update(readFileSync(path.join(root, name)));
}
