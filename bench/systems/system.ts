/** What a task carries. Its work is nothing; only what is asked for is told. */
export interface TaskPayload {
  /**
   * `probe`: say when it started. `hold`: say so, and where the worker is to be killed, never end. `wait`: take
   * `milliseconds`.
   */
  readonly kind: 'nothing' | 'probe' | 'hold' | 'wait';
  readonly n: number;
  readonly milliseconds?: number;
  /** Tokens that it reports as used; only where the queue counts them. */
  readonly tokens?: number;
  /** Ends with an error that may be tried again. */
  readonly fails?: boolean;
}

/** Where a system keeps its tasks. */
export interface Place {
  readonly databaseUrl: string;
  readonly redisPort: number | null;
}

/** Called when a task starts; it ends with what is returned. */
export type Handle = (payload: TaskPayload) => void | Promise<void>;

/** The side that puts tasks in. */
export interface Producer {
  /** So many tasks of low priority that do nothing, by the fastest documented way. */
  enqueueMany(count: number): Promise<void>;
  enqueueOne(payload: TaskPayload, priority: 'low' | 'high'): Promise<void>;
  /** Tasks that are not finished: waiting or being worked on. */
  countOpen(): Promise<number>;
  close(): Promise<void>;
}

/** The side that takes them out, in a process of its own. */
export interface Consumer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A queue as the bench sees it. */
export interface System {
  /** What its database holds before it prepares it. */
  readonly contents: 'tickmark' | 'empty';
  readonly needsRedis: boolean;
  /** Makes its tables. */
  prepare(place: Place): Promise<void>;
  openProducer(place: Place): Promise<Producer>;
  openConsumer(place: Place, handle: Handle): Promise<Consumer>;
}

/** So many tasks go into the queue in one call. */
export const ENQUEUE_BATCH = 1000;

/** Calls `enqueue` with payloads of `count` tasks in all, a batch at a time. */
export async function inBatches(
  count: number,
  enqueue: (payloads: readonly TaskPayload[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += ENQUEUE_BATCH) {
    const size = Math.min(ENQUEUE_BATCH, count - from);
    await enqueue(Array.from({ length: size }, (_, n) => ({ kind: 'nothing', n: from + n })));
  }
}
