import { longScan, MADE, madeInvoice, NOT_A_PDF, sample } from './documents';
import { expect, test } from './fixtures';
import { ExtractionPage } from './pages/extraction-page';
import { SubmitPage } from './pages/submit-page';

test('an auditor drops all kinds of files, sees what becomes of each, and exports the results', async ({
  page,
  signInAs,
}) => {
  const emoji = '🧾 reçu №7.pdf';
  const rightToLeft = 'חשבונית-2026.pdf';
  const long = `${'quarterly statement of the northern branch '.repeat(8).slice(0, 296)}.pdf`;
  const invoice = await madeInvoice();
  await signInAs('auditor');
  const submit = new SubmitPage(page);
  await submit.open();
  await submit.drop([
    { name: 'invoice.pdf', bytes: invoice },
    { name: 'invoice.pdf', bytes: await sample('invoice-harbour-cloud.pdf') },
    { name: 'scan.pdf', bytes: await longScan(1) },
    { name: 'minutes.pdf', bytes: NOT_A_PDF },
    { name: 'minutes.docx', bytes: NOT_A_PDF },
    { name: 'empty.pdf', bytes: Buffer.alloc(0) },
    { name: emoji, bytes: await madeInvoice('LP-1') },
    { name: rightToLeft, bytes: await madeInvoice('LP-2') },
    { name: long, bytes: await madeInvoice('LP-3') },
  ]);

  await expect(submit.files).toHaveCount(9);
  await expect(submit.file('minutes.docx')).toContainText('Not a PDF');
  await expect(submit.file('minutes.docx')).toContainText(/print|save|export/i);
  await expect(submit.file('empty.pdf')).toContainText('Empty file');
  await expect(submit.file('invoice.pdf', 1)).toContainText('Ready');
  await page.getByLabel('Agent').selectOption('invoice');
  await page.getByLabel('Client').fill('Moorland Estates');
  await page.getByLabel('Name', { exact: true }).fill('Everything at once');
  await expect(submit.start).toHaveText('Start with 7 files');
  await submit.start.click();

  await expect(page.getByText('7 of 9 files were taken')).toBeVisible();
  await expect(submit.file('invoice.pdf', 1)).toContainText('Sent');
  await page.getByRole('link', { name: 'Open the extraction' }).click();

  const extraction = new ExtractionPage(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Everything at once');
  await expect(page.getByText('Moorland Estates · agent Invoice')).toBeVisible();
  const opened = await page.evaluate(() => performance.timeOrigin);
  await expect(extraction.progress).toContainText('7 documents, all final', { timeout: 90_000 });
  await expect(extraction.document('scan.pdf')).toContainText('Completed');
  await expect(extraction.document('invoice.pdf', 1)).toContainText('Completed');
  await expect(extraction.document(emoji)).toContainText('Completed');
  await expect(extraction.document(rightToLeft)).toContainText('Completed');
  await expect(extraction.documents.filter({ hasText: 'quarterly statement' })).toContainText('Completed');
  await expect(extraction.document('minutes.pdf')).toContainText('Not a PDF');
  await expect(extraction.failures).toContainText('Not a PDF');
  await expect(
    extraction.failures.getByRole('link', { name: /^Submit (a new copy|new copies)$/ }),
  ).toBeVisible();
  expect(await page.evaluate(() => performance.timeOrigin), 'the page was not loaded anew').toBe(opened);

  const csv = await extraction.export('CSV');
  expect(csv).toContain(MADE.grandTotal.value);
  expect(csv).toContain(emoji);
  expect(csv).toContain(rightToLeft);
});

test('two files of the same content are pointed out before they are paid for twice', async ({
  page,
  signInAs,
}) => {
  await signInAs('auditor');
  const submit = new SubmitPage(page);
  await submit.open();
  const bytes = await madeInvoice();
  await submit.drop([
    { name: 'first.pdf', bytes },
    { name: 'second.pdf', bytes },
  ]);
  await expect(submit.file('second.pdf')).toContainText('same content');
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect(submit.files).toHaveCount(1);
  await submit.page.getByRole('button', { name: 'Remove first.pdf' }).click();
  await expect(submit.start).toBeDisabled();
});

test('the sample documents are one click away', async ({ page, signInAs }) => {
  await signInAs('auditor');
  const submit = new SubmitPage(page);
  await submit.open();
  await page.getByRole('button', { name: 'Try with sample documents' }).click();
  await expect(submit.start).toHaveText('Start with 4 files');
  for (const row of await submit.files.all()) await expect(row).toContainText('Ready');
});
