import type { Api } from './api';
import { madeInvoice } from './documents';
import { expect, test } from './fixtures';
import { order } from './workspace-control';

/**
 * Documents of a load. 200 by hand; in continuous integration, where each costs seconds of two cores, as many as make the
 * queue wait for the job and tokens end on the way.
 */
const LOAD = Number(process.env.TICKMARK_E2E_LOAD ?? (process.env.CI ? 12 : 200));
const PER_REQUEST = 20;

test.describe('@databricks', () => {
  test.describe.configure({ timeout: 60_000 + LOAD * 15_000 });
  test.afterEach(async () => {
    await order({
      clearFaults: true,
      proxy: { refuseMachines: false, dropUnknownHeaders: false },
      settings: { tokenSeconds: 3600, databaseTokenSeconds: 3600 },
    });
  });

  test('with callbacks refused by the proxy, all documents complete through reconciliation, each once', async ({
    apiAs,
    db,
  }) => {
    const before = await order({ proxy: { refuseMachines: true } });
    const api = await apiAs('operator');
    const extraction = await submitLoad(api, 'callbacks refused');
    await expectAllCompleted(api, extraction);
    const after = await order();
    expect(after.refusedMachines).toBeGreaterThanOrEqual(before.refusedMachines + LOAD);
    expect(after.mostBegun).toBe(1);
    expect(await completions(db, extraction)).toEqual({ tasks: LOAD, completions: LOAD, attempts: LOAD });
  });

  test('tokens that end after 30 s during a load: nobody sees a failure', async ({
    apiAs,
    page,
    signInAs,
  }) => {
    await order({ settings: { tokenSeconds: 30, databaseTokenSeconds: 30 }, revokeTokens: true });
    const api = await apiAs('operator');
    await signInAs('operator');
    await page.goto('/extractions');
    const extraction = await submitLoad(api, 'tokens that end');
    // Each look is a request that a person might make; one that is not 200 ends the test.
    await expectAllCompleted(api, extraction);
    await page.reload();
    await expect(page.getByRole('link', { name: /tokens that end/ }).first()).toBeVisible();
    expect((await order()).databaseTokens).toBeGreaterThan(1);
  });

  test('a database that cuts all sessions costs no document, and is back within seconds', async ({
    apiAs,
  }) => {
    const api = await apiAs('operator');
    const { tasks } = await api.submit({ agent: 'invoice' }, [
      { name: 'cut.pdf', bytes: await madeInvoice('cut') },
    ]);
    await order({ cutDatabase: true });
    // A request in that moment may be told to come again.
    await expect
      .poll(async () => (await api.request.get(`/api/v1/tasks/${tasks[0]?.id}`)).status())
      .toBe(200);
    await api.until(tasks[0]?.id ?? '', 'completed');
  });

  test('a callback whose headers the proxy drops arrives by its envelope', async ({ apiAs }) => {
    await order({ proxy: { dropUnknownHeaders: true } });
    const api = await apiAs('operator');
    const { tasks } = await api.submit({ agent: 'invoice' }, [
      { name: 'envelope.pdf', bytes: await madeInvoice('envelope') },
    ]);
    await api.until(tasks[0]?.id ?? '', 'completed');
  });
});

async function submitLoad(api: Api, name: string): Promise<string> {
  let extraction = '';
  for (let from = 0; from < LOAD; from += PER_REQUEST) {
    const files = await Promise.all(
      Array.from({ length: Math.min(PER_REQUEST, LOAD - from) }, async (_, n) => ({
        name: `${name} ${from + n}.pdf`,
        bytes: await madeInvoice(`${name} ${from + n}`),
      })),
    );
    if (extraction === '') {
      extraction = (await api.submit({ agent: 'invoice', name }, files)).extraction.id;
      continue;
    }
    const form = new FormData();
    for (const file of files) form.append('files', new File([new Uint8Array(file.bytes)], file.name));
    const answer = await api.request.post(`/api/v1/extractions/${extraction}/documents`, { multipart: form });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  return extraction;
}

async function expectAllCompleted(api: Api, extraction: string): Promise<void> {
  const patience = { timeout: 60_000 + LOAD * 15_000, intervals: [1000] };
  await expect
    .poll(async () => {
      const { completed, enqueued, processing } = (await api.extraction(extraction)).counts;
      return { completed, over: enqueued + processing === 0 };
    }, patience)
    .toEqual({ completed: LOAD, over: true });
}

async function completions(db: import('pg').Client, extraction: string) {
  const { rows } = await db.query(
    `select count(distinct t.id)::int as tasks,
            count(*) filter (where e.to_status = 'completed')::int as completions,
            (select count(*)::int from task_attempts a join tasks o on o.id = a.task_id
              where o.extraction_id = $1) as attempts
       from tasks t left join task_events e on e.task_id = t.id
      where t.extraction_id = $1`,
    [extraction],
  );
  return rows[0];
}
