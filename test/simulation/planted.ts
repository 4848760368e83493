import { sql } from 'drizzle-orm';
import { applyCallbacks } from '@/lib/queue/callback';
import type { Connection } from './lane';
import type { SimulateOptions } from './simulate';
import type { ApplyCallbacks } from './world';

/** A bug that the simulation must find. The product has no hooks for it: the test's own copy is mutated. */
export interface PlantedBug extends Pick<SimulateOptions, 'plant' | 'apply'> {
  readonly name: string;
  /** What the simulation must say. */
  readonly broken: RegExp;
}

/** As `update tasks set … where id = $1`, without asking who may still act for the task. */
const applyUnfenced: ApplyCallbacks = async (db, deliveries, hooks) => {
  const answers = await applyCallbacks(db, deliveries, hooks);
  for (const { callback } of deliveries) {
    if (callback.type !== 'attempt.succeeded') continue;
    await db.execute(sql`
      update tickmark.tasks
      set status = 'completed', result = ${JSON.stringify(callback.result)}::jsonb, current_attempt_id = null,
        finished_at = coalesce(finished_at, clock_timestamp())
      where id = ${callback.taskId}::uuid`);
  }
  return answers;
};

/** Replaces parts of the claim's function, as the database has it. Fails when a part is not there exactly once. */
async function mutateClaim(connection: Connection, parts: Readonly<Record<string, string>>): Promise<void> {
  const { rows } = await connection.query<{ source: string }>(`
    select pg_get_functiondef(oid) as source from pg_proc
    where pronamespace = 'tickmark'::regnamespace and proname ~ '^claim_tasks_v[0-9]+$'
    order by substring(proname from '[0-9]+$')::integer desc limit 1`);
  let source = rows[0]?.source ?? '';
  for (const [was, becomes] of Object.entries(parts)) {
    const [before, after, ...more] = source.split(was);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`"${was}" does not stand in the claim exactly once: plant this bug otherwise`);
    }
    source = `${before}${becomes}${after}`;
  }
  await connection.query(source);
}

export const PLANTED: readonly PlantedBug[] = [
  { name: 'unfenced completion', broken: /invariant 2/, apply: applyUnfenced },
  {
    name: 'count before lock in the claim',
    broken: /invariant 4/,
    plant: (connection) =>
      mutateClaim(connection, {
        'not lock_for_claim(c_ceilings, 0, v_ceilings_locked is not true, true)': 'false',
        'not lock_for_claim(c_agents, v_lock.key, not v_lock.limited, v_patient)': 'false',
        'v_left := least(p_limit,': `
          if v_ceilings_locked then
            perform pg_advisory_xact_lock(c_ceilings, 0);
          end if;
          for v_lock in select distinct hashtext(id) as key from unnest(v_exclusive) x (id) order by 1 loop
            perform pg_advisory_xact_lock(c_agents, v_lock.key);
          end loop;
          v_left := least(p_limit,`,
      }),
  },
  {
    name: 'retry without counting the attempt',
    broken: /attempts: /,
    plant: (connection) =>
      mutateClaim(connection, {
        'least(t.attempt_count + 1, 1000000)': 'greatest(1, t.attempt_count)',
      }),
  },
];
