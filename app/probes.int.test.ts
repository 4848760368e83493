import { Counter, Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beat } from '@/lib/queue/worker-heartbeat';
import { bearer, call, createTestApp, type TestApp } from '@/test/api';
import { writeTask } from '@/test/story';
import { GET as openapi } from './api/v1/openapi.json/route';
import { GET as callbackSchema } from './api/v1/schemas/callback.json/route';
import { GET as healthz } from './healthz/route';
import { GET as metrics } from './metrics/route';
import { GET as readyz } from './readyz/route';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('probes', () => {
  test('liveness asks for nothing', async () => {
    expect((await healthz()).status).toBe(200);
  });

  test('B37: readiness needs database, migrations and a worker that gave a sign lately and is not lost', async () => {
    expect((await readyz()).status).toBe(503);
    await app.db.$client.query(
      'create table if not exists tickmark.schema_migrations (id serial, hash text, created_at bigint)',
    );
    await app.db.$client.query('insert into tickmark.schema_migrations (hash, created_at) values ($1, $2)', [
      'x',
      9e15,
    ]);
    expect((await (await readyz()).json()).checks).toMatchObject({
      migrations: { ok: true },
      worker: { ok: false },
    });
    await beat(app.db, { id: 'w1', host: 'h', pid: 1, version: '0' });
    const ready = await readyz();
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({
      status: 200,
      body: { status: 'ready' },
    });
    await app.db.$client.query("update tickmark.workers set heartbeat_at = now() - interval '1 minute'");
    expect((await readyz()).status).toBe(503);
    await beat(app.db, { id: 'w1', host: 'h', pid: 1, version: '0' });
    await app.db.$client.query('update tickmark.workers set lost_at = clock_timestamp()');
    expect((await readyz()).status).toBe(503);
  });

  test('B9: Prometheus reads tasks by agent and status', async () => {
    await writeTask(app.db, { status: 'failed' });
    const registry = new Registry();
    new Counter({ name: 'tickmark_worker_claimed_total', help: 'x', registers: [registry] }).inc(3);
    const sweeper = { agoMs: 400, tookMs: 5, runs: 1, failures: 0 };
    for (const id of ['w2', 'w3']) {
      const report = { loops: { sweeper }, metrics: await registry.getMetricsAsJSON() };
      await beat(app.db, { id, host: 'h', pid: 1, version: '9.9' }, report);
    }
    const text = await (await call(metrics, { headers: await bearer('operator') })).text();
    expect(text).toContain('tickmark_worker_claimed_total 6');
    expect(text).toMatch(/tickmark_worker_loop_age_seconds\{loop="sweeper"\} \d/);
    expect(text).toContain('tickmark_worker_info{version="9.9"} 2');
    expect(text).toContain('tickmark_tasks{agent="invoice",status="failed"} 1');
    expect(text).toContain('tickmark_app_process_resident_memory_bytes');
  });

  test('the API describes itself from the schemas it checks with', async () => {
    const headers = await bearer('auditor');
    const document = await (await call(openapi, { headers })).json();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/api/v1/extractions/{id}/documents');
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Extraction', 'TaskDetail', 'Problem']),
    );
    const schema = await (await call(callbackSchema, { headers })).json();
    expect(JSON.stringify(schema)).toContain('attempt.succeeded');
  });
});
