import { openRawSession, prepared } from './raw-session';
import { inBatches, type Place, type Producer } from './system';

/** Puts tasks into the hand-written tables; `agents` share them evenly. */
export async function openRawProducer({ databaseUrl }: Place, agents: number): Promise<Producer> {
  const client = await openRawSession(databaseUrl);
  return {
    enqueueMany: (count) =>
      inBatches(count, (payloads) =>
        prepared(
          client,
          'enqueue_many',
          /* sql */ `
          insert into tasks (agent, priority, payload)
          select 'agent-' || place % $2::integer, 0, payload
          from unnest($1::jsonb[]) with ordinality as new (payload, place)
          returning id`,
          [payloads.map((payload) => JSON.stringify(payload)), agents],
        ),
      ),
    async enqueueOne(payload, priority) {
      await prepared(
        client,
        'enqueue_one',
        /* sql */ `
        with made as (
          insert into tasks (agent, priority, payload) values ('agent-0', $1, $2) returning id
        )
        select id, pg_notify('tasks_new', '') from made`,
        [priority === 'high' ? 90 : 0, JSON.stringify(payload)],
      );
    },
    async countOpen() {
      const [row] = await prepared<{ open: number }>(
        client,
        'count_open',
        `select count(*)::integer as open from tasks where status in ('enqueued', 'processing')`,
      );
      return row?.open ?? 0;
    },
    close: () => client.end(),
  };
}
