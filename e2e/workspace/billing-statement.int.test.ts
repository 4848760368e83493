import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BILLING_STATEMENT } from '@/lib/platform/billing-source/billing-statement';
import { createTestDatabase } from '@/test/database';

/**
 * The statement's joins, filters and sums carried out by a real database: PostgreSQL, with the few words that it spells
 * otherwise. What only the warehouse knows, its own functions and types, is not shown by this.
 */
const IN_POSTGRES = BILLING_STATEMENT.replaceAll('system.billing.', 'billing.')
  .replace("explode(from_json(:run_ids, 'array<string>'))", 'jsonb_array_elements_text($1::jsonb)')
  .replace(':from_date', '$2::date')
  .replace(':workspace_id', '$3')
  .replace('u.usage_metadata.job_run_id AS', '(u.usage_metadata).job_run_id AS')
  .replace('u.usage_metadata.job_run_id IN', '(u.usage_metadata).job_run_id IN')
  .replaceAll('price.pricing.effective_list.default', '((price.pricing).effective_list)."default"')
  .replaceAll('AS STRING', 'AS text')
  .replace('date_format(', 'to_char(')
  .replace(`"yyyy-MM-dd'T'HH:mm:ss'Z'"`, `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await client.query(`
    create schema billing;
    create type billing.metadata as (job_id text, job_run_id text);
    create type billing.list_price as ("default" numeric(38, 18));
    create type billing.pricing as ("default" numeric(38, 18), effective_list billing.list_price);
    create table billing.usage (workspace_id text, sku_name text, cloud text, usage_unit text, usage_end_time timestamp,
      usage_date date, usage_quantity numeric(38, 18), usage_metadata billing.metadata, record_type text);
    create table billing.list_prices (sku_name text, cloud text, usage_unit text, currency_code text,
      price_start_time timestamp, price_end_time timestamp, pricing billing.pricing);
    insert into billing.list_prices values
      ('jobs', 'AWS', 'DBU', 'USD', '2026-01-01', '2026-11-01', row(9, row(0.35))),
      ('jobs', 'AWS', 'DBU', 'USD', '2026-11-01', null, row(9, row(0.45))),
      ('jobs', 'AWS', 'DBU', 'EUR', '2026-01-01', null, row(9, row(0.41))),
      ('jobs', 'AZURE', 'DBU', 'USD', '2026-01-01', null, row(9, row(0.99)))`);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const use = (runId: string, endsAt: string, quantity: string, changed: Record<string, string> = {}) =>
  client.query(
    'insert into billing.usage values ($1, $2, $3, $4, $5, $5::timestamp::date, $6, row($7, $8), $9)',
    [
      changed.workspace ?? 'ours',
      changed.sku ?? 'jobs',
      'AWS',
      'DBU',
      endsAt,
      quantity,
      'a-job',
      runId,
      changed.record ?? 'ORIGINAL',
    ],
  );
const ask = async (runIds: readonly string[], from = '2026-10-01') => {
  const { rows } = await client.query(IN_POSTGRES, [JSON.stringify(runIds), from, 'ours']);
  return rows
    .map(({ run_id, unit_price, quantity }) => [run_id, unit_price && Number(unit_price), Number(quantity)])
    .sort();
};

test('M18: corrections are summed with what they correct, whichever came of them', async () => {
  await use('retracted', '2026-11-05 10:00', '0.5');
  await use('retracted', '2026-11-05 10:00', '-0.5', { record: 'RETRACTION' });
  await use('restated', '2026-11-05 10:00', '0.5');
  await use('restated', '2026-11-05 10:00', '-0.5', { record: 'RETRACTION' });
  await use('restated', '2026-11-05 10:00', '0.25', { record: 'RESTATEMENT' });
  expect(await ask(['retracted', 'restated'])).toEqual([
    ['restated', 0.45, 0.25],
    ['retracted', 0.45, 0],
  ]);
});

test('M18: a price that changes in the middle of a run holds for its own hours, in one currency and one cloud', async () => {
  await use('long', '2026-10-31 23:00', '1');
  await use('long', '2026-10-31 23:59:59', '1');
  await use('long', '2026-11-01 00:00', '1');
  await use('long', '2026-11-01 01:00', '1');
  expect(await ask(['long'])).toEqual([
    ['long', 0.35, 2],
    ['long', 0.45, 2],
  ]);
});

test('M18: use without a price is in the answer, without one', async () => {
  await use('mixed', '2026-11-05 10:00', '1');
  await use('mixed', '2026-11-05 10:00', '3', { sku: 'something new' });
  expect(await ask(['mixed'])).toEqual([
    ['mixed', null, 3],
    ['mixed', 0.45, 1],
  ]);
});

test('M25: only the runs asked for, of this workspace, since the day asked for', async () => {
  await use('mine', '2026-11-05 10:00', '1');
  await use('mine', '2026-11-05 10:00', '7', { workspace: 'theirs' });
  await use('mine', '2025-11-05 10:00', '7');
  await use('other', '2026-11-05 10:00', '7');
  expect(await ask(['mine', 'mine'])).toEqual([['mine', 0.45, 1]]);
  expect(await ask([])).toEqual([]);
});
