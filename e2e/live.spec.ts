import { readdir, readFile } from 'node:fs/promises';
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
  const before = countIn(await cancelled.textContent());
  for (const each of [page, whole.page, overview]) await expect(new Shell(each).live).toHaveText('live');
  await expect(task.title).toContainText('Enqueued');
  await expect(task.state).toContainText('paused');

  await db.query(`update tickmark.tasks set status = 'cancelled' where id = $1`, [id]);

  await expect(task.title).toContainText('Cancelled');
  await expect(whole.document('by-hand.pdf')).toContainText('Cancelled');
  await expect(whole.progress).toContainText('1 document, all final');
  await expect.poll(async () => countIn(await cancelled.textContent())).toBe(before + 1);
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

test('B34: a stream that is swallowed without a word shows within 15 s, figures stay right within 10 s, and it comes back by itself', async ({
  page,
  signInAs,
  apiAs,
  instance,
  console,
}) => {
  // A question that nothing answers is given up.
  console.expect(/net::ERR_/);
  const api = await apiAs('auditor');
  const proxy = await startCuttableProxy(instance.url);
  await signInAs('operator');
  const { live } = new Shell(page);
  await page.goto(`${proxy.url}/`);
  await expect(live).toHaveText('live');
  const enqueued = page.getByRole('link', { name: /^Enqueued/ });
  const before = countIn(await enqueued.textContent());

  proxy.swallow('events');
  await expect(live).toHaveText('polling', { timeout: 15_000 });
  await api.submit({ agent: 'general', name: 'Unheard' }, [
    { name: 'unheard.pdf', bytes: await madeInvoice('UH-1') },
  ]);
  // POLL_INTERVAL_SECONDS, and what the answer itself takes.
  await expect.poll(async () => countIn(await enqueued.textContent()), { timeout: 11_000 }).toBe(before + 1);

  proxy.swallow('everything');
  await expect(live).toHaveText(/^stale since \d\d:\d\d/, { timeout: 15_000 });

  proxy.swallow('nothing');
  await expect(live).toHaveText('live', { timeout: 30_000 });
  await expect.poll(async () => countIn(await enqueued.textContent())).toBe(before + 1);
  // What comes now, only the stream can have brought, however slow the machine.
  proxy.swallow('questions');
  await api.submit({ agent: 'general', name: 'Heard' }, [
    { name: 'heard.pdf', bytes: await madeInvoice('UH-2') },
  ]);
  await expect.poll(async () => countIn(await enqueued.textContent())).toBe(before + 2);
  await proxy.close();
});

test('B34: a stream that a proxy gathers and hands on in bundles is never called live for long', async ({
  page,
  signInAs,
  instance,
  console,
}) => {
  console.expect(/net::ERR_/);
  const proxy = await startCuttableProxy(instance.url);
  proxy.hold(7_000);
  await signInAs('operator');
  const { live } = new Shell(page);
  await page.goto(`${proxy.url}/`);
  // The second bundle gives it away; from then on no bundle makes it live.
  await expect(live).toHaveText('live');
  await expect(live).toHaveText('polling', { timeout: 30_000 });
  for (const end = Date.now() + 8_000; Date.now() < end; ) {
    await expect(live).toHaveText('polling');
    await page.waitForTimeout(250);
  }
  await proxy.close();
});

test('B33: all tabs of a browser share one stream, and when the one that listens closes, another takes over', async ({
  context,
  signInAs,
  apiAs,
  instance,
  console,
}) => {
  // A question that nothing answers is given up.
  console.expect(/net::ERR_/);
  const api = await apiAs('auditor');
  const proxy = await startCuttableProxy(instance.url);
  await signInAs('operator');
  const pages = [];
  for (let n = 0; n < 8; n += 1) {
    const page = await context.newPage();
    await page.goto(`${proxy.url}/`);
    await expect(new Shell(page).live).toHaveText('live');
    pages.push(page);
  }
  expect({ now: proxy.streams, most: proxy.mostStreams }).toEqual({ now: 1, most: 1 });

  await pages[0]?.close();
  await expect.poll(() => proxy.streams).toBe(1);
  const last = pages.at(-1);
  if (!last) throw new Error('no page');
  const enqueued = last.getByRole('link', { name: /^Enqueued/ });
  // Until the tab that took over is told what it may have missed, a change would be counted by that question.
  await expect(new Shell(last).live).toHaveText('live');
  const before = countIn(await enqueued.textContent());
  // What comes now, only the stream can have brought, however slow the machine.
  proxy.swallow('questions');
  await api.submit({ agent: 'general', name: 'Told by another' }, [
    { name: 'told.pdf', bytes: await madeInvoice('TB-1') },
  ]);
  await expect.poll(async () => countIn(await enqueued.textContent())).toBe(before + 1);
  expect(proxy.streams).toBe(1);
  for (const page of pages.slice(1)) await page.close();
  await expect.poll(() => proxy.streams).toBe(0);
  await proxy.close();
});

test('C10: a server that dies and is started again shows, and the page comes back without a reload', async ({
  page,
  signInAs,
  apiAs,
  instance,
  console,
}) => {
  console.expect(/net::ERR_/);
  const api = await apiAs('auditor');
  await signInAs('operator');
  const { live } = new Shell(page);
  await page.goto('/');
  await expect(live).toHaveText('live');
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const enqueued = page.getByRole('link', { name: /^Enqueued/ });
  const before = countIn(await enqueued.textContent());

  const killed = await appPid(instance.pid);
  process.kill(killed, 'SIGKILL');
  await expect
    .poll(() => appPid(instance.pid).catch(() => killed), { message: 'a new app process', timeout: 60_000 })
    .not.toBe(killed);
  await expect
    .poll(
      () =>
        api.request.get('/readyz').then(
          (answer) => answer.ok(),
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  await api.submit({ agent: 'general', name: 'After the restart' }, [
    { name: 'restarted.pdf', bytes: await madeInvoice('AR-1') },
  ]);
  await expect.poll(async () => countIn(await enqueued.textContent()), { timeout: 60_000 }).toBe(before + 1);
  await expect(live).toHaveText('live', { timeout: 60_000 });
  // Also what had been loading when it died.
  await expect(page.locator('.recharts-surface').first()).toBeVisible({ timeout: 60_000 });
  expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);
});

/** The process that serves pages: the supervisor's child that runs the app's own server. */
async function appPid(supervisor: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [stat, args] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent === supervisor && args?.startsWith('next-server')) return Number(name);
  }
  throw new Error('no app process');
}

function countIn(text: string | null): number {
  return Number((text ?? '').replace(/\D/g, ''));
}
