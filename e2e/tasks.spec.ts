import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { type Ledger, writeLedger } from './ledger';
import { Shell } from './pages/shell';
import { TasksPage } from './pages/tasks-page';

/** Goes on scrolling until something is there. */
async function scrollTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, 2_000));
    await expect(target).toBeVisible({ timeout: 250 });
  }).toPass({ timeout: 30_000 });
}

let completed: Ledger;
test.beforeAll(async ({ db }) => {
  completed = await writeLedger(db, { count: 260, agent: 'contract', status: 'completed' });
});

test('a long list loads as one scrolls, remains a table, and only what is in view is in the page', async ({
  page,
  signInAs,
}) => {
  await signInAs('auditor');
  const list = new TasksPage(page);
  await list.open({ client: completed.client });
  await expect(list.row('ledger-260.pdf')).toBeVisible();
  await expect(list.table).toHaveAttribute('aria-rowcount', '-1');
  await expect(list.row('ledger-260.pdf')).toHaveAttribute('aria-rowindex', '2');
  await scrollTo(page, list.row('ledger-001.pdf'));
  await expect(list.row('ledger-001.pdf')).toHaveAttribute('aria-rowindex', '261');
  await expect(list.table).toHaveAttribute('aria-rowcount', '261');
  expect(await list.rows.count()).toBeLessThan(90);
  await expect(list.head('Document'), 'the heads stay in view').toBeInViewport();
  await expect(page.getByRole('checkbox'), 'an auditor has nothing to select for').toHaveCount(0);
});

test('a task that is opened from far below is left to the same place', async ({ page, signInAs }) => {
  await signInAs('operator');
  const list = new TasksPage(page);
  await list.open({ client: completed.client });
  await scrollTo(page, list.row('ledger-040.pdf'));
  await list.row('ledger-040.pdf').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ledger-040.pdf');
  await page.goBack();
  await expect(list.row('ledger-040.pdf')).toBeInViewport();
});

test('a list that is read holds still, shows each row as it is, and says when there is a newer one', async ({
  page,
  signInAs,
  db,
}) => {
  const ledger = await writeLedger(db, {
    count: 120,
    agent: 'contract',
    status: 'completed',
    from: '2025-04-01T08:00:00Z',
  });
  await signInAs('operator');
  const list = new TasksPage(page);
  await list.open({ client: ledger.client });
  await list.check('ledger-119.pdf').check();
  await expect(list.selection).toContainText('1 selected');
  await db.query(
    `insert into tickmark.tasks (extraction_id, agent_id, status, finished_at)
     select id, 'contract', 'completed', now() from tickmark.extractions where client = $1`,
    [ledger.client],
  );
  await expect(list.newest).toHaveText('1 new task');
  await expect(list.row('ledger-120.pdf')).toHaveAttribute('aria-rowindex', '2');
  await db.query(
    `update tickmark.tasks t set priority = 3 from tickmark.documents d, tickmark.extractions x
     where d.id = t.document_id and x.id = t.extraction_id and d.filename = 'ledger-118.pdf' and x.client = $1`,
    [ledger.client],
  );
  await db.query(`select pg_notify('task_changes', '')`);
  await expect(list.row('ledger-118.pdf').getByRole('cell', { name: '3', exact: true })).toBeVisible();
  await list.newest.click();
  await expect(list.row('ledger-120.pdf')).toHaveAttribute('aria-rowindex', '3');
  await expect(list.newest).toBeHidden();
});

test('the order is chosen by a column’s head, stands in the address, and survives a reload', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const list = new TasksPage(page);
  await list.open({ client: completed.client });
  await list.head('Confidence').getByRole('button').click();
  await expect(list.head('Confidence')).toHaveAttribute('aria-sort', 'ascending');
  await expect(list.row('ledger-001.pdf')).toHaveAttribute('aria-rowindex', '2');
  await list.head('Response').getByRole('button').click();
  await expect(page).toHaveURL(/sort=-latency/);
  await expect(list.row('ledger-260.pdf')).toHaveAttribute('aria-rowindex', '2');
  await list.head('Priority').getByRole('button').click();
  await list.head('Priority').getByRole('button').click();
  await page.reload();
  await expect(list.head('Priority')).toHaveAttribute('aria-sort', 'ascending');
  await expect(list.rows.nth(1).getByRole('cell', { name: '10', exact: true })).toBeVisible();
});

test('columns and density are chosen once and remembered', async ({ page, signInAs }) => {
  await signInAs('operator');
  const list = new TasksPage(page);
  await list.open({ client: completed.client });
  await expect(list.head('Tokens')).toHaveCount(0);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  for (const item of ['Tokens', 'Client', 'Compact rows']) {
    await page.getByRole('menuitemcheckbox', { name: item }).click();
  }
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(list.head('Tokens')).toBeVisible();
  await expect(list.head('Client')).toHaveCount(0);
  await expect(list.row('ledger-260.pdf').getByText('1.00\u202fk')).toBeVisible();
  await expect.poll(async () => (await list.row('ledger-260.pdf').boundingBox())?.height).toBeLessThan(30);
});

test('the list is worked without a mouse: j, k, x, Shift X, slash, Enter, and ? says so', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const list = new TasksPage(page);
  await list.open({ client: completed.client });
  await expect(new Shell(page).live).toHaveText('live');
  await page.keyboard.press('j');
  await expect(list.row('ledger-260.pdf').getByRole('link')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(list.selection).toContainText('3 selected');
  for (const file of ['259', '258', '257']) await expect(list.check(`ledger-${file}.pdf`)).toBeChecked();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(help).toContainText('Select up to here');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(list.selection, 'Escape closed the dialog alone').toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.selection).toBeHidden();
  await page.keyboard.press('/');
  await expect(list.search).toBeFocused();
  await page.keyboard.type('ledger-10j');
  await expect(page.getByText('No task matches these filters')).toBeVisible();
  await list.search.fill('ledger-101');
  await expect(list.rows).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ledger-101.pdf');
});

test.describe('many at once', () => {
  let failed: Ledger;
  test.beforeEach(async ({ db, apiAs, signInAs }) => {
    // Paused, so that what is retried waits and can be looked at.
    await (await apiAs('operator')).patchAgent('contract', { paused: true });
    failed = await writeLedger(db, {
      count: 130,
      agent: 'contract',
      status: 'failed',
      from: '2025-05-01T08:00:00Z',
    });
    await signInAs('operator');
  });
  test.afterEach(async ({ db, apiAs }) => {
    const api = await apiAs('operator');
    await api.request.post('/api/v1/tasks/bulk', {
      data: { action: 'cancel', filter: { client: [failed.client] } },
    });
    await expect
      .poll(async () => {
        const { rows } = await db.query<{ n: string }>(
          `select count(*) as n from tickmark.tasks t join tickmark.extractions x on x.id = t.extraction_id
           where x.client = $1 and t.status in ('enqueued', 'processing')`,
          [failed.client],
        );
        return rows[0]?.n;
      })
      .toBe('0');
    await api.patchAgent('contract', { paused: false });
  });

  test('B48, N10: a selection is retried after its number, its names and its price were shown', async ({
    page,
  }) => {
    const list = new TasksPage(page);
    await list.open({ client: failed.client });
    await list.check('ledger-130.pdf').check();
    await list.check('ledger-127.pdf').click({ modifiers: ['Shift'] });
    await expect(list.selection).toContainText('4 selected');
    await list.selection.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 4 tasks?' });
    await expect(dialog.getByRole('listitem')).toHaveCount(4);
    await expect(dialog).toContainText('ledger-128.pdf');
    await expect(dialog).toContainText(/Expected to cost\s*\$0\.\d/);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(new Shell(page).toast('4 tasks will run again')).toBeVisible();
    await expect(list.row('ledger-128.pdf')).toContainText('Enqueued');
    await expect(list.selection).toBeHidden();
  });

  test('B48: what a filter means is changed only after the number was typed, and can be taken back', async ({
    page,
  }) => {
    const list = new TasksPage(page);
    await list.open({ client: failed.client });
    await list.choose('Act on all', /^Retry/);
    const retry = page.getByRole('dialog', { name: 'Retry 130 tasks?' });
    const start = retry.getByRole('button', { name: 'Retry' });
    await expect(start).toBeDisabled();
    await retry.getByLabel('Type 130 to confirm').fill('13');
    await expect(start).toBeDisabled();
    await retry.getByLabel('Type 130 to confirm').fill('130');
    await start.click();
    const { toast } = new Shell(page);
    const said = toast.bind(new Shell(page));
    await expect(said('130 tasks will run again')).toBeVisible();
    await expect(list.row('ledger-130.pdf')).toContainText('Enqueued');

    await list.choose('Act on all', /^Change the priority/);
    const change = page.getByRole('dialog', { name: 'Change the priority of 130 tasks?' });
    await change.getByLabel('New priority').fill('5');
    await change.getByLabel('Type 130 to confirm').fill('130');
    await change.getByRole('button', { name: 'Change' }).click();
    await expect(said('130 tasks have the new priority')).toBeVisible();
    await expect(list.row('ledger-130.pdf').getByRole('cell', { name: '5', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(said('130 tasks are as before')).toBeVisible();
    await expect(list.row('ledger-130.pdf').getByRole('cell', { name: '80', exact: true })).toBeVisible();
  });

  test('waiting tasks that were cancelled by mistake wait again', async ({ page }) => {
    const list = new TasksPage(page);
    const shell = new Shell(page);
    await list.open({ client: failed.client, q: 'ledger-01' });
    await list.choose('Act on all', /^Retry/);
    await page
      .getByRole('dialog', { name: 'Retry 10 tasks?' })
      .getByRole('button', { name: 'Retry' })
      .click();
    await expect(list.row('ledger-012.pdf')).toContainText('Enqueued');
    await page.getByRole('checkbox', { name: 'Select all that are listed' }).check();
    await page.keyboard.press('c');
    await page
      .getByRole('dialog', { name: 'Cancel 10 tasks?' })
      .getByRole('button', { name: 'Cancel tasks' })
      .click();
    await expect(shell.toast('10 tasks cancelled or stopping')).toBeVisible();
    await expect(list.row('ledger-012.pdf')).toContainText('Cancelled');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(shell.toast('10 tasks are as before')).toBeVisible();
    await expect(list.row('ledger-012.pdf')).toContainText('Enqueued');
  });

  test('the palette offers what can be done here, with the selection first', async ({ page }) => {
    const list = new TasksPage(page);
    await list.open({ client: failed.client });
    await list.check('ledger-130.pdf').check();
    await page.keyboard.press('ControlOrMeta+k');
    const { palette } = new Shell(page);
    await expect(palette).toBeVisible();
    await page.keyboard.type('retry');
    await expect(palette.getByRole('option', { name: /Retry the selected tasks/ })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Retry 1 task?' })).toBeVisible();
  });
});

test('on a phone tasks are cards that can be sorted and selected', { tag: '@phone-only' }, async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  const list = new TasksPage(page);
  await list.open({ client: completed.client });
  await expect(list.row('ledger-260.pdf')).toContainText('Confidence');
  await page.getByLabel('Order').selectOption('Oldest first');
  await expect(list.row('ledger-001.pdf')).toBeInViewport();
  await list.check('ledger-001.pdf').check();
  await expect(list.selection).toContainText('1 selected');
  await scrollTo(page, list.row('ledger-150.pdf'));
  expect(await list.rows.count()).toBeLessThan(60);
});
