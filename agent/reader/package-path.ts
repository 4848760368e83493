import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Absolute folder of an installed package: its data files (fonts, wasm, OCR models) are read from there. */
export function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}

/** As pdf.js wants it: a path that ends with a slash. */
export function packageSubfolder(name: string, folder: string): string {
  return `${join(packageFolder(name), folder)}/`;
}
