import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withTransaction } from '@/lib/db/transaction';
import { addDocuments } from '@/lib/documents/add-documents';
import { createExtraction } from '@/lib/documents/create-extraction';
import { createEmbeddedDocumentStore } from '@/lib/platform/document-store/embedded';
import { root } from '../root.mjs';
import { freePort } from '../supervisor/ports';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';
import type { World } from './world';

const SAMPLES = ['invoice-harbour-cloud.pdf', 'rechnung-nordlicht.pdf'];
/** What the provider asks for while it is out of quota. */
const RETRY_AFTER_SECONDS = 30;

export const runnerUnavailable: Drill = {
  name: 'runner-unavailable',
  promise:
    'The runner is out of reach for minutes: live runs are left alone, waiting work waits, no attempt is burnt.',
  async run(arena, { outage }) {
    const findings = new Findings();
    const world = await arena.world();
    await world.startWorker();
    await world.startWorker();
    await world.submit({ documents: [`wait:${world.goFile}`, `wait:${world.goFile}`] });
    await until('two runs', async () => {
      const rows = await world.query("select 1 from tickmark.task_attempts where status = 'running'");
      return rows.length === 2;
    });
    writeFileSync(world.outageFile, '');
    await world.submit({ documents: Array(6).fill('work:50') });
    await delay(outage * 1000);
    const alive = (await world.liveHosts()).length;
    findings.expect(alive === 2, `${alive} runs were alive at the end of the outage, not the same 2`);
    const done = await world.countIn('completed', 'failed', 'cancelled');
    findings.expect(done === 0, `${done} tasks ended although nothing could be run`);
    const since = await world.now();
    rmSync(world.outageFile);
    world.go();
    const first = await until('work to be dispatched again', async () => {
      const [row] = await world.query<{ at: string | null }>(
        'select extract(epoch from min(dispatched_at)) as at from tickmark.task_attempts where dispatched_at > to_timestamp($1)',
        [since],
      );
      return row?.at;
    });
    findings.note(`out of reach for ${outage} s`);
    findings.within('work goes on after', Number(first) - since, 20);
    await checkInvariants(world, findings);
    const burnt = (await world.tasks()).filter(
      (task) => task.attempt_count !== 1 || task.status !== 'completed',
    );
    findings.expect(burnt.length === 0, `${burnt.length} tasks were not completed in one attempt`);
    return findings.done();
  },
};

export const providerQuota: Drill = providerDrill('quota', {
  name: 'provider-quota',
  promise:
    'The model’s provider is out of quota for minutes: no document fails, and nobody hammers at its door.',
});

export const providerAway: Drill = providerDrill('away', {
  name: 'provider-away',
  promise: 'The model can’t be reached for minutes: no document fails, and it goes on by itself.',
});

/** @param how the door is shut: every request is answered 429, or none at all */
function providerDrill(how: 'quota' | 'away', about: Pick<Drill, 'name' | 'promise'>): Drill {
  return {
    ...about,
    async run(arena, { outage }) {
      const findings = new Findings();
      const world = await arena.world();
      const provider = await openProvider(world.home);
      try {
        await submitSamples(world, 2);
        provider.out = how;
        const worker = {
          agent: path.join(root, 'dist', 'agent.mjs'),
          environment: { MODEL_BASE_URL: provider.url, MODEL_NAME: 'tickmark-rules-1' },
        };
        await world.startWorker(worker);
        await world.startWorker(worker);
        await until('the first refusal', () => provider.refused > 0, 90);
        await delay(outage * 1000);
        const ended = await world.countIn('failed');
        findings.expect(ended === 0, `${ended} documents failed for want of a model`);
        const { refused } = provider;
        findings.note(
          `${how === 'quota' ? 'out of quota' : 'away'} for ${outage} s: ${refused} requests refused`,
        );
        provider.out = null;
        const since = await world.now();
        await until(
          'all to be completed',
          async () => (await world.countIn('completed', 'failed')) === 4,
          300,
        );
        findings.note(`all done ${((await world.now()) - since).toFixed(1)} s after`);
        await checkInvariants(world, findings);
        const failed = await world.countIn('failed');
        findings.expect(failed === 0, `${failed} documents failed`);
      } finally {
        await provider.close();
      }
      return findings.done();
    },
  };
}

/** Real documents, inspected and read as always. */
async function submitSamples(world: World, times: number): Promise<void> {
  const store = createEmbeddedDocumentStore(world.home);
  const files = await Promise.all(
    Array.from({ length: times }, () => SAMPLES)
      .flat()
      .map(async (filename) => {
        const bytes = createReadStream(path.join(root, 'public', 'samples', filename));
        return { filename, stored: await store.put(bytes, { maxBytes: 10_000_000 }) };
      }),
  );
  await withTransaction(world.db, async (tx) => {
    const extraction = await createExtraction(tx, {
      agentId: 'invoice',
      client: null,
      name: null,
      priority: null,
      submittedBy: 'drill',
    });
    await addDocuments(tx, extraction, files, 'drill');
  });
}

interface Provider {
  readonly url: string;
  out: 'quota' | 'away' | null;
  readonly refused: number;
  close(): Promise<void>;
}

/** The built-in model behind a door that can be shut. */
async function openProvider(home: string): Promise<Provider> {
  const port = await freePort();
  const model: ChildProcess = spawn(
    process.execPath,
    [path.join(root, 'dist', 'rules-model.mjs'), '--port', String(port)],
    {
      cwd: home,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  );
  let refused = 0;
  const server: Server = createServer((incoming, outgoing) => {
    if (provider.out) {
      refused += 1;
      if (provider.out === 'away') {
        incoming.socket.destroy();
        return;
      }
      incoming.resume();
      outgoing.writeHead(429, {
        'retry-after': String(RETRY_AFTER_SECONDS),
        'content-type': 'application/json',
      });
      outgoing.end(JSON.stringify({ error: { message: 'out of quota', type: 'insufficient_quota' } }));
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    out: null,
    get refused() {
      return refused;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      const exit = once(model, 'exit');
      model.kill('SIGKILL');
      await exit;
    },
  };
  return provider;
}
