import { setTimeout as delay } from 'node:timers/promises';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';

export const workersAway: Drill = {
  name: 'workers-away',
  promise: 'All workers are away for minutes while runs live: no run is doubled, cancelled or given up.',
  async run(arena, { away }) {
    const findings = new Findings();
    const world = await arena.world();
    const workers = [await world.startWorker(), await world.startWorker()];
    // Three runs at once: one ends by itself while nobody watches.
    const documents = [
      `wait:${world.goFile}`,
      `wait:${world.goFile}`,
      `work:${Math.round((away * 1000) / 2)}`,
    ];
    await world.submit({ documents: [...documents, 'work:50', 'work:50'] });
    await until('three runs', async () => (await world.liveHosts()).length === 3);
    await until('three dispatches noted', async () => {
      const rows = await world.query("select 1 from tickmark.task_attempts where status = 'running'");
      return rows.length === 3;
    });
    const killedAt = await world.kill(...workers);
    await delay(away * 1000);
    findings.note(
      `away ${Math.round((await world.now()) - killedAt)} s, the lease is ${world.leaseSeconds} s`,
    );
    const done = await world.countIn('completed');
    findings.expect(
      done === 1,
      `${done} tasks completed while the workers were away, not the one that ended`,
    );
    const back = await world.now();
    await world.startWorker();
    await until('the waiting work to go on', async () => (await world.countIn('completed')) >= 2);
    findings.note(`work goes on ${((await world.now()) - back).toFixed(1)} s after a worker’s start`);
    await delay(5_000);
    const alive = (await world.liveHosts()).length;
    findings.expect(alive === 2, `${alive} runs live on, not the 2 that were not done`);
    world.go();
    await checkInvariants(world, findings);
    const tasks = await world.tasks();
    const burnt = tasks.filter((task) => task.attempt_count !== 1 || task.status !== 'completed');
    findings.expect(burnt.length === 0, `${burnt.length} tasks were not completed by their first run`);
    return findings.done();
  },
};
