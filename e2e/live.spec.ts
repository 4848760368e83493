import { startCuttableProxy } from './cuttable-proxy';
import { madeInvoice } from './documents';
import { expect, test } from './fixtures';
import { ExtractionPage } from './pages/extraction-page';
import { Shell } from './pages/shell';
import { TaskPage } from './pages/task-page';

/** Longer than the silence after which a page must no longer call itself live, and than any pause between tries. */
const AFTER_SILENCE_MS = 30_000;

test.beforeEach(async ({ apiAs }) => (await apiAs('operator')).patchAgent('general', { paused: true }));
test.afterEach(async ({ apiAs }) => (await apiAs('operator')).patchAgent('general', { paused: false }));

test('a status that is changed by hand in SQL shows on every open page without a reload', async ({
  page,
  context,
  signInAs,
  apiAs,
  db,
}) => {
  const api = await apiAs('auditor');
  const { extraction, tasks } = await api.submit({ agent: 'general', name: 'Changed by hand' }, [
    { name: 'by-hand.pdf', bytes: await madeInvoice('BH-1') },
  ]);
  const id = tasks[0]?.id ?? '';
  await signInAs('operator');
  const [task, whole, overview] = [
    new TaskPage(page),
    new ExtractionPage(await context.newPage()),
    await context.newPage(),
  ];
  await task.open(id);
  await whole.page.goto(`/extractions/${extraction.id}`);
  await overview.goto('/');
  const cancelled = overview.getByRole('link', { name: /^Cancelled/ });
  const before = Number(((await cancelled.textContent()) ?? '').replace(/\D/g, ''));
  for (const each of [page, whole.page, overview]) await expect(new Shell(each).live).toHaveText('live');
  await expect(task.title).toContainText('Enqueued');
  await expect(task.state).toContainText('paused');

  await db.query(`update tickmark.tasks set status = 'cancelled' where id = $1`, [id]);

  await expect(task.title).toContainText('Cancelled');
  await expect(whole.document('by-hand.pdf')).toContainText('Cancelled');
  await expect(whole.progress).toContainText('1 document, all final');
  await expect(cancelled).toContainText(String(before + 1));
});

test('the live indicator tells the truth when the stream is cut, when all is cut, and when both come back', async ({
  page,
  signInAs,
  instance,
  console,
}) => {
  // What is cut, the browser reports.
  console.expect(/net::ERR_/);
  const proxy = await startCuttableProxy(instance.url);
  await page.clock.install();
  await signInAs('auditor');
  const { live } = new Shell(page);
  await page.goto(`${proxy.url}/extractions`);
  await expect(live).toHaveText('live');

  proxy.cut('events');
  await page.clock.fastForward(AFTER_SILENCE_MS);
  await expect(live).toHaveText('polling');
  await live.click();
  await expect(page.getByText('The event stream is silent')).toBeVisible();
  await page.keyboard.press('Escape');

  proxy.cut('everything');
  await page.clock.fastForward(AFTER_SILENCE_MS);
  await expect(live).toHaveText(/^stale since \d\d:\d\d/);

  proxy.cut('nothing');
  await page.clock.fastForward(AFTER_SILENCE_MS);
  await expect(live).toHaveText('live');
  await proxy.close();
});
