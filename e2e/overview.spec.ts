import type pg from 'pg';
import { Metrics } from '@/lib/contract/api-metrics';
import { expect, test } from './fixtures';
import { OverviewPage } from './pages/overview-page';
import { Shell } from './pages/shell';

/** Another one for each process that runs these tests, which is a new one after each failure. */
const CLIENT = `Overview & Sons, Ltd ${process.pid}`;

/** Tasks that have already been: so many of each status and agent, with a cost, so many days old. */
async function writeHistory(db: pg.Client): Promise<void> {
  await db.query(`insert into tickmark.clients (name) values ($1) on conflict do nothing`, [CLIENT]);
  await db.query(
    `with x as (
       insert into tickmark.extractions (client, name, agent_id, submitted_by) values ($1, 'Overview', 'contract', 'spec')
       returning id
     ), t as (
       insert into tickmark.tasks (extraction_id, agent_id, status, priority, confidence, error_code, created_at, finished_at, estimated_tokens)
       select x.id, 'contract', s.status::tickmark.task_status, 50,
         case when s.status = 'completed' then 0.8 + 0.001 * n end,
         case when s.status = 'failed' then 'corrupt_pdf' end,
         now() - interval '1 day' * s.days - interval '1 minute' * n,
         now() - interval '1 day' * s.days - interval '1 minute' * n + interval '1 second' * (5 + n), 1000
       from x, (values ('completed', 0.01), ('failed', 1), ('failed', 12), ('completed', 40)) s (status, days), generate_series(1, 7) n
       returning id, status, created_at, finished_at
     )
     insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, claimed_at, dispatched_at, finished_at, input_tokens, output_tokens, llm_cost_usd)
     select id, 'contract', 1, case status when 'completed' then 'succeeded' else 'failed' end::tickmark.attempt_status,
       'overview-spec', created_at, created_at, finished_at, 1000, 100,
       0.0001 * (1 + row_number() over (order by created_at)) from t`,
    [CLIENT],
  );
}

test.beforeAll(async ({ db }) => writeHistory(db));

const figuresOf = async (page: OverviewPage['page'], search: string) => {
  const answer = await page.request.get(`/api/v1/metrics?${search}`);
  expect(answer.ok()).toBe(true);
  return Metrics.parse(await answer.json());
};

test('M26: what failed tasks cost in the last 7 days is one click, and the number is that of the rows', async ({
  page,
  signInAs,
  db,
}) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open();
  await overview.questions.getByRole('link', { name: 'What did failed tasks cost' }).click();
  await expect(page).toHaveURL(/range=7d/);
  await expect(page).toHaveURL(/status=failed/);
  await expect(overview.answer).toContainText('created in the last 7 days failed, and cost');

  const { rows } = await db.query(
    `select trim_scale(sum(a.llm_cost_usd))::text as cost, count(distinct t.id)::text as tasks
     from tickmark.tasks t left join tickmark.task_attempts a on a.task_id = t.id
     where t.status = 'failed' and t.created_at >= now() - interval '7 days'`,
  );
  await expect(overview.answer).toContainText(new RegExp(`^${rows[0].tasks} tasks? created`));
  await expect(overview.answer.locator('data').first()).toHaveAttribute('value', rows[0].cost);
  await expect(overview.money('LLM cost')).toHaveAttribute('value', rows[0].cost);
});

test('M26: the median spend per task of an agent this month is one click, near at once and exact when asked', async ({
  page,
  signInAs,
  db,
}) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open();
  await overview.questions.getByRole('combobox').selectOption('contract');
  await overview.questions.getByRole('link', { name: 'Median spend per task this month' }).click();
  await expect(page).toHaveURL(/range=month/);
  await expect(overview.answer).toContainText('The median spend per task of Contract this month is');

  const { rows } = await db.query(
    `select trim_scale(((percentile_disc(0.5) within group (order by cost) + percentile_disc(0.5) within group (order by cost desc)) / 2))::text as median, count(*)::int as priced
     from (select sum(a.llm_cost_usd) as cost from tickmark.tasks t join tickmark.task_attempts a on a.task_id = t.id
       where t.agent_id = 'contract' and t.created_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc'
       group by t.id having count(a.llm_cost_usd) > 0) s`,
  );
  // The tasks that the number is over, not those that were chosen.
  await expect(overview.answer).toContainText(
    new RegExp(`over ${rows[0].priced} tasks?( with a cost; \\d+ without one (is|are) left out)?\\.$`),
  );
  const exact = Number(rows[0].median);
  const near = Number(await overview.money('Median spend per task').getAttribute('value'));
  expect(Math.abs(near - exact) / exact).toBeLessThanOrEqual(0.02);
  const compute = page.getByRole('button', { name: 'Compute exactly' });
  if (await compute.isVisible()) await compute.click();
  await expect(overview.money('Median spend per task')).toHaveAttribute('value', rows[0].median);
});

test('M21: filters chosen on the page hold for every figure, survive a reload, and can be gone back through', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open();
  const all = await overview.count('completed');
  await overview.choose('Client', CLIENT);
  await expect.poll(() => overview.count('completed')).toBe(14);
  await overview.chooseRange('Last 30 days');
  await expect.poll(() => overview.count('completed')).toBe(7);
  await overview.choose('Status', 'Failed', 'Completed');
  await overview.choose('Agent', 'Contract');
  const search = new URL(page.url()).searchParams;
  expect(Object.fromEntries(search)).toMatchObject({
    range: '30d',
    status: 'completed,failed',
    agent: 'contract',
  });

  await page.reload();
  expect([await overview.count('completed'), await overview.count('failed')]).toEqual([7, 14]);
  await expect(overview.chip('Client')).toContainText(CLIENT);
  const from = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 30 * 86_400_000).toISOString();
  const query = new URLSearchParams({ from, status: 'completed,failed', agent: 'contract', client: CLIENT });
  const figures = await figuresOf(page, query.toString());
  await expect(overview.money('LLM cost')).toHaveAttribute('value', figures.llmCostUsd ?? '');
  await expect(overview.figures.locator('data').first()).toHaveAttribute(
    'value',
    String(figures.inputTokens),
  );

  // The number of a status leads to its tasks, under the same filters.
  const failed = page
    .getByRole('region', { name: 'Tasks per status' })
    .getByRole('link', { name: /^Failed/ });
  await failed.click();
  await expect(page).toHaveURL(/\/tasks\?/);
  await expect(overview.chip('Created')).toContainText('Last 30 days');
  await expect(overview.chip('Status')).toContainText('Failed');
  await expect(page.getByRole('table', { name: 'Tasks' }).getByRole('row')).toHaveCount(15);
  await page.goBack();

  for (let n = 0; n < 6 && new URL(page.url()).search !== ''; n += 1) await page.goBack();
  await expect.poll(() => overview.count('completed')).toBeGreaterThanOrEqual(all);
});

test('B35: a range of one’s own is in the viewer’s time zone, and means the same to who gets the link', async ({
  browser,
  instance,
  sessionOf,
}) => {
  const open = async (timezoneId: string) => {
    const context = await browser.newContext({ baseURL: instance.url, timezoneId });
    await context.addCookies(await sessionOf('operator'));
    return new OverviewPage(await context.newPage());
  };
  const [berlin, kolkata] = [await open('Europe/Berlin'), await open('Asia/Kolkata')];
  await berlin.open();
  await berlin.chip('Created').click();
  await berlin.page.getByLabel('From').fill('2026-11-01T00:00');
  await berlin.page.getByLabel('Until').fill('2026-11-08T12:30');
  await berlin.page.getByRole('button', { name: 'Apply' }).click();
  await expect(berlin.page).toHaveURL(/from=2026-10-31T23:00:00.000Z&to=2026-11-08T11:30:00.000Z/);
  await expect(berlin.chip('Created')).toContainText('1 Nov, 00:00 – 8 Nov, 12:30');
  await kolkata.page.goto(berlin.page.url());
  await expect(kolkata.chip('Created')).toContainText('1 Nov, 04:30 – 8 Nov, 17:00');
  await berlin.page.context().close();
  await kolkata.page.context().close();
});

test('filters are saved under a name, found in the palette, and removed', async ({ page, signInAs }) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open('?range=7d&status=failed');
  await page.getByRole('button', { name: 'Saved views' }).click();
  const box = page.getByRole('dialog', { name: 'Saved views' });
  await box.getByLabel('Save these filters as').fill('What failed lately');
  await box.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(box.getByRole('link', { name: 'What failed lately' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.goto('/agents');
  await page.keyboard.press('Control+k');
  const { palette } = new Shell(page);
  await palette.getByRole('combobox').fill('failed lately');
  await palette.getByRole('option', { name: 'Overview: What failed lately' }).click();
  await expect(page).toHaveURL(/\?range=7d&status=failed$/);

  await page.getByRole('button', { name: 'Saved views' }).click();
  await box.getByRole('button', { name: 'Remove “What failed lately”' }).click();
  await expect(box.getByRole('link', { name: 'What failed lately' })).toBeHidden();
});

test('each chart has a table of its numbers and a legend that hides and shows', { tag: '@phone' }, async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open(`?client=${encodeURIComponent(CLIENT.replace(',', '%2C'))}`);
  for (const title of [
    'Throughput and outcomes',
    'Tokens and cost by agent',
    'Response time',
    'Confidence',
  ]) {
    const chart = overview.chart(title);
    await chart.scrollIntoViewIfNeeded();
    await expect(chart.locator('.recharts-bar').first()).toBeVisible();
    const before = await chart.boundingBox();
    await chart.getByRole('button', { name: `Show “${title}” as table` }).click();
    await expect(chart.getByRole('row').nth(1)).toBeVisible();
    // Nothing below may move.
    expect((await chart.boundingBox())?.height).toBe(before?.height);
    await chart.getByRole('button', { name: `Show “${title}” as table` }).click();
  }
  const outcomes = overview.chart('Throughput and outcomes');
  const failed = outcomes.getByRole('button', { name: 'Failed' });
  await expect(failed).toHaveAttribute('aria-pressed', 'true');
  await failed.click();
  await expect(failed).toHaveAttribute('aria-pressed', 'false');
  await expect(outcomes.locator('.recharts-bar')).toHaveCount(4);
  await failed.click();
  await expect(outcomes.locator('.recharts-bar')).toHaveCount(5);
});

test('what each agent has in flight is shown of all agents at once, and of a table the edge says that it goes on', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open();
  const chart = overview.chart('In flight and token rate, now');
  const { agents } = await (await page.request.get('/api/v1/agents')).json();
  await expect(chart.getByRole('figure').getByRole('listitem')).toHaveCount(agents.length);
  const hidden = () =>
    chart.evaluate((all) =>
      [...all.querySelectorAll('figure, ul')].some((one) => one.scrollHeight > one.clientHeight),
    );
  expect(await hidden()).toBe(false);
  await chart.getByRole('button', { name: /as table$/ }).click();
  await expect(chart.getByRole('region', { name: /scrollable$/ })).toHaveClass(/scroll-cue/);
});

test('M20: what a confidence means and what to check is one key away', async ({ page, signInAs }) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open();
  const help = overview.chart('Confidence').getByRole('button', { name: 'What confidence means' });
  await help.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('dialog', { name: 'What confidence means' });
  await expect(box).toContainText('Below 60');
  await expect(box).toContainText('Compare every value with the page.');
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();
  await expect(help).toBeFocused();
});

test('no filter matches anything: the page says so and offers the way out', async ({ page, signInAs }) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  await overview.open('?from=2001-01-01T00:00:00Z&to=2001-02-01T00:00:00Z');
  await expect(page.getByRole('heading', { name: 'No task matches' })).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => overview.count('completed')).toBeGreaterThan(0);
});

test('M24: the bill is asked for by a click, which says what it waits for and then what came of it', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const overview = new OverviewPage(page);
  // A range that no other test has asked about.
  const to = new Date(Date.now() - (process.pid % 1_000) * 1_000).toISOString();
  await overview.open(`?from=2020-01-01T00:00:00.000Z&to=${to}`);
  const { figures } = overview;
  await expect(figures).toContainText('estimate');
  await figures.getByRole('button', { name: 'Ask for the bill' }).click();
  await expect(figures.getByRole('button', { name: 'Ask again' })).toBeVisible();
  await expect(figures).toContainText(/as of\s*\d\d:\d\d/);
  await page.reload();
  await expect(figures.getByRole('button', { name: 'Ask again' })).toBeVisible();
});

test('charts whose code does not come are asked for again, by themselves and by hand, and nothing else suffers', async ({
  page,
  signInAs,
  console,
}) => {
  console.expect(/net::ERR_FAILED/);
  await signInAs('operator');
  const html = await (await page.request.get('/')).text();
  let away = true;
  await page.route('**/_next/static/chunks/*.js', (route) =>
    away && !html.includes(new URL(route.request().url()).pathname) ? route.abort() : route.continue(),
  );
  await page.goto('/');
  const notice = page.getByRole('alert').filter({ hasText: 'The charts could not be loaded' });
  await expect(notice).toBeVisible();
  expect(await new OverviewPage(page).count('completed')).toBeGreaterThan(0);
  away = false;
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.recharts-surface').first()).toBeVisible();
  await expect(notice).toBeHidden();
  // The connection comes late in the same way, and by itself.
  await expect(new Shell(page).live).toHaveText('live');
});

test('the first paint of the overview has its figures without any script', async ({ page, signInAs }) => {
  await signInAs('operator');
  const html = await (await page.request.get('/')).text();
  expect(html).toMatch(/Completed<\/span>.{0,200}\d/s);
});
