import type { Bench } from './bench';
import type { SystemSpec } from './systems/catalogue';
import type { Place, Producer } from './systems/system';
import { WorkerHandle } from './worker-handle';

/** A fresh queue of one system with its producer, and the worker processes that a scenario starts on it. */
export class QueueUnderTest {
  readonly workers: WorkerHandle[] = [];

  constructor(
    readonly place: Place,
    readonly producer: Producer,
  ) {}

  /** Starts a worker process; it waits for `start()`. */
  async openWorker(spec: SystemSpec, { holds = false } = {}): Promise<WorkerHandle> {
    const worker = await WorkerHandle.open({ spec, place: this.place, holds });
    this.workers.push(worker);
    return worker;
  }

  /** Throws when a worker failed or has ended. */
  check(): void {
    for (const worker of this.workers) worker.check();
  }
}

/** Makes the queue, and ends all that belongs to it afterwards. */
export async function withQueue<T>(
  bench: Bench,
  spec: SystemSpec,
  work: (queue: QueueUnderTest) => Promise<T>,
  end: 'stop' | 'kill' = 'stop',
): Promise<T> {
  return bench.withPlace(spec, async (system, place) => {
    const queue = new QueueUnderTest(place, await system.openProducer(place));
    try {
      return await work(queue);
    } finally {
      await Promise.all(queue.workers.map((worker) => worker[end]()));
      await queue.producer.close();
    }
  });
}
