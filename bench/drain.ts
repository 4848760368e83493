import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row, Run } from './bench';
import { now } from './clock';
import type { Producer } from './systems/system';
import { WorkerHandle } from './worker-handle';

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
  return bench.withPlace(spec, async (system, place) => {
    const producer = await system.openProducer(place);
    const workers: WorkerHandle[] = [];
    try {
      const filling = now();
      await producer.enqueueMany(tasks);
      const enqueuedPerSecond = tasks / ((now() - filling) / 1000);
      await bench.postgres.settle(place.databaseUrl);
      for (let n = 0; n < processes; n += 1) {
        workers.push(await WorkerHandle.open({ spec, place, holds: false }));
      }
      const used = bench.accounting.begin();
      for (const worker of workers) worker.start();
      const ended = await untilEmpty(producer, workers, tasks);
      const usage = used();
      const seconds = (ended - Math.min(...workers.map(({ firstAt }) => firstAt))) / 1000;
      const perTask = (cpuSeconds: number) => (cpuSeconds * 1e6) / tasks;
      return {
        usage,
        figures: {
          perSecond: tasks / seconds,
          enqueuedPerSecond,
          postgresMicros: perTask(usage.postgres),
          nodeMicros: perTask(usage.node),
          ...(system.needsRedis ? { redisMicros: perTask(usage.redis) } : {}),
        },
      };
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
      await producer.close();
    }
  });
}

async function untilEmpty(
  producer: Producer,
  workers: readonly WorkerHandle[],
  tasks: number,
): Promise<number> {
  const patience = now() + PATIENCE_MS;
  for (;;) {
    await delay(LOOK_MS);
    for (const worker of workers) worker.check();
    const handled = workers.reduce((sum, worker) => sum + worker.handled, 0);
    if (handled >= tasks && (await producer.countOpen()) === 0) return now();
    if (now() > patience)
      throw new Error(`after ${PATIENCE_MS / 1000} s ${handled} of ${tasks} were started`);
  }
}
