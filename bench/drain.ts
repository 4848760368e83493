import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row, Run } from './bench';
import { now } from './clock';
import { type QueueUnderTest, withQueue } from './queue-under-test';
import { openSystem } from './systems/catalogue';

export interface DrainOptions {
  readonly tasks: number;
  readonly processes: number;
}

const LOOK_MS = 4;
const PATIENCE_MS = 180_000;

/**
 * Fills a fresh queue with tasks that do nothing, then lets worker processes empty it. The time runs from the first
 * task's start until none is waiting or being worked on.
 * @returns `perSecond`, `enqueuedPerSecond`, and microseconds of CPU per task of PostgreSQL, Node and Redis
 */
export async function drain(bench: Bench, { spec }: Row, { tasks, processes }: DrainOptions): Promise<Run> {
  return withQueue(bench, spec, async (queue) => {
    const filling = now();
    await queue.producer.enqueueMany(tasks);
    const enqueuedPerSecond = tasks / ((now() - filling) / 1000);
    await bench.postgres.settle(queue.place.databaseUrl);
    for (let n = 0; n < processes; n += 1) await queue.openWorker(spec);
    const used = bench.accounting.begin();
    for (const worker of queue.workers) worker.start();
    const ended = await untilEmpty(queue, tasks);
    const usage = used();
    const seconds = (ended - Math.min(...queue.workers.map(({ firstAt }) => firstAt))) / 1000;
    const perTask = (cpuSeconds: number) => (cpuSeconds * 1e6) / tasks;
    return {
      usage,
      figures: {
        perSecond: tasks / seconds,
        enqueuedPerSecond,
        postgresMicros: perTask(usage.postgres),
        nodeMicros: perTask(usage.node),
        ...(openSystem(spec).needsRedis ? { redisMicros: perTask(usage.redis) } : {}),
      },
    };
  });
}

async function untilEmpty(queue: QueueUnderTest, tasks: number): Promise<number> {
  const patience = now() + PATIENCE_MS;
  for (;;) {
    await delay(LOOK_MS);
    queue.check();
    const handled = queue.workers.reduce((sum, worker) => sum + worker.handled, 0);
    if (handled >= tasks && (await queue.producer.countOpen()) === 0) return now();
    if (now() > patience)
      throw new Error(`after ${PATIENCE_MS / 1000} s ${handled} of ${tasks} were started`);
  }
}
