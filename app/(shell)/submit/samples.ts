/** Our own documents to try things with, drawn by `bin/make-samples.ts`. */
export const SAMPLES = [
  { file: 'rechnung-nordlicht.pdf', what: 'Invoice in German' },
  { file: 'invoice-harbour-cloud.pdf', what: 'Invoice in English' },
  { file: 'services-agreement.pdf', what: 'Contract, two pages' },
  { file: 'scanned-invoice.pdf', what: 'Scan without text' },
] as const;

/** Fetches the samples as if they had been chosen from a disk. */
export async function loadSamples(): Promise<File[]> {
  return Promise.all(
    SAMPLES.map(async ({ file }) => {
      const answer = await fetch(`/samples/${file}`);
      if (!answer.ok) throw new Error(`The sample ${file} could not be loaded.`);
      return new File([await answer.blob()], file, { type: 'application/pdf' });
    }),
  );
}
