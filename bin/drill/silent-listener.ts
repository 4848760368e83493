import { setTimeout as delay } from 'node:timers/promises';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { openStreamClient } from './stream-client';
import { until } from './until';
import type { World } from './world';

/** A listener asks for a sign of life every 10 s (+ 10 %), waits 5 s for it, and then connects anew. */
const NOTICED_SECONDS = 18;

export const listenerCut: Drill = {
  name: 'listener-cut',
  promise: 'Listeners cut off without a word: work is still found by looking, and they notice and come back.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const stream = await openStreamClient(world.receiver.url);
    await world.startWorker({ proxied: true });
    await until('the stream to be live', () => stream.received.length > 0);
    const since = performance.now();
    const deaf = world.proxy.silence('tickmark app listen') + world.proxy.silence('tickmark worker listener');
    findings.note(`${deaf} sessions cut`);
    findings.expect(deaf === 2, `${deaf} sessions were cut, not 2`);
    const claimed = await secondsUntilClaimed(world);
    findings.within('a worker without notifications claims after', claimed, 3);
    stream.received.length = 0;
    await until(
      'the stream to tell of the change',
      () => stream.received.some((event) => event !== 'heartbeat'),
      40,
    );
    findings.within(
      'the dashboard’s stream is live again after',
      (performance.now() - since) / 1000,
      NOTICED_SECONDS,
    );
    await delay(3_000);
    findings.within('then a change is told after', await secondsUntilTold(world, stream.received), 3);
    stream.close();
    await checkInvariants(world, findings);
    return findings.done();
  },
};

export const streamCut: Drill = {
  name: 'stream-cut',
  promise:
    'A dashboard whose stream breaks comes back, is told to read all anew, and hears of changes again.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const stream = await openStreamClient(world.receiver.url);
    await until('the stream to be live', () => stream.received.length > 0);
    await world.startWorker();
    stream.cut();
    // What happens meanwhile nobody tells it.
    await world.submit({ documents: ['work:50'] });
    await until('the work to be done', async () => (await world.countIn('completed')) === 1);
    const since = performance.now();
    await stream.reconnect();
    await until('something to be told', () => stream.received.length > 0);
    findings.within('told to read anew', (performance.now() - since) / 1000, 2);
    findings.expect(
      stream.received[0] === 'resync',
      `the first event after the break is ${stream.received[0]}`,
    );
    findings.within('a change is told after', await secondsUntilTold(world, stream.received), 3);
    stream.close();
    await until('the app to let go of it', () => world.receiver.live.subscribers === 0);
    await checkInvariants(world, findings);
    return findings.done();
  },
};

async function secondsUntilClaimed(world: World): Promise<number> {
  const [taskId = ''] = await world.submit({ documents: ['work:50'] });
  const seconds = await until('the claim', async () => {
    const [row] = await world.query<{ seconds: string }>(
      `select extract(epoch from a.claimed_at - t.created_at) as seconds
       from tickmark.task_attempts a join tickmark.tasks t on t.id = a.task_id where t.id = $1`,
      [taskId],
    );
    return row?.seconds;
  });
  return Number(seconds);
}

async function secondsUntilTold(world: World, received: string[]): Promise<number> {
  received.length = 0;
  const since = performance.now();
  await world.submit({ documents: ['work:50'] });
  await until('the change to be told', () => received.includes('change'));
  return (performance.now() - since) / 1000;
}
