import { sql } from 'drizzle-orm';
import type { Db } from '@/lib/db/client';
import type { Limits } from './limit-use';
import type { Figures } from './measurement';

/**
 * Lets the database check each admission itself: a constraint trigger that is deferred to the commit of the claim, so it
 * sees all that the claim did and still stands under its lock. What is counted is written here anew, not by the function
 * that the claim counts with.
 */
export async function checkAdmissions(db: Db, limits: Limits): Promise<void> {
  await db.$client.query(/* sql */ `
    create table tickmark.bench_admissions (
      tx xid8 primary key,
      at timestamptz not null default clock_timestamp(),
      tasks bigint not null,
      rate double precision not null
    );
    create function tickmark.bench_admission() returns trigger language plpgsql
    set search_path = tickmark, pg_temp as $$
    declare
      v_now timestamptz := clock_timestamp();
    begin
      if exists (select from bench_admissions where tx = pg_current_xact_id()) then
        return null;
      end if;
      insert into bench_admissions (tx, tasks, rate)
      select pg_current_xact_id(),
        count(*) filter (where finished_at is null or (status = 'superseded' and run_stopped_at is null)),
        coalesce(sum(case
          when finished_at is null then reserved_tpm
          when greatest(finished_at, run_stopped_at) > v_now - interval '60 seconds' then
            coalesce(input_tokens + output_tokens, 0) * least(1, 60 / greatest(1, extract(epoch from
              greatest(finished_at, run_stopped_at) - coalesce(dispatched_at, claimed_at))))
        end), 0)
      from task_attempts
      where finished_at is null or finished_at > v_now - interval '70 seconds';
      return null;
    end $$;
    create constraint trigger bench_admission after insert on tickmark.task_attempts
    deferrable initially deferred for each row execute function tickmark.bench_admission();
    create table tickmark.bench_limits (tasks bigint, rate double precision)`);
  await db.execute(sql`
    insert into tickmark.bench_limits values (${limits.tasks}, ${limits.tokensPerMinute})`);
}

/** What was found: `admitted` tasks in `claims`, the most at once, and how many claims were `over` a limit. */
export async function readAdmissions(db: Db): Promise<Figures> {
  const { rows } = await db.execute<{ [figure: string]: number }>(sql`
    select count(*)::integer as claims, coalesce(max(a.tasks), 0)::float8 as "peakTasks",
      coalesce(max(a.rate), 0) as "peakRate",
      (count(*) filter (where a.tasks > l.tasks or a.rate > l.rate + 1e-6))::integer as over,
      (select count(*)::integer from tickmark.task_attempts where claimed_at >= (select min(at) - interval '1 second' from tickmark.bench_admissions)) as admitted
    from tickmark.bench_admissions a cross join tickmark.bench_limits l`);
  return rows[0] ?? {};
}
