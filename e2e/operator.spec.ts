import { madeInvoice, NOT_A_PDF } from './documents';
import { expect, test } from './fixtures';
import { Shell } from './pages/shell';
import { TaskPage } from './pages/task-page';
import { actorOf } from './people';

test.afterEach(async ({ apiAs }) => (await apiAs('operator')).patchAgent('general', { paused: false }));

test('an operator pauses an agent, reorders and cancels what waits, resumes, and retries', async ({
  page,
  signInAs,
  apiAs,
}) => {
  await signInAs('operator');
  const shell = new Shell(page);
  await page.goto('/agents');
  const agent = page.getByRole('listitem').filter({ has: page.getByText(/^general v\d/) });
  await agent.getByRole('button', { name: 'Pause' }).click();
  await expect(shell.toast('General is paused')).toBeVisible();
  await expect(agent).toContainText('Paused');

  const api = await apiAs('operator');
  const { tasks } = await api.submit({ agent: 'general' }, [
    { name: 'waits.pdf', bytes: await madeInvoice('W-1') },
  ]);
  const id = tasks[0]?.id ?? '';
  const task = new TaskPage(page);
  await task.open(id);
  await expect(task.state).toContainText('paused');

  await task.priority.click();
  const dialog = page.getByRole('dialog', { name: 'Change the priority' });
  await dialog.getByLabel('Priority').fill('101');
  await expect(dialog.getByRole('button', { name: 'Change' })).toBeDisabled();
  await dialog.getByLabel('Priority').fill('77');
  await dialog.getByLabel('Priority').press('Enter');
  await expect(task.priority).toHaveText('Priority 77');
  await expect(task.events.last()).toContainText(`by ${actorOf('operator')}`);

  await task.cancel.click();
  await page.getByRole('button', { name: 'Cancel the task' }).click();
  await expect(task.title).toContainText('Cancelled');
  await expect(task.cancel).toHaveCount(0);
  await expect(task.attempts, 'it cost nothing').toHaveCount(0);

  await page.goto('/agents');
  await agent.getByRole('button', { name: 'Resume' }).click();
  await expect(agent.getByRole('button', { name: 'Pause' })).toBeVisible();
  await task.open(id);
  await task.retry.click();
  await expect(task.title).toContainText('Completed', { timeout: 60_000 });
  await expect(task.attempts).toHaveCount(1);
});

test('N2: an agent that a provider has slowed down shows what is set, what holds, why, and when it goes up', async ({
  page,
  signInAs,
  apiAs,
  db,
}) => {
  await (await apiAs('operator')).patchAgent('contract', { maxConcurrentTasks: 9 });
  // As after a 429, but for an hour, so that the worker does not raise it while this looks.
  await db.query(
    `update tickmark.agents set lowered_concurrent_tasks = 3, lowered_from_tasks = 6, lowered_at = now(),
       adapted_at = now() + interval '1 hour', lowered_reason = 'rate_limited: slower, please.' where id = 'contract'`,
  );
  await signInAs('operator');
  await page.goto('/agents');
  const agent = page.getByRole('listitem').filter({ has: page.getByText(/^contract v\d/) });
  await expect(agent).toContainText('of 3');
  await expect(agent).toContainText('lowered, 9 set');
  await expect(agent).toContainText(
    /Lowered at .*: rate_limited: slower, please\. Next up to 4 at once at \d\d:\d\d/,
  );
  await db.query(
    `update tickmark.agents set lowered_concurrent_tasks = null, lowered_at = null, adapted_at = null, lowered_reason = null where id = 'contract'`,
  );
  await (await apiAs('operator')).patchAgent('contract', { maxConcurrentTasks: null });
});

test('a failed task says what to do, and can be tried again by an operator', async ({
  page,
  signInAs,
  apiAs,
}) => {
  const api = await apiAs('auditor');
  const { tasks } = await api.submit({ agent: 'general' }, [{ name: 'minutes.pdf', bytes: NOT_A_PDF }]);
  const id = tasks[0]?.id ?? '';
  await api.until(id, 'failed');
  await signInAs('operator');
  const task = new TaskPage(page);
  await task.open(id);
  await expect(task.state).toContainText('Not a PDF');
  await expect(task.state).toContainText('Save or print it as a PDF');
  const before = await task.events.count();
  await task.retry.click();
  const warning = page.getByRole('dialog', { name: 'A retry changes nothing here' });
  await expect(warning).toContainText('Not a PDF');
  await warning.getByRole('button', { name: 'Retry all the same' }).click();
  await expect(new Shell(page).toast('The task will run again')).toBeVisible();
  await expect(task.events.nth(before)).toContainText(`Enqueued: retried by ${actorOf('operator')}`);
  await expect(task.title, 'the document is the cause').toContainText('Failed');
});

test('an auditor can do none of it, neither by button nor by request', async ({ page, signInAs, apiAs }) => {
  const operator = await apiAs('operator');
  await operator.patchAgent('general', { paused: true });
  const api = await apiAs('auditor');
  const { tasks } = await api.submit({ agent: 'general' }, [
    { name: 'not-mine.pdf', bytes: await madeInvoice('N-1') },
  ]);
  const id = tasks[0]?.id ?? '';
  await signInAs('auditor');
  const task = new TaskPage(page);
  await task.open(id);
  await expect(task.state).toContainText('paused');
  for (const button of [task.cancel, task.retry, task.priority]) await expect(button).toHaveCount(0);
  const { request } = api;
  for (const refused of [
    await request.post(`/api/v1/tasks/${id}/cancel`),
    await request.post(`/api/v1/tasks/${id}/retry`),
    await request.patch(`/api/v1/tasks/${id}`, { data: { priority: 99 } }),
    await request.patch('/api/v1/agents/general', { data: { paused: false } }),
  ]) {
    expect(refused.status()).toBe(403);
    expect((await refused.json()).detail).toContain('This needs the role operator or admin');
  }
  expect((await api.task(id)).status).toBe('enqueued');
});

test('an operator cancels all that is open in an extraction at once', async ({ page, signInAs, apiAs }) => {
  const operator = await apiAs('operator');
  await operator.patchAgent('general', { paused: true });
  const { extraction, tasks } = await operator.submit({ agent: 'general' }, [
    { name: 'one.pdf', bytes: await madeInvoice('B-1') },
    { name: 'two.pdf', bytes: await madeInvoice('B-2') },
  ]);
  await signInAs('operator');
  await page.goto(`/extractions/${extraction.id}`);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel tasks' }).click();
  await expect(new Shell(page).toast('2 tasks cancelled or stopping')).toBeVisible();
  for (const { id } of tasks) await operator.until(id, 'cancelled');
});
