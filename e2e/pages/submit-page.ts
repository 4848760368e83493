import type { Locator, Page } from '@playwright/test';
import type { MadeFile } from '../api';

/** Where documents are handed in. */
export class SubmitPage {
  readonly start: Locator;
  readonly files: Locator;

  constructor(readonly page: Page) {
    this.start = page.getByRole('button', { name: /^Start/ });
    this.files = page.getByRole('region', { name: 'Files' }).getByRole('listitem');
  }

  async open(): Promise<void> {
    await this.page.goto('/submit');
  }

  /** Drops files on the page, as from a file manager. */
  async drop(files: readonly MadeFile[]): Promise<void> {
    const plain = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
    const data = await this.page.evaluateHandle((all) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of all) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: 'application/pdf' }));
      }
      return transfer;
    }, plain);
    const target = this.page.getByRole('heading', { name: 'Submit documents' });
    for (const step of ['dragenter', 'dragover', 'drop']) {
      await target.dispatchEvent(step, { dataTransfer: data });
    }
  }

  /** The row of the nth file of a name. */
  file(name: string, index = 0): Locator {
    return this.files.filter({ has: this.page.getByTitle(name, { exact: true }) }).nth(index);
  }
}
