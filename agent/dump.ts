import { readFile } from 'node:fs/promises';
import { renderPages } from './layout';
import { openPdf } from './reader/open-pdf';
import { pageText } from './reader/page-text';

const [path = ''] = process.argv.slice(2);
const { pdf, warnings } = await openPdf(await readFile(path), 2000);
const pages = [];
for (let number = 1; number <= pdf.numPages; number++) {
  const page = await pdf.getPage(number);
  pages.push(await pageText(page));
  page.cleanup();
}
process.stdout.write(`${renderPages(pages)}\n${JSON.stringify(warnings)}\n`);
