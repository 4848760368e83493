import type { TraceSource } from './port';

/** No traces: tokens and cost are what the agents report. */
export function createNoTraceSource(): TraceSource {
  return { name: 'none', seesRunsInFlight: false, read: async () => ({ kind: 'absent' }) };
}
