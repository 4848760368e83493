import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import { registerAgents } from '@/lib/documents/register-agents';

export interface HistoryOptions {
  /** Finished tasks. */
  readonly tasks: number;
  /** Over how many months until now. */
  readonly months: number;
  /** Tasks that wait on top, created within the last hours, for an agent that is paused: no worker takes them. */
  readonly waiting: number;
  readonly onProgress?: (done: number) => void;
}

/** What made-up waiting tasks wait for. It has no program and they have no file: were they claimed, all would fail. */
export const MADE_UP_AGENT = {
  id: 'made-up',
  name: 'Made-up work',
  description: 'Waiting tasks of npm run generate. There is nothing to run for them: leave it paused.',
};

/** Tasks in one transaction. */
const BATCH = 50_000;
/** Documents of one submission, on average. */
const PER_EXTRACTION = 60;
/** Some clients have much more work than others. */
const CLIENTS = [
  'Ash',
  'Beech',
  'Cedar',
  'Elm',
  'Fir',
  'Hazel',
  'Larch',
  'Maple',
  'Oak',
  'Pine',
  'Rowan',
  'Yew',
];

/**
 * Writes made-up history: submissions of several clients, their documents, finished tasks of all agents, their attempts with
 * retries, failures, tokens and cost. Nothing of it was run, and no file is stored. Response times and costs are log-normal,
 * one task in fourteen ends as failed or cancelled, one attempt in fifty has no price. Rows get no events.
 */
export async function generateHistory(db: Db, options: HistoryOptions): Promise<void> {
  await db.execute(sql`
    /* generate.clients */
    insert into tickmark.clients (name)
    select unnest(${sql.param(CLIENTS.map((name) => `${name} Ltd`))}::text[])
    on conflict do nothing`);
  const { tasks, waiting, months } = options;
  if (waiting > 0) await makePausedAgent(db);
  let done = 0;
  for (const part of [
    { count: tasks, finished: true },
    { count: waiting, finished: false },
  ]) {
    for (let first = 0; first < part.count; first += BATCH) {
      const count = Math.min(BATCH, part.count - first);
      const span = part.finished ? historySpan(months, first / tasks, count / tasks) : LAST_HOURS;
      await withTransaction(db, (tx) => writeBatch(tx, { count, span, isFinished: part.finished }));
      done += count;
      options.onProgress?.(done);
    }
  }
}

async function makePausedAgent(db: Db): Promise<void> {
  await withTransaction(db, async (tx) => {
    await registerAgents(tx, [MADE_UP_AGENT]);
    await tx.execute(sql`
      /* generate.pause */ update tickmark.agents set paused = true where id = ${MADE_UP_AGENT.id}`);
  });
}

interface Batch {
  readonly count: number;
  /** Where `created_at` lies, as an expression over a `share` from 0 to 1. */
  readonly span: SQL;
  readonly isFinished: boolean;
}

const LAST_HOURS = sql`now() - (1 - share) * interval '3 hours'`;

/** Batch by batch from the oldest to the newest, up to ten minutes ago. */
function historySpan(months: number, from: number, length: number): SQL {
  return sql`now() - interval '10 minutes' - make_interval(months => ${months}::int)
    + (${from}::float8 + share * ${length}::float8) * (make_interval(months => ${months}::int) - interval '2 hours')`;
}

async function writeBatch(tx: Tx, { count, span, isFinished }: Batch): Promise<void> {
  await tx.execute(sql`
    /* generate.submissions */
    create temporary table new_extractions on commit drop as
    select gen_random_uuid() as id, n, ${span} as created_at,
      (${sql.param(CLIENTS)}::text[])[1 + floor(${CLIENTS.length}::int * power(random(), 2))::int] || ' Ltd' as client,
      case when ${isFinished}::boolean
        then (array['invoice', 'invoice', 'invoice', 'contract', 'financial-report', 'general', 'auto'])[1 + floor(random() * 7)::int]
        else ${MADE_UP_AGENT.id} end as agent_id
    from generate_series(1, ${Math.ceil(count / PER_EXTRACTION)}::int) as n
    cross join lateral (select (n - 1.0) / ${Math.ceil(count / PER_EXTRACTION)}::int as share) s`);
  await tx.execute(sql`
    /* generate.tasks */
    create temporary table new_tasks on commit drop as
    select tickmark.new_id() as id, gen_random_uuid() as document_id, x.id as extraction_id, x.agent_id,
      x.created_at + g.n % ${PER_EXTRACTION}::int * interval '40 milliseconds' as created_at,
      case when random() < 0.9 then 50 else 70 end as priority,
      case when not ${isFinished}::boolean then 'enqueued'
        when chance < 0.93 then 'completed' when chance < 0.98 then 'failed' else 'cancelled' end as status,
      (case when chance < 0.93 then 1 + (random() < 0.1)::int + (random() < 0.02)::int
        when chance < 0.98 then 1 + 2 * (random() < 0.6)::int else (random() < 0.5)::int end) as attempts,
      least(40000, 2 + exp(2.8 + 0.9 * random_normal())) as seconds,
      1 + floor(exp(abs(random_normal()) * 1.1))::int as pages,
      g.n, random() as unsure
    from generate_series(0, ${count - 1}::int) as g (n)
    join new_extractions x on x.n = 1 + g.n / ${PER_EXTRACTION}::int
    cross join lateral (select random() as chance, g.n as same) c`);
  await tx.execute(sql`
    /* generate.insert_submissions */
    insert into tickmark.extractions (id, client, name, agent_id, submitted_by, created_at)
    select x.id, x.client, to_char(x.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI'), x.agent_id, 'generator', x.created_at
    from new_extractions x`);
  await tx.execute(sql`
    /* generate.insert_documents */
    insert into tickmark.documents (id, extraction_id, sha256, filename, size_bytes, page_count, text_chars, storage_uri, created_at)
    select t.document_id, t.extraction_id, md5(t.id::text) || md5(t.document_id::text),
      format('%s-%s-%s.pdf', t.agent_id, to_char(t.created_at at time zone 'utc', 'YYYYMMDD'), lpad(t.n::text, 6, '0')),
      20000 + 30000 * t.pages, t.pages, 1800 * t.pages, 'generated:' || t.document_id, t.created_at
    from new_tasks t`);
  if (isFinished) await insertAttempts(tx);
  await tx.execute(insertTasks());
}

function insertTasks(): SQL {
  return sql`
    /* generate.insert_tasks */
    insert into tickmark.tasks (
      id, extraction_id, document_id, agent_id, status, priority, attempt_count, last_attempt_number, available_at,
      estimated_tokens, estimated_seconds, confidence, error_code, error_message, created_at, finished_at
    )
    select t.id, t.extraction_id, t.document_id, t.agent_id, t.status::tickmark.task_status, t.priority,
      case when t.status = 'enqueued' then 0 else t.attempts end, case when t.status = 'enqueued' then 0 else t.attempts end,
      t.created_at, 900 * t.pages, 3 * t.pages,
      case when t.status = 'completed' then round((1 - 0.3 * power(t.unsure, 3))::numeric, 4)::real end,
      e.code, case e.code when 'timeout' then 'The run took longer than it may.' when 'corrupt_pdf' then 'The file is damaged.'
        when 'password_required' then 'The file needs a password.' when 'rate_limited' then 'The model refused the request (429).' end,
      t.created_at, case when t.status <> 'enqueued' then t.created_at + make_interval(secs => t.seconds) end
    from new_tasks t
    cross join lateral (
      select case when t.status = 'failed'
        then (array['timeout', 'corrupt_pdf', 'password_required', 'rate_limited'])[1 + floor(t.unsure * 4)::int] end as code
    ) e`;
}

/** Each attempt of a task takes an equal part of its time; prices are those of a small model. */
async function insertAttempts(tx: Tx): Promise<void> {
  await tx.execute(sql`
    /* generate.insert_attempts */
    insert into tickmark.task_attempts (
      task_id, agent_id, number, status, claimed_by, run_id, trace_id, model, reserved_tokens, claimed_at, dispatched_at,
      finished_at, run_stopped_at, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, llm_cost_usd,
      usage_final, error_code
    )
    select t.id, t.agent_id, a.number,
      (case when a.number < t.attempts then 'failed' when t.status = 'completed' then 'succeeded' else t.status end)::tickmark.attempt_status,
      'generator', 'run-' || t.id || '-' || a.number, 'trace-' || t.id, case when unpriced then 'unlisted-model' else 'listed-model' end,
      900 * t.pages, a.began, a.began + interval '80 milliseconds', a.ended, a.ended, u.input, 0, 0, u.output,
      case when not unpriced then round(u.input * 0.00000015 + u.output * 0.0000006, 12) end, true,
      case when a.number < t.attempts then 'model_unavailable' end
    from new_tasks t
    cross join lateral (
      select number,
        t.created_at + make_interval(secs => t.seconds * (number - 0.8) / t.attempts) as began,
        t.created_at + make_interval(secs => t.seconds * number / t.attempts) as ended
      from generate_series(1, t.attempts) as number
    ) a
    cross join lateral (
      select (700 * t.pages + floor(random() * 400))::int as input, (60 * t.pages + floor(random() * 90))::int as output,
        random() < 0.02 as unpriced, a.number as same
    ) u`);
}
