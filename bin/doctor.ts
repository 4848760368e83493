import { readAgentsFile } from '@/lib/config/agents-file';
import { config } from '@/lib/config/config';
import type { DatabricksSettings } from '@/lib/config/databricks-settings';
import { type Config, ConfigError } from '@/lib/config/schema';
import { workspaceOf } from '@/lib/databricks/workspace-of';
import { createLogger } from '@/lib/log';
import { runCommand } from './cli/cli-error';
import { checkDatabase } from './doctor/check-database';
import { checkMachine } from './doctor/check-machine';
import { checkModel } from './doctor/check-model';
import { checkTraces } from './doctor/check-traces';
import { checkWorkspace } from './doctor/check-workspace';
import { type Finding, ok, problem } from './doctor/finding';
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
    ...checkAgentsFile(settings),
    ...(await checkDatabase(settings, instance)),
    ...(settings.databricks
      ? await checkBindings(settings, settings.databricks)
      : [await checkModel(settings)]),
    ...[await checkTraces(settings)].filter((finding) => finding !== null),
  ];
}

function checkAgentsFile({ agentsFile }: Config): Finding[] {
  if (!agentsFile) return [];
  try {
    const ids = readAgentsFile(agentsFile).map(({ id }) => id);
    return [ok(`agents of ${agentsFile}: ${ids.join(', ') || 'none'}`)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [problem(error.message)];
  }
}

async function checkBindings(settings: Config, databricks: DatabricksSettings): Promise<Finding[]> {
  const workspace = workspaceOf(databricks, createLogger('doctor', 'error'));
  try {
    return await checkWorkspace(settings, workspace);
  } finally {
    await workspace.close();
  }
}
