import type { SystemSpec } from './systems/catalogue';
import type { Place } from './systems/system';

/** What a worker process is started with. */
export interface WorkerOrder {
  readonly spec: SystemSpec;
  readonly place: Place;
  /** Tasks of kind `hold` never end: the process is going to be killed. */
  readonly holds: boolean;
}

export type ToWorker = 'start' | 'stop';

/** Times are of the monotonic clock, in milliseconds. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'handled'; readonly count: number; readonly firstAt: number }
  | { readonly kind: 'probe' | 'hold'; readonly n: number; readonly at: number }
  | { readonly kind: 'failed'; readonly reason: string };
