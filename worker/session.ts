import { type Listener, type ListenOptions, listen } from '@/lib/db/listen';
import type { Logger } from '@/lib/log';
import type { WorkerProcess } from '@/lib/queue/worker-heartbeat';
import { registerWorker } from '@/lib/queue/worker-session';

/** The one long-lived database session of a worker: it listens, and while it lives others know that the worker does. */
export interface WorkerSession {
  /**
   * Whether work may be dispatched: registered, so that others take it over at once if this process dies. A worker
   * that can't register for a while (a pooler in between, say) works on; then only leases tell of its end.
   */
  mayDispatch(): boolean;
  close(): Promise<void>;
}

const WORK_ON_AFTER_MS = 10_000;

export function openWorkerSession(
  options: Pick<ListenOptions, 'database' | 'onPing'> & {
    readonly self: WorkerProcess;
    readonly log: Logger;
  },
): WorkerSession {
  const { self, log } = options;
  let downSince = performance.now();
  let warned = false;
  const listener: Listener = listen({
    database: options.database,
    applicationName: 'tickmark worker listener',
    onPing: options.onPing,
    onConnect: (session) => registerWorker(session, self),
    onState(state, err) {
      if (state === 'down') {
        downSince = performance.now();
        log.warn({ err }, 'session.lost');
      } else {
        warned = false;
        log.info('session.registered');
      }
    },
  });
  return {
    mayDispatch() {
      if (listener.state() === 'live') return true;
      if (performance.now() - downSince < WORK_ON_AFTER_MS) return false;
      if (!warned) log.warn('session.working_without');
      warned = true;
      return true;
    },
    close: () => listener.close(),
  };
}
