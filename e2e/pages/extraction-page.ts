import type { Locator, Page } from '@playwright/test';

/** One submission: progress, what failed, its documents. */
export class ExtractionPage {
  readonly progress: Locator;
  readonly failures: Locator;
  readonly documents: Locator;

  constructor(readonly page: Page) {
    this.progress = page.getByRole('region', { name: 'Progress' });
    this.failures = page.getByRole('region', { name: 'What failed' });
    this.documents = page.getByRole('region', { name: 'Documents' }).getByRole('row');
  }

  document(name: string, index = 0): Locator {
    return this.documents.filter({ has: this.page.getByTitle(name, { exact: true }) }).nth(index);
  }

  /** Downloads the results; resolves to the file's text. */
  async export(format: 'CSV' | 'JSON'): Promise<string> {
    await this.page.getByRole('button', { name: 'Export' }).click();
    const started = this.page.waitForEvent('download');
    await this.page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await started).createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}
