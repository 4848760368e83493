import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';

/** Before anything else is loaded: this process's clock is off by so many milliseconds. */
const shifted = (ms: number) => `
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length === 0) super(Real.now() + (${ms})); else super(...given); }
    static now() { return Real.now() + (${ms}); }
  };`;
const preload = (ms: number) => ['--import', `data:text/javascript,${encodeURIComponent(shifted(ms))}`];

const HOUR_MS = 3_600_000;

export const wrongClock: Drill = {
  name: 'wrong-clock',
  promise:
    'One worker’s clock is an hour ahead, another’s an hour behind: no lease ends early or late, since only the database’s clock counts.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world({ leaseSeconds: 5 });
    await world.startWorker({ execArgv: preload(HOUR_MS) });
    await world.startWorker({ execArgv: preload(-HOUR_MS) });
    await world.startWorker();
    // Some run for longer than their lease; callbacks are lost for some, so that outboxes are read by wrong clocks.
    let seen = 0;
    world.receiver.meet = async (incoming, handOn) => (seen++ % 2 === 0 ? handOn(incoming) : null);
    await world.submit({ documents: [...Array(3).fill('work:12000'), ...Array(15).fill('work:100')] });
    await until('all to be done', async () => (await world.countIn('completed')) === 18, 90);
    const early = await world.query(
      `select 1 from tickmark.task_attempts where status not in ('succeeded', 'snoozed')`,
    );
    findings.note(`${early.length} attempts given up`);
    findings.expect(early.length === 0, `${early.length} attempts were given up although their runs lived`);
    const [odd] = await world.query<{ count: number }>(
      `select count(*)::integer as count from tickmark.task_attempts
       where not (claimed_at between now() - interval '10 minutes' and now() and finished_at >= claimed_at)`,
    );
    findings.expect(odd?.count === 0, `${odd?.count} attempts bear another clock’s times`);
    await checkInvariants(world, findings);
    return findings.done();
  },
};
