import { randomUUID } from 'node:crypto';
import { attemptKey, signDelivery } from '@/lib/contract/signature';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import type { Answer, Incoming } from './receiver';
import { tally } from './tally';
import { WEBHOOK_SECRET, type World } from './world';

export const successThenFailure: Drill = {
  name: 'success-then-failure',
  promise: 'A success that was applied stays, whatever its run reports or does afterwards.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const answers: Answer[] = [];
    world.receiver.meet = async (incoming, handOn) => {
      const answer = await handOn(incoming);
      answers.push(await world.receiver.deliver(failureOf(incoming)));
      // Its run dies without having heard that it was understood.
      for (const pid of await world.liveHosts()) process.kill(pid, 'SIGKILL');
      return answer;
    };
    await world.startWorker();
    await world.submit({ documents: ['work:50', 'work:50', 'work:50'] });
    await checkInvariants(world, findings);
    await expectAll(world, findings, 'completed');
    findings.note(`failures after the success: ${tally(answers)}`);
    return findings.done();
  },
};

export const failureThenSuccess: Drill = {
  name: 'failure-then-success',
  promise:
    'A success that comes after its own attempt was given up as failed completes the task all the same.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const answers: Answer[] = [];
    world.receiver.meet = async (incoming, handOn) => {
      await world.receiver.deliver(failureOf(incoming));
      const answer = await handOn(incoming);
      answers.push(answer);
      return answer;
    };
    await world.startWorker();
    await world.submit({ documents: ['work:50', 'work:50', 'work:50'] });
    await checkInvariants(world, findings);
    await expectAll(world, findings, 'completed');
    findings.note(`successes after the failure: ${tally(answers)}`);
    return findings.done();
  },
};

/** What the attempt of a delivery would send if it had failed for a reason that may pass. */
function failureOf(incoming: Incoming): Incoming {
  const { taskId, attemptId, runId, traceId } = JSON.parse(incoming.body) as Record<string, string>;
  const error = { code: 'internal', message: 'drill', retryable: true, retryAfterSeconds: null };
  const body = JSON.stringify({ type: 'attempt.failed', taskId, attemptId, runId, traceId, error });
  const key = attemptKey(WEBHOOK_SECRET, attemptId ?? '');
  return { headers: signDelivery(key, `drill_${randomUUID()}`, new Date(), body), body };
}

async function expectAll(world: World, findings: Findings, status: string): Promise<void> {
  const other = (await world.tasks()).filter((task) => task.status !== status);
  findings.expect(other.length === 0, `${other.length} tasks are not ${status}`);
}
