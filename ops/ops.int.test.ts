import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GET as metrics } from '@/app/metrics/route';
import { beat } from '@/lib/queue/worker-heartbeat';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeTask } from '@/test/story';
import { createWorkerMetrics } from '@/worker/metrics';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

let app: TestApp;
let text: string;
beforeAll(async () => {
  app = await createTestApp();
  const worker = createWorkerMetrics();
  worker.loopRan('sweeper', { ms: 4, failed: false });
  await beat(
    app.db,
    { id: 'w1', host: 'h', pid: 1, version: '1' },
    { loops: worker.loops(), metrics: await worker.json() },
  );
  await writeTask(app.db, {
    status: 'completed',
    attempts: [{ status: 'succeeded', inputTokens: 70, outputTokens: 5, costUsd: '0.25' }],
  });
  await app.db.$client.query(`update tickmark.agents set max_concurrent_tasks = 4 where id = 'invoice'`);
  text = await (await call(metrics, { headers: await bearer('operator') })).text();
});
afterAll(() => app.close());

/** Every name that is shown, of a histogram its three kinds of samples, too. */
function shownNames(): Set<string> {
  const names = new Set<string>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    names.add(name);
    if (type === 'histogram') for (const end of ['bucket', 'sum', 'count']) names.add(`${name}_${end}`);
  }
  return names;
}
const namesIn = (source: string) => [...new Set(source.match(/\btickmark_[a-z0-9_]+/g))];

describe('what is handed out for monitoring', () => {
  test('every metric in the alert rules is one that /metrics shows', () => {
    const named = namesIn(read('ops/prometheus/alerts.yaml'));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !shownNames().has(name))).toEqual([]);
  });

  test('every metric in the dashboard is one that /metrics shows', () => {
    const dashboard = JSON.parse(read('ops/grafana/tickmark.json')) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const named = namesIn(expressions.join('\n'));
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((name) => !shownNames().has(name))).toEqual([]);
  });

  test('every alert says how urgent it is, what is the matter and what to do, and is in the runbook', () => {
    const rules = read('ops/prometheus/alerts.yaml')
      .split(/^ {6}- alert: /m)
      .slice(1);
    const runbook = read('docs/runbook.md');
    for (const rule of rules) {
      const [name = ''] = rule.split('\n');
      for (const part of [/^ {8}expr: /m, /severity: (page|ticket)$/m, /summary: \S/, /description: \S/]) {
        expect(rule, name).toMatch(part);
      }
      expect(runbook, name).toContain(`\`${name}\``);
    }
    expect(rules.length).toBeGreaterThan(15);
  });
});

describe('/metrics', () => {
  test('is text that Prometheus can read: each name has one type, each sample belongs to one', () => {
    const types = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(types.length);
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of samples) expect(line).toMatch(/^[a-z_][a-z0-9_]*(\{[^}]*\})? [-+0-9.eInfNa]+$/i);
    const known = shownNames();
    const orphans = samples
      .map((line) => /^[a-z0-9_]+/i.exec(line)?.[0] ?? '')
      .filter((name) => !known.has(name));
    expect(orphans).toEqual([]);
  });

  test('follows the conventions: counters end in _total, nothing else does, seconds and bytes are whole units', () => {
    const wrong = [...text.matchAll(/^# TYPE (tickmark_\S+) (\S+)$/gm)]
      .filter(([, name = '']) => !/_(nodejs|process)_/.test(name))
      .filter(([, name = '', type]) => (type === 'counter') !== name.endsWith('_total'));
    expect(wrong.map(([line]) => line)).toEqual([]);
    expect(text).not.toMatch(/^# TYPE \S+_(ms|millis|minutes|kb|mb)(_total)? /m);
  });

  test('tells tokens, cost, limits and leases of each agent', () => {
    expect(text).toContain('tickmark_tokens_total{agent="invoice",direction="input"} 70');
    expect(text).toContain('tickmark_llm_cost_usd_total{agent="invoice"} 0.25');
    expect(text).toContain('tickmark_agent_limit_tasks{agent="invoice",limit="set"} 4');
    expect(text).toContain('tickmark_agent_limit_tasks{agent="invoice",limit="effective"} 4');
    expect(text).toContain('tickmark_oldest_waiting_seconds{agent="invoice"} 0');
    expect(text).toMatch(/^tickmark_expired_leases 0$/m);
    expect(text).toMatch(/^tickmark_table_dead_rows\{table="tasks"\} \d/m);
    expect(text).toMatch(/^tickmark_attempts_ended_total\{end="lost"\} 0$/m);
    expect(text).toMatch(/^tickmark_callbacks_total\{outcome="applied"\} 0$/m);
  });
});
