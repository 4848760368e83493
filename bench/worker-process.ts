import { setTimeout as delay } from 'node:timers/promises';
import { now } from './clock';
import type { FromWorker, ToWorker, WorkerOrder } from './messages';
import { openSystem } from './systems/catalogue';
import type { Consumer, TaskPayload } from './systems/system';

// A worker process of any of the systems: it takes tasks, and tells how many, and when those started that it was asked about.

const TELL_MS = 10;
const STOP_MS = 5000;

const order = JSON.parse(process.argv[2] ?? '') as WorkerOrder;
const tell = (message: FromWorker) => process.send?.(message);
let count = 0;
let firstAt = 0;
let told = 0;

function handle({ kind, n, milliseconds }: TaskPayload): void | Promise<void> {
  const at = now();
  if (count === 0) firstAt = at;
  count += 1;
  if (kind === 'nothing') return;
  if (kind === 'wait') return delay(milliseconds);
  tell({ kind, n, at });
  if (kind === 'hold' && order.holds) return new Promise(() => {});
}

function fail(error: unknown): void {
  tell({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

process.on('unhandledRejection', fail);
process.on('disconnect', () => process.exit(0));
setInterval(() => {
  if (count === told) return;
  told = count;
  tell({ kind: 'handled', count, firstAt });
}, TELL_MS).unref();

async function stop(consumer: Consumer): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, STOP_MS));
  await Promise.race([consumer.stop().catch(fail), patience]);
  process.exit(0);
}

try {
  const consumer = await openSystem(order.spec).openConsumer(order.place, handle);
  process.on('message', (message: ToWorker) => {
    if (message === 'stop') void stop(consumer);
    else void consumer.start().catch(fail);
  });
  tell({ kind: 'ready' });
} catch (error) {
  fail(error);
}
