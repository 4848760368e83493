import AxeBuilder from '@axe-core/playwright';
import type pg from 'pg';
import { madeInvoice } from './documents';
import { expect, test } from './fixtures';
import { TaskPage } from './pages/task-page';

/** Writes down what the trace of a task's attempt says, as the worker does when it has read it. */
async function writeTrace(db: pg.Client, taskId: string, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns);
  await db.query(
    `insert into tickmark.attempt_traces (attempt_id, task_id, read_at, done_at, ${names.join(', ')})
     select id, task_id, now(), now(), ${names.map((_, n) => `$${n + 2}`).join(', ')}
     from tickmark.task_attempts where task_id = $1
     on conflict (attempt_id) do update set next_read_at = null, read_at = now(), done_at = now(),
       ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [taskId, ...Object.values(columns)],
  );
}

test('M14: an attempt says whether its figures are those of its trace, and shows both where the two differ', {
  tag: '@phone',
}, async ({ page, apiAs, signInAs, db }) => {
  const api = await apiAs('operator');
  const { tasks } = await api.submit({ agent: 'invoice' }, [
    { name: 'traced.pdf', bytes: await madeInvoice() },
  ]);
  const taskId = tasks[0]?.id ?? '';
  await api.until(taskId, 'completed');
  await writeTrace(db, taskId, {
    status: 'complete',
    model_calls: 1,
    input_tokens: 424_242,
    cached_input_tokens: 0,
    output_tokens: 31,
    llm_cost_usd: '0.0424366',
    callback_cost_usd: '0.0001',
    differs: true,
  });
  await signInAs('operator');
  const task = new TaskPage(page);
  await task.open(taskId);
  const attempt = task.attempts.first();
  await expect(attempt).toContainText('Tokens and cost are those of its trace.');
  const both = attempt.getByRole('table');
  await expect(attempt).toContainText('The agent’s report and its trace differ');
  await expect(both.getByRole('row', { name: /^Trace, counted/ })).toContainText('424');
  await expect(both.getByRole('row', { name: /^Report/ })).toContainText('$');
  await both.scrollIntoViewIfNeeded();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('main').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);

  await writeTrace(db, taskId, { status: 'missing', differs: false });
  await page.reload();
  await expect(attempt).toContainText('Its trace never arrived');
  await expect(attempt).not.toContainText('differ');
});
