import { expect, test } from './fixtures';
import { Shell } from './pages/shell';

test.afterEach(({ db }) => db.query(`delete from tickmark.workers where id = 'e2e-old'`));

test('B9: what needs a person stands on every page of an operator, in words that say what to do', async ({
  page,
  signInAs,
  db,
}) => {
  await signInAs('operator');
  await page.goto('/health');
  // By its role: while a page streams in, what is not in place yet is there a second time, hidden.
  const concerns = page.getByRole('region', { name: 'What needs a person' });
  await expect(concerns.getByText('Nothing needs a person.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Loops' }).first()).toContainText('sweeper');
  await expect(page.getByRole('table', { name: 'Tables' })).toContainText('task_attempts');

  await db.query(
    `insert into tickmark.workers (id, host, pid, version, schema_version, started_at)
     values ('e2e-old', 'elsewhere', 1, '0.0.1', 1, now() - interval '1 hour')`,
  );
  await page.goto('/extractions');
  const banner = page.getByRole('link', { name: /Worker e2e-old was built for another schema/ });
  await expect(banner).toContainText('Restart it in the version of the app');
  const html = await (await page.request.get('/extractions')).text();
  expect(html, 'with the first paint, so that nothing is pushed down').toContain('Worker e2e-old was built');
  await banner.click();
  await expect(page).toHaveURL('/health');
  await expect(concerns).toContainText('e2e-old');
  await expect(banner, 'not twice on the same page').toBeHidden();
});

test('an auditor has no page of health and no banner', async ({ page, signInAs, apiAs, db }) => {
  await db.query(
    `insert into tickmark.workers (id, host, pid, version, schema_version, started_at)
     values ('e2e-old', 'elsewhere', 1, '0.0.1', 1, now() - interval '1 hour')`,
  );
  await signInAs('auditor');
  await page.goto('/health');
  await expect(page).not.toHaveURL('/health');
  const shell = new Shell(page);
  await expect(shell.live).toHaveText('live');
  expect(await shell.destinations()).not.toContain('Health');
  await expect(page.getByText('e2e-old')).toHaveCount(0);
  expect((await (await apiAs('auditor')).request.get('/api/v1/health')).status()).toBe(403);
});
