import { config } from '@/lib/config/config';
import { type Config, ConfigError } from '@/lib/config/schema';
import { runCommand } from './cli/cli-error';
import { checkDatabase } from './doctor/check-database';
import { checkMachine } from './doctor/check-machine';
import { checkModel } from './doctor/check-model';
import { type Finding, problem } from './doctor/finding';
import { readInstance } from './supervisor/instance';

const MARK = { ok: '✓', note: '·', problem: '✗' } as const;

await runCommand(async () => {
  const findings = await examine();
  for (const { level, text } of findings) process.stdout.write(`${MARK[level]} ${text}\n`);
  const problems = findings.filter(({ level }) => level === 'problem').length;
  process.stdout.write(problems === 0 ? 'nothing is in the way\n' : `${problems} to fix\n`);
  return problems === 0 ? 0 : 1;
});

async function examine(): Promise<Finding[]> {
  let settings: Config;
  try {
    settings = config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map(problem);
  }
  const instance = await readInstance(settings.home);
  return [
    ...(await checkMachine(settings, instance)),
    ...(await checkDatabase(settings, instance)),
    await checkModel(settings),
  ];
}
