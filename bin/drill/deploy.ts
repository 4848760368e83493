import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import packageJson from '@/package.json' with { type: 'json' };
import { root } from '../root.mjs';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';
import type { World } from './world';

const NEXT_VERSION = `${packageJson.version}-next`;

export const deploy: Drill = {
  name: 'deploy',
  promise:
    'A deploy under load: the new version starts, the old one is told to end and leaves within 5 s, nothing is lost.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    const script = await buildNextVersion();
    try {
      const old = [await world.startWorker(), await world.startWorker()];
      await world.submit({ documents: Array(24).fill('work:400') });
      await until('the work to be under way', async () => (await world.countIn('completed')) > 2);
      await world.startWorker({ script });
      const versions = await world.query<{ version: string }>(
        'select distinct version from tickmark.workers',
      );
      findings.note(`${versions.length} versions side by side`);
      findings.expect(versions.length === 2, `${versions.length} versions ran side by side, not 2`);
      const since = performance.now();
      const exits = old.map(async (worker) => {
        const exit = once(worker, 'exit');
        worker.kill('SIGTERM');
        return (await exit)[0] as number | null;
      });
      const codes = await Promise.all(exits);
      findings.within('the old ones left after', (performance.now() - since) / 1000, 5);
      findings.expect(
        codes.every((code) => code === 0),
        `they ended with ${codes.join(', ')}`,
      );
      await checkInvariants(world, findings);
      await expectNothingBurnt(world, findings);
    } finally {
      await rm(script, { force: true });
    }
    return findings.done();
  },
};

/** The worker as the next release would bring it: the same but for its version. */
async function buildNextVersion(): Promise<string> {
  const dist = path.join(root, 'dist');
  const code = await readFile(path.join(dist, 'drill-worker.mjs'), 'utf8');
  const changed = code.replace(`version: "${packageJson.version}"`, `version: "${NEXT_VERSION}"`);
  if (changed === code) throw new Error('the bundle of the worker does not say its version');
  const script = path.join(dist, `drill-worker-next-${process.pid}.mjs`);
  await writeFile(script, changed);
  return script;
}

async function expectNothingBurnt(world: World, findings: Findings): Promise<void> {
  const burnt = (await world.tasks()).filter(
    (task) => task.attempt_count !== 1 || task.status !== 'completed',
  );
  findings.expect(burnt.length === 0, `${burnt.length} tasks were not completed in one counted attempt`);
  const lost = await world.query(
    "select 1 from tickmark.task_attempts where status in ('lost', 'superseded', 'failed')",
  );
  findings.note(`${lost.length} attempts lost`);
  findings.expect(lost.length === 0, `${lost.length} attempts were lost`);
}
