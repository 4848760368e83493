import { setTimeout as delay } from 'node:timers/promises';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import type { Answer, Incoming } from './receiver';
import { tally } from './tally';
import { until } from './until';

const LEASE_SECONDS = 5;

export const callbacksDelayed: Drill = {
  name: 'callbacks-delayed',
  promise: 'Callbacks that arrive long after their lease change nothing any more: the outbox was faster.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world({ leaseSeconds: LEASE_SECONDS });
    const late: Incoming[] = [];
    world.receiver.meet = async (incoming) => {
      late.push(incoming);
      return null;
    };
    await world.startWorker();
    await world.submit({ documents: Array(6).fill('work:100') });
    await until('all to be completed', async () => (await world.countIn('completed')) === 6);
    await delay(3 * LEASE_SECONDS * 1000);
    const outcomes = await Promise.all(late.map((incoming) => world.receiver.deliver(incoming)));
    findings.note(
      `${late.length} deliveries ${3 * LEASE_SECONDS} s late, lease ${LEASE_SECONDS} s: ${tally(outcomes)}`,
    );
    await checkInvariants(world, findings);
    return findings.done();
  },
};

export const callbacksDuplicated: Drill = {
  name: 'callbacks-duplicated',
  promise:
    'Each callback 50 times, at once and again later: one effect, and every copy gets the same answer.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const copies = 50;
    const seen: Incoming[] = [];
    const answers = new Map<string, Set<string>>();
    const take = (incoming: Incoming, given: readonly Answer[]) => {
      const known = answers.get(incoming.headers.id) ?? new Set();
      for (const answer of given) known.add(JSON.stringify(answer));
      answers.set(incoming.headers.id, known);
    };
    world.receiver.meet = async (incoming, handOn) => {
      seen.push(incoming);
      const given = await Promise.all(Array.from({ length: copies }, () => handOn(incoming)));
      take(incoming, given);
      return given[0] ?? null;
    };
    await world.startWorker();
    await world.submit({ documents: ['progress:3', ...Array(5).fill('work:50')] });
    await until('all to be completed', async () => (await world.countIn('completed')) === 6);
    for (const incoming of seen) {
      take(
        incoming,
        await Promise.all(Array.from({ length: copies }, () => world.receiver.deliver(incoming))),
      );
    }
    const differing = [...answers.values()].filter((known) => known.size !== 1);
    findings.note(
      `${seen.length} deliveries, ${2 * copies * seen.length} copies, ${differing.length} with differing answers`,
    );
    findings.expect(differing.length === 0, `${differing.length} deliveries got differing answers`);
    const [row] = await world.query<{ tokens: number }>(
      'select sum(input_tokens + output_tokens)::integer as tokens from tickmark.task_attempts',
    );
    findings.note(`${row?.tokens} tokens counted of 660 used`);
    findings.expect(row?.tokens === 660, 'tokens were counted more or less than once');
    await checkInvariants(world, findings);
    return findings.done();
  },
};

export const callbacksReordered: Drill = {
  name: 'callbacks-reordered',
  promise:
    'Progress that arrives after the end, and an end before its dispatch is noted, leave the result as it is.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const early: Incoming[] = [];
    const late: Answer[] = [];
    world.receiver.meet = async (incoming, handOn) => {
      const { type, attemptId } = JSON.parse(incoming.body) as { type: string; attemptId: string };
      if (type === 'attempt.progress') {
        early.push(incoming);
        return { status: 200, body: { outcome: 'applied', stop: false } };
      }
      const answer = await handOn(incoming);
      const own = early.filter(
        ({ body }) => (JSON.parse(body) as { attemptId: string }).attemptId === attemptId,
      );
      for (const one of own.reverse()) late.push(await handOn(one));
      return answer;
    };
    // The worker can't note the dispatch of the first until its run has ended; it holds no lock yet.
    await world.startWorker({ proxied: true });
    const held = world.proxy.holdAt({ statement: 'queue.record_dispatch' });
    const [first = ''] = await world.submit({ documents: ['work:10'] });
    const point = await held;
    await until('the end to overtake its dispatch', async () => (await world.countIn('completed')) === 1);
    point.release();
    await until('the dispatch to be noted', async () => {
      const rows = await world.query(
        'select 1 from tickmark.task_attempts where task_id = $1 and run_id is not null',
        [first],
      );
      return rows.length > 0;
    });
    await world.submit({ documents: Array(3).fill('progress:4') });
    await until('all to be completed', async () => (await world.countIn('completed')) === 4);
    await until('the late ones', () => late.length >= early.length);
    findings.note(`${late.length} progress reports after the end: ${tally(late)}`);
    await checkInvariants(world, findings);
    return findings.done();
  },
};

export const callbacksLost: Drill = {
  name: 'callbacks-lost',
  promise: 'With every callback lost for ever, everything still completes, from the outboxes.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    world.receiver.meet = async () => null;
    await world.startWorker();
    const begun = await world.now();
    await world.submit({ documents: Array(8).fill('work:100') });
    await checkInvariants(world, findings);
    const completed = await world.countIn('completed');
    findings.note(`${completed} of 8 completed in ${((await world.now()) - begun).toFixed(1)} s`);
    findings.expect(completed === 8, `${8 - completed} were not completed`);
    return findings.done();
  },
};
