import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { INPUT_FILE } from '@/lib/platform/document-store/port';
import { createEmbeddedRunner } from '@/lib/platform/job-runner/embedded';
import { root } from '../root.mjs';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';
import type { World } from './world';

const LEASE_SECONDS = 5;

export const replicaFrozen: Drill = {
  name: 'replica-frozen',
  promise:
    'Of three replicas one freezes with a claim in its hands until after its lease, wakes and goes on: no run is doubled.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world({ leaseSeconds: LEASE_SECONDS });
    const frozen = await world.startWorker({ proxied: true });
    const held = world.proxy.holdAt({ statement: 'documents.agent_definition' });
    const [taskId = ''] = await world.submit({ documents: ['work:200'] });
    const point = await held;
    frozen.kill('SIGSTOP');
    await world.startWorker();
    await world.startWorker();
    await world.submit({ documents: Array(12).fill('work:200') });
    const gone = await secondsAfterLease(world, taskId);
    findings.within('its claim dispatched by another, after the end of the lease', gone, 4);
    await until('the others to do the work', async () => (await world.countIn('completed')) === 13);
    // It wakes and goes on with what it had claimed: it submits that attempt too.
    point.release();
    frozen.kill('SIGCONT');
    await delay(4_000);
    await world.submit({ documents: Array(3).fill('work:50') });
    await checkInvariants(world, findings);
    await expectOneAttemptEach(world, findings);
    return findings.done();
  },
};

export const submittedTwice: Drill = {
  name: 'submit-twice',
  promise: 'The same attempt submitted again and again, at once and later, is one run.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world({ leaseSeconds: LEASE_SECONDS });
    await world.startWorker({ proxied: true });
    const held = world.proxy.holdAt({ statement: 'queue.record_dispatch' });
    const [taskId = ''] = await world.submit({ documents: ['work:6000'] });
    const point = await held;
    // Nobody knows of the run yet. Others submit the attempt, sixteen times at once and then each in turn.
    const [attempt] = await world.query<{ id: string }>(
      'select id from tickmark.task_attempts where task_id = $1',
      [taskId],
    );
    const runIds = await submitMany(world, attempt?.id ?? '');
    await world.startWorker();
    await until('another worker to submit it, too', async () => {
      const rows = await world.query('select 1 from tickmark.task_attempts where run_id is not null');
      return rows.length > 0;
    });
    point.release();
    findings.note(`submitted ${runIds.length + 2} times by 3 processes, ${new Set(runIds).size} run id`);
    findings.expect(new Set(runIds).size === 1, 'the submissions were given different runs');
    await checkInvariants(world, findings);
    await expectOneAttemptEach(world, findings);
    return findings.done();
  },
};

async function submitMany(world: World, attemptId: string): Promise<string[]> {
  const runner = createEmbeddedRunner({
    home: world.home,
    slots: 4,
    hostScript: path.join(root, 'dist', 'host.mjs'),
    agentScript: path.join(root, 'dist', 'drill-agent.mjs'),
    programScript: path.join(root, 'dist', 'agent-program.mjs'),
    programs: {},
    environment: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  const request = {
    attemptId,
    idempotencyToken: `drill:${attemptId}`.slice(0, 64),
    inputPath: path.join(world.home, 'runs', attemptId, INPUT_FILE),
    maxRunSeconds: 60,
  };
  const submit = async () => {
    const outcome = await runner.submit(request);
    return outcome.kind === 'submitted' ? outcome.runId : outcome.kind;
  };
  const atOnce = await Promise.all(Array.from({ length: 16 }, submit));
  const inTurn: string[] = [];
  for (let n = 0; n < 4; n += 1) inTurn.push(await submit());
  return [...atOnce, ...inTurn];
}

/** From the end of the first lease to the dispatch by whoever took it. */
async function secondsAfterLease(world: World, taskId: string): Promise<number> {
  const [claim] = await world.query<{ ends: string }>(
    'select extract(epoch from lease_expires_at) as ends from tickmark.tasks where id = $1',
    [taskId],
  );
  const dispatched = await until('another worker to dispatch it', async () => {
    const [attempt] = await world.query<{ at: string }>(
      'select extract(epoch from dispatched_at) as at from tickmark.task_attempts where task_id = $1 and dispatched_at is not null',
      [taskId],
    );
    return attempt?.at;
  });
  return Number(dispatched) - Number(claim?.ends);
}

async function expectOneAttemptEach(world: World, findings: Findings): Promise<void> {
  const several = (await world.tasks()).filter((task) => task.attempt_count !== 1);
  findings.expect(several.length === 0, `${several.length} tasks needed more than one attempt`);
}
