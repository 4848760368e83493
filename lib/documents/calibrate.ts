import { sql } from 'drizzle-orm';
import type { Db, Queryable, Tx } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';
import type { Calibration, Learnt } from './calibration';
import { isNews, learn, medianError } from './learn';

/** Newest attempts of an agent that are looked at; older habits are forgotten. */
const WINDOW = 500;
const WINDOW_DAYS = 30;
/** Any number, the same in every worker: one calibrates at a time. */
const CALIBRATION_LOCK = 7_305_511_803;

interface AttemptRow extends Record<string, unknown> {
  agent_id: string;
  page_count: number | null;
  text_chars: number | null;
  tokens: number;
  seconds: number;
  estimated_tokens: number;
  estimated_seconds: number | null;
}

/**
 * Learns from what has finished how many tokens and seconds each agent's documents take, and notes how far off its
 * estimates were. Figures that differ from those in use make a new version; new documents are estimated with it.
 * @returns agents that got a new version; none where another worker is at it
 */
export async function calibrate(db: Db): Promise<string[]> {
  return withTransaction(db, async (tx) => {
    const lock = await tx.execute<{ got: boolean }>(sql`
      /* documents.calibration_lock */ select pg_try_advisory_xact_lock(${CALIBRATION_LOCK}) as got`);
    if (!lock.rows[0]?.got) return [];
    const news: string[] = [];
    for (const [agentId, rows] of await finishedByAgent(tx)) {
      await noteErrors(tx, agentId, rows);
      const learnt = learn(rows.flatMap(toSample));
      const current = await readCalibration(tx, agentId);
      if (!learnt || !isNews(learnt, current)) continue;
      await addVersion(tx, agentId, learnt);
      news.push(agentId);
    }
    return news;
  });
}

async function finishedByAgent(tx: Tx): Promise<ReadonlyMap<string, AttemptRow[]>> {
  const { rows } = await tx.execute<AttemptRow>(sql`
    /* documents.finished_attempts */
    select g.id as agent_id, d.page_count, d.text_chars, (a.input_tokens + a.output_tokens)::float8 as tokens,
      extract(epoch from a.finished_at - a.dispatched_at)::float8 as seconds,
      a.reserved_tokens as estimated_tokens, t.estimated_seconds
    from tickmark.agents g
    cross join lateral (
      select *
      from tickmark.task_attempts x
      where x.agent_id = g.id and x.finished_at is not null
        and greatest(x.finished_at, x.run_stopped_at) > now() - make_interval(days => ${WINDOW_DAYS})
      order by greatest(x.finished_at, x.run_stopped_at) desc
      limit ${WINDOW}
    ) a
    join tickmark.tasks t on t.id = a.task_id
    left join tickmark.documents d on d.id = t.document_id
    where a.status = 'succeeded' and a.dispatched_at is not null and a.input_tokens + a.output_tokens > 0`);
  const byAgent = new Map<string, AttemptRow[]>();
  for (const row of rows) {
    const ofAgent = byAgent.get(row.agent_id);
    if (ofAgent) ofAgent.push(row);
    else byAgent.set(row.agent_id, [row]);
  }
  return byAgent;
}

function toSample({ page_count, text_chars, tokens, seconds }: AttemptRow) {
  if (page_count === null || text_chars === null) return [];
  return [{ pageCount: page_count, textChars: text_chars, tokens, seconds }];
}

async function noteErrors(tx: Tx, agentId: string, rows: readonly AttemptRow[]): Promise<void> {
  const tokens = medianError(rows.map((r) => ({ actual: r.tokens, estimated: r.estimated_tokens })));
  const seconds = medianError(rows.map((r) => ({ actual: r.seconds, estimated: r.estimated_seconds ?? 0 })));
  await tx.execute(sql`
    /* documents.note_estimate_error */
    update tickmark.agents
    set estimate_token_error = ${tokens}::real, estimate_seconds_error = ${seconds}::real
    where id = ${agentId}
      and (estimate_token_error, estimate_seconds_error) is distinct from (${tokens}::real, ${seconds}::real)`);
}

async function addVersion(tx: Tx, agentId: string, l: Learnt): Promise<void> {
  await tx.execute(sql`
    /* documents.add_estimates */
    with added as (
      insert into tickmark.agent_estimates (
        agent_id, version, samples, tokens_per_page, seconds_per_page, text_token_factor, text_seconds_factor,
        scan_token_factor, scan_seconds_factor
      )
      select ${agentId}, coalesce(max(version), 0) + 1, ${l.samples}, ${l.tokensPerPage}, ${l.secondsPerPage},
        ${l.text.tokens}, ${l.text.seconds}, ${l.scan.tokens}, ${l.scan.seconds}
      from tickmark.agent_estimates where agent_id = ${agentId}
      returning version
    )
    update tickmark.agents set estimate_version = added.version from added where id = ${agentId}`);
}

/** What is known of an agent now; null = nothing yet. */
export async function readCalibration(db: Queryable, agentId: string): Promise<Calibration | null> {
  const { rows } = await db.execute<{
    version: number;
    samples: number;
    tokens_per_page: number;
    seconds_per_page: number;
    text_token_factor: number;
    text_seconds_factor: number;
    scan_token_factor: number;
    scan_seconds_factor: number;
  }>(sql`
    /* documents.read_estimates */
    select e.*
    from tickmark.agents g
    join tickmark.agent_estimates e on e.agent_id = g.id and e.version = g.estimate_version
    where g.id = ${agentId}`);
  const row = rows[0];
  if (!row) return null;
  return {
    version: row.version,
    samples: row.samples,
    tokensPerPage: row.tokens_per_page,
    secondsPerPage: row.seconds_per_page,
    text: { tokens: row.text_token_factor, seconds: row.text_seconds_factor },
    scan: { tokens: row.scan_token_factor, seconds: row.scan_seconds_factor },
  };
}
