import { madeInvoice } from './documents';
import { expect, test } from './fixtures';
import { ExtractionPage } from './pages/extraction-page';
import { SubmitPage } from './pages/submit-page';

// Programs of other authors run on the embedded platform alone (docs/agents.md).
test('an agent in Python, plugged in by its owner, is chosen like any other and completes a document', {
  tag: '@embedded',
}, async ({ page, signInAs }) => {
  await signInAs('auditor');
  const submit = new SubmitPage(page);
  await submit.open();
  await submit.drop([{ name: 'for-python.pdf', bytes: await madeInvoice('PY-1') }]);
  await expect(submit.file('for-python.pdf')).toContainText('Ready');
  await page.getByLabel('Agent').selectOption('pdf-facts');
  await page.getByLabel('Name', { exact: true }).fill('For the Python agent');
  await submit.start.click();

  const extraction = new ExtractionPage(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('For the Python agent');
  await expect(extraction.document('for-python.pdf')).toContainText('Completed', { timeout: 60_000 });
  const csv = await extraction.export('CSV');
  expect(csv).toContain('pdf_version');
});
