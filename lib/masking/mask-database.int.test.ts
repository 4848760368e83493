import { afterEach, beforeEach, expect, test } from 'vitest';
import { grantRead } from '@/lib/db/grant-read';
import { seed } from '@/lib/db/seed';
import { checkHome } from '@/lib/queue/home';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { maskDatabase } from './mask-database';

let database: TestDatabase;
const query = async (text: string, values: unknown[] = []) =>
  (await database.db.$client.query(text, values)).rows;

beforeEach(async () => {
  database = await createTestDatabase();
  await seed(database.db);
  for (const statement of ROWS) await query(statement);
});
afterEach(() => database.close());

/** At least one row for every table that has a column of text or JSON. */
const ROWS = [
  `insert into tickmark.clients (name) values ('c')`,
  `insert into tickmark.extractions (client, name, agent_id, submitted_by) values ('c', 'n', 'invoice', 'user:u')`,
  `insert into tickmark.documents (extraction_id, sha256, filename, size_bytes, storage_uri)
   select id, repeat('a', 64), 'a.pdf', 1, 'file:a' from tickmark.extractions`,
  `insert into tickmark.tasks (agent_id, extraction_id, document_id, status, finished_at)
   select 'invoice', extraction_id, id, 'completed', now() from tickmark.documents`,
  `insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, finished_at)
   select id, 'invoice', 1, 'succeeded', 'w', now() from tickmark.tasks`,
  `insert into tickmark.task_events (task_id, to_status, actor, reason) select id, 'completed', 'a', 'r' from tickmark.tasks`,
  `insert into tickmark.callback_deliveries (attempt_id, webhook_id, outcome, stop) select id, 'm', 'applied', false from tickmark.task_attempts`,
  `insert into tickmark.attempt_traces (attempt_id, task_id) select id, task_id from tickmark.task_attempts`,
  `insert into tickmark.bulk_operations (action, actor, total) values ('cancel', 'a', 1)`,
  `insert into tickmark.agent_history (agent_id, actor, changes) values ('invoice', 'a', '{}')`,
  `insert into tickmark.agent_estimates values ('invoice', 1, 1, 1, 1, 1, 1, 1, 1)`,
  `insert into tickmark.claim_cursors (agent_id, class, claim_rank, created_at, id) values ('invoice', 5, 0, now(), gen_random_uuid())`,
  `insert into tickmark.fair_flows values ('invoice', 1, gen_random_uuid(), 0)`,
  `insert into tickmark.workers (id, host, pid, version) values ('w', 'h', 1, '1')`,
  `insert into tickmark.idempotency_keys (scope, key, request_hash) values ('s', 'k', 'h')`,
  `insert into tickmark.app_roles values ('ada@example.com', 'admin', 'x')`,
  `insert into tickmark.audit_log (actor, action, subject) values ('a', 'x', 'y')`,
  `insert into tickmark.saved_views (owner, page, name, search) values ('o', 'tasks', 'n', '')`,
  `insert into tickmark.compute_costs (filters, source, requested_by) values ('{}', 's', 'u')`,
  `insert into tickmark.queue_samples values (now(), 'invoice', 'c', 0, 0)`,
  `insert into tickmark.usage_summed values ('hour', now(), 1)`,
  `insert into tickmark.usage_stale values ('hour', now(), now(), now())`,
];

/** Made anew from the tasks at the end, or of no use in a copy; rows are not needed to see that. */
const FIGURES = /^(task_facts|task_search|usage_hourly|usage_daily|usage_monthly)[.]/;

/** Columns that keep what stands in them, and why. */
const KEPT: readonly [RegExp, string][] = [
  [
    /[.]agent_id$|^agents[.]id$/,
    'what an agent is called in addresses: chosen by whoever runs the installation',
  ],
  [/^model_prices[.]model$/, 'a name of a model, from the configuration'],
  [/^settings[.](home|environment_id)$/, 'names of the place and of the database'],
  [/^schema_migrations[.]hash$/, 'hashes of files of ours'],
  [/^usage_state[.](snapshot|next_xmax)$/, 'counters of transactions, read as such'],
];

const WORD = 'Secretum';

/** Results and reports in a shape that is right but for the words in it, and JSON of no shape at all. */
function planted(column: string, word: string): unknown[] {
  const field = { name: word, value: word, confidence: word, page: word, [word]: word };
  const shaped = column.endsWith('.usage')
    ? { model: word, inputTokens: 7, costUsd: word, endedAt: word, calls: [{ prompt: word }], [word]: word }
    : {
        documentType: word,
        confidence: word,
        warnings: [{ code: word, message: word }],
        fields: [field, word, [field], null],
        [word]: word,
      };
  const odd = column.endsWith('.usage') ? { inputTokens: word } : { fields: { [word]: word } };
  return [{ [word]: [{ [word]: word }] }, [word], word, odd, shaped];
}

interface Column {
  readonly t: string;
  readonly c: string;
  readonly type: string;
}

const columns = (): Promise<Column[]> =>
  query(`select c.table_name as t, c.column_name as c, c.data_type as type
    from information_schema.columns c join information_schema.tables using (table_schema, table_name)
    where c.table_schema = 'tickmark' and table_type = 'BASE TABLE' and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
      and c.udt_name <> '_int4'
    order by 1, 2`);

/** Puts a word into a column of every row; false where a check lets only what is on its own list in there. */
async function plant({ t, c, type }: Column, value: unknown): Promise<boolean> {
  const text = type.startsWith('json') ? JSON.stringify(value) : type === 'ARRAY' ? [value] : value;
  try {
    await query(`update tickmark.${t} set ${c} = $1`, [text]);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '23514') return false;
    throw error;
  }
}

/** Columns in which some row says it. */
async function columnsThatSay(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const { t, c } of await columns()) {
    const rows = await query(`select from tickmark.${t} where ${c}::text ilike $1 limit 1`, [`%${word}%`]);
    if (rows.length > 0) found.push(`${t}.${c}`);
  }
  return found;
}

/** Lets words be put where keys of other tables and names stand. */
async function loosen(): Promise<void> {
  const keys = await query(`select conrelid::regclass::text as t, conname as name from pg_constraint
    where contype = 'f' and connamespace = 'tickmark'::regnamespace`);
  for (const { t, name } of keys) await query(`alter table ${t} drop constraint ${name}`);
  for (const { t } of await query(`select distinct tgrelid::regclass::text as t from pg_trigger
    where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'tickmark'::regnamespace)`))
    await query(`alter table ${t} disable trigger user`);
}

/** In a few rounds, since a column of JSON can hold one shape at a time. */
test.each([0, 1, 2, 3, 4])(
  'C4: a word in any column of the schema is gone from a masked copy (shape %i)',
  async (shape) => {
    await loosen();
    // One row each, as names are keys.
    await query(
      `delete from tickmark.model_prices where ctid <> (select min(ctid) from tickmark.model_prices)`,
    );
    const rest: string[] = [];
    for (const column of await columns()) {
      const name = `${column.t}.${column.c}`;
      if (FIGURES.test(name) || KEPT.some(([pattern]) => pattern.test(name))) continue;
      const word = `${WORD} ${name}`;
      const value = column.type.startsWith('json') ? planted(name, word)[shape] : word;
      if (await plant(column, value)) rest.push(name);
    }
    expect(await columnsThatSay(WORD)).toEqual(rest);
    expect(rest.length).toBeGreaterThan(50);
    await query(`update tickmark.settings set home = 'postgres:1/1'`);
    await maskDatabase(database.db, null);
    expect(await columnsThatSay(WORD)).toEqual([]);
  },
);

test('C4: in a masked copy counts, figures and the shape of results stay', async () => {
  const result = {
    documentType: 'invoice',
    confidence: 0.9,
    fields: [
      { name: 'seller', value: 'Secretum AG', confidence: 0.8, page: 1 },
      { name: 'balance of Secretum', value: 1, page: 2 },
    ],
  };
  await query('update tickmark.tasks set result = $1::jsonb', [JSON.stringify(result)]);
  await query(
    `update tickmark.task_attempts set error_code = 'password_required', model = 'tickmark-rules-1', usage = $1::jsonb`,
    [JSON.stringify({ model: 'x', inputTokens: 12, costUsd: '0.10', calls: [{ prompt: 'Secretum' }] })],
  );
  await query(`update tickmark.settings set home = 'postgres:1/1'`);
  await maskDatabase(database.db, null);
  expect(await query('select status, result from tickmark.tasks')).toEqual([
    {
      status: 'completed',
      result: {
        documentType: 'invoice',
        confidence: 0.9,
        warnings: [],
        fields: [
          { name: 'seller', value: null, confidence: 0.8, page: 1 },
          {
            name: expect.stringMatching(/^field-[0-9a-f]{10}$/),
            value: null,
            confidence: null,
            page: 2,
          },
        ],
      },
    },
  ]);
  expect(await query('select error_code, model, usage from tickmark.task_attempts')).toEqual([
    {
      error_code: 'password_required',
      model: 'tickmark-rules-1',
      usage: { inputTokens: 12, costUsd: '0.10' },
    },
  ]);
  // What comes with Tickmark is nobody's secret, and says what the results are.
  expect(
    await query(`select definition->>'kind' as kind from tickmark.agent_versions where agent_id = 'invoice'`),
  ).toEqual([{ kind: 'extract' }]);
});

test('C4: a live database is not masked, and asking changes nothing', async () => {
  await checkHome(database.db, null);
  const before = await query('select home, is_copy from tickmark.settings');
  await expect(maskDatabase(database.db, null)).rejects.toThrow(/live here/);
  expect(await query('select home, is_copy from tickmark.settings')).toEqual(before);
  expect(await query('select name from tickmark.clients')).toEqual([{ name: 'c' }]);
});

test('M28: a role that may read results reads nothing else', async () => {
  const role = `reader_${Date.now().toString(36)}`;
  await query(`create role ${role}`);
  await query(`grant ${role} to current_user with set true`).catch(() => {});
  const may = async (table: string, privilege = 'select') =>
    (await query(`select has_table_privilege($1, 'tickmark.' || $2, $3) as may`, [role, table, privilege]))[0]
      .may;
  await grantRead(database.db, role, 'reports');
  expect([
    await may('tasks'),
    await may('results'),
    await may('settings'),
    await may('tasks', 'update'),
  ]).toEqual([true, true, false, false]);
  await grantRead(database.db, role, 'results');
  expect([await may('results'), await may('tasks'), await may('documents')]).toEqual([true, false, false]);
  await query(`grant create on schema tickmark to ${role}`);
  await query(`grant all on all sequences in schema tickmark to ${role}`);
  await grantRead(database.db, role, 'results');
  expect(
    await query(
      `select has_schema_privilege($1, 'tickmark', 'create') as create, has_schema_privilege($1, 'tickmark', 'usage') as usage,
         has_sequence_privilege($1, 'tickmark.task_events_id_seq', 'usage') as sequence`,
      [role],
    ),
  ).toEqual([{ create: false, usage: true, sequence: false }]);
  await query(`drop owned by ${role}`);
  await query(`drop role ${role}`);
});
