import { MADE, madeInvoice, oneWord } from './documents';
import { expect, test } from './fixtures';
import { writeLedger } from './ledger';
import { type Rect, rectOf, TaskPage } from './pages/task-page';
import { actorOf } from './people';

let taskId: string;

test.beforeAll(async ({ apiAs }) => {
  const api = await apiAs('auditor');
  const { tasks } = await api.submit({ agent: 'invoice', client: 'Moorland Estates' }, [
    { name: 'lantern.pdf', bytes: await madeInvoice() },
  ]);
  taskId = tasks[0]?.id ?? '';
  await api.until(taskId, 'completed');
});

function isAround(outer: Rect, inner: Rect): boolean {
  const middle = { x: inner.x + inner.width / 2, y: inner.y + inner.height / 2 };
  return (
    middle.x > outer.x &&
    middle.x < outer.x + outer.width &&
    middle.y > outer.y &&
    middle.y < outer.y + outer.height
  );
}

test('a click on a field shows its place, marked, on the right page', { tag: '@phone' }, async ({
  page,
  signInAs,
  isMobile,
}) => {
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(taskId);
  await expect(task.title).toContainText('Completed');
  if (!isMobile) await expect(task.printed(MADE.number)).toBeVisible();

  await task.field('grand_total').click();
  const printed = task.printed(MADE.grandTotal.printed);
  await expect(task.chosen).toBeInViewport({ ratio: 1 });
  await expect(printed).toBeInViewport();
  await expect(page.getByRole('spinbutton', { name: /page/i }).or(page.getByLabel(/^page$/i))).toHaveValue(
    '2',
  );
  // While the page scrolls both move, so both are asked until they agree.
  await expect.poll(async () => isAround(await rectOf(task.chosen), await rectOf(printed))).toBe(true);
  const [mark, text] = [await rectOf(task.chosen), await rectOf(printed)];
  expect(mark.height).toBeLessThan(text.height * 2.5);
  expect(mark.width).toBeLessThan(text.width * 2);

  if (isMobile) await page.getByRole('button', { name: 'Fields' }).click();
  await task.field('invoice_number').click();
  await expect(task.chosen).toBeInViewport({ ratio: 1 });
  await expect
    .poll(async () => isAround(await rectOf(task.chosen), await rectOf(task.printed(MADE.number))))
    .toBe(true);
});

test('the name of a field leads to its place like its value', async ({ page, signInAs }) => {
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(taskId);
  await page.locator('label', { hasText: /^Total$/ }).click();
  await expect(task.field('grand_total')).toHaveAttribute('aria-pressed', 'true');
  await expect(task.field('grand_total')).toHaveAccessibleName(/^Total 3,126\.00/);
  await expect(task.chosen).toBeInViewport({ ratio: 1 });
});

test('a click on a marked place leads to its field', async ({ page, signInAs }) => {
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(taskId);
  await page.locator('[data-mark="seller"]').click();
  await expect(task.field('seller')).toHaveAttribute('aria-pressed', 'true');
  await expect(task.field('seller')).toBeInViewport();
});

test('fields, line items and checks are as they stand on the invoice', async ({ page, signInAs }) => {
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(taskId);
  await expect(task.field('grand_total')).toContainText('3,126.00');
  await expect(task.field('grand_total')).toContainText('GBP');
  await expect(task.field('issue_date')).toContainText('2026-04-14');
  await expect(task.field('seller')).toContainText(MADE.seller);
  const table = page.getByRole('region', { name: 'Line items, scrollable' }).getByRole('row');
  await expect(table).toHaveCount(MADE.lines.length + 1);
  for (const [index, { description, amount }] of MADE.lines.entries()) {
    await expect(table.nth(index + 1)).toContainText(description);
    await expect(table.nth(index + 1)).toContainText(amount);
  }
  const checks = page.getByRole('region', { name: 'Checks' }).getByRole('listitem');
  await expect(checks.filter({ hasText: 'Holds' }).first()).toBeVisible();
  await expect(checks.filter({ hasText: 'Fails' })).toHaveCount(0);
});

test('the story of a task names its attempt, the model as rules, its use and what happened', async ({
  page,
  signInAs,
}) => {
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(taskId);
  await expect(task.attempts).toHaveCount(1);
  await expect(task.attempts.first()).toContainText('Succeeded');
  await expect(task.attempts.first()).toContainText('tickmark-rules-1 · rules, not an LLM');
  await expect(task.attempts.first()).toContainText(/Run\s*(local-|\d{19})/);
  for (const phase of ['Waited', 'Dispatch', 'Run', 'Callback']) {
    await expect(
      task.attempts.first().getByRole('term').getByText(phase, { exact: true }).first(),
    ).toBeVisible();
  }
  await expect(task.usage).toContainText('Response time');
  await expect(task.usage).toContainText(/\$0\.\d+/);
  await expect(task.events.first()).toContainText('Enqueued');
  await expect(task.events.first()).toContainText(`by ${actorOf('auditor')}`);
  await expect(task.events.last()).toContainText('Completed');
  await expect(task.events.last()).toContainText('by the agent');
});

test('a text is found on whatever page it stands, and a page can be turned with all that is marked on it', async ({
  page,
  signInAs,
}) => {
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(taskId);
  await page.getByRole('button', { name: 'Find in the document' }).click();
  const box = page.getByRole('searchbox', { name: 'Find in the document' });
  await expect(box).toBeFocused();
  await box.fill('TOTAL  dué');
  await expect(page.getByText('1 of 1')).toBeVisible();
  const found = page.locator('[data-found="current"]');
  await expect(found).toBeInViewport();
  await expect
    .poll(async () => isAround(await rectOf(task.printed('Total due (GBP)')), await rectOf(found)))
    .toBe(true);
  await box.fill('nowhere on it');
  await expect(page.getByText('not found')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();

  await task.field('invoice_number').click();
  await expect(task.chosen).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Turn clockwise' }).click();
  const paper = page.getByRole('region', { name: 'Page 1' });
  await expect.poll(async () => (await rectOf(paper)).width > (await rectOf(paper)).height).toBe(true);
  await task.field('invoice_number').click();
  await expect
    .poll(async () => isAround(await rectOf(task.chosen), await rectOf(task.printed(MADE.number))))
    .toBe(true);
});

test('a document in which nothing was found is not shown as a success, on no page', async ({
  page,
  signInAs,
  apiAs,
}) => {
  const api = await apiAs('auditor');
  const { extraction, tasks } = await api.submit({ agent: 'invoice' }, [
    { name: 'a-word.pdf', bytes: await oneWord('Interlude') },
  ]);
  const id = tasks[0]?.id ?? '';
  await api.until(id, 'completed');
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(id);
  await expect(task.title).toContainText('No confidence');
  await expect(page.getByRole('heading', { name: 'No confidence: nothing was found' })).toBeVisible();
  await page.goto(`/extractions/${extraction.id}`);
  // Nobody named it, so it is called by what is in it.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('a-word.pdf');
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('Nothing was found · 1');
  await expect(page.getByRole('region', { name: 'Documents' })).toContainText('No confidence');
});

test('a document whose file is gone says so and offers no download', async ({
  page,
  signInAs,
  db,
  console,
}) => {
  console.expect(/status of 404/);
  const { client } = await writeLedger(db, { count: 1, agent: 'contract', status: 'completed' });
  const { rows } = await db.query<{ id: string }>(
    `select t.id from tickmark.tasks t join tickmark.extractions x on x.id = t.extraction_id where x.client = $1`,
    [client],
  );
  await signInAs('auditor');
  await new TaskPage(page).open(rows[0]?.id ?? '');
  await expect(page.getByText('The file is no longer in the document store.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0);
});
