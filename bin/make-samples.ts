import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeContract } from './samples/contract';
import { ENGLISH_INVOICE, GERMAN_INVOICE, makeInvoice, SCANNED_RECEIPT } from './samples/invoice';
import { scanOf } from './samples/scan';

/**
 * Writes the sample documents of the submit page into `public/samples`. They are committed; run this again after a
 * change here: `npx tsx bin/make-samples.ts`.
 */
const folder = path.join(import.meta.dirname, '..', 'public', 'samples');
await mkdir(folder, { recursive: true });
const samples: Record<string, Uint8Array> = {
  'rechnung-nordlicht.pdf': await makeInvoice(GERMAN_INVOICE),
  'invoice-harbour-cloud.pdf': await makeInvoice(ENGLISH_INVOICE),
  'services-agreement.pdf': await makeContract(),
  'scanned-invoice.pdf': await scanOf(await makeInvoice(SCANNED_RECEIPT)),
};
for (const [name, bytes] of Object.entries(samples)) await writeFile(path.join(folder, name), bytes);
