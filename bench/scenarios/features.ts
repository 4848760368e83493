import type { Bench, Row } from '../bench';
import { drain } from '../drain';
import type { Part, Target } from '../measurement';
import { COLUMNS, findPace } from './throughput';

/** What exact limits and notifications cost, beside the same without them. */
export async function features(bench: Bench): Promise<Part> {
  const { pace, note } = await findPace(bench);
  const hundred = { batch: 100, connections: pace.connections };
  const tickmark = (row: string, options: object = {}): Row => ({
    ...{ row, spec: { system: 'tickmark', options: { ...pace, ...options } } },
  });
  const rows = [
    tickmark('one agent, exact limit'),
    tickmark('one agent, no limit', { limit: null }),
    tickmark('twenty agents, exact limits', { agents: 20 }),
    tickmark('twenty agents, no limits', { agents: 20, limit: null }),
    tickmark('batches of 100, notified', hundred),
    tickmark('batches of 100, not notified', { ...hundred, notify: false }),
  ];
  const options = { tasks: bench.options.tasks, processes: 1 };
  const measured = await bench.rounds('features', rows, (row) => drain(bench, row, options));
  const kept = (says: string, row: string, over: string, atLeast: number, aim?: number): Target => ({
    ...{ says, row, figure: 'perSecond', over: { row: over }, atLeast, ...(aim ? { aim } : {}) },
  });
  return {
    name: 'features',
    title: 'What exact limits and notifications cost',
    columns: COLUMNS,
    targets: [
      kept(
        'rate kept under the exact limit of one agent',
        'one agent, exact limit',
        'one agent, no limit',
        0.8,
        0.9,
      ),
      kept(
        'rate kept under those of twenty',
        'twenty agents, exact limits',
        'twenty agents, no limits',
        0.97,
      ),
      kept(
        'rate kept with a notification per statement',
        'batches of 100, notified',
        'batches of 100, not notified',
        0.93,
      ),
    ],
    notes: [note, 'A limit is set and never reached: what is measured is the lock and the count.'],
    ...measured,
  };
}
