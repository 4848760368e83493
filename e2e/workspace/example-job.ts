import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BUNDLE_FOLDER } from './job-command';
import type { JobSettings } from './job-settings';

/** Waits in the volume until it is told how to end, and says there what it was given. */
const SCRIPT = `import json, os, pathlib, sys, time
folder = pathlib.Path(os.environ["TICKMARK_VOLUMES_ROOT"]) / pathlib.Path(sys.argv[2]).relative_to("/Volumes").parent
(folder / "seen.part").write_text(json.dumps({"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd()}))
(folder / "seen.part").rename(folder / "seen.json")
how = ""
while how == "":  # Made, but not yet written, is not there.
    time.sleep(0.05)
    how = (folder / "end").read_text() if (folder / "end").exists() else ""
if how != "well":
    raise RuntimeError(how)
`;

/** A job as our bundle makes it, with a Python file that a test can hold and let go. */
export const EXAMPLE_JOB: JobSettings = {
  name: 'tickmark-agent',
  max_concurrent_runs: 3,
  queue: { enabled: true },
  timeout_seconds: 0,
  parameters: [
    { name: 'input', default: '' },
    { name: 'attempt', default: '' },
  ],
  environments: [{ environment_key: 'agent', spec: { environment_version: '4' } }],
  tasks: [
    {
      task_key: 'agent',
      environment_key: 'agent',
      max_retries: 0,
      disable_auto_optimization: true,
      spark_python_task: {
        python_file: `${BUNDLE_FOLDER}/wait.py`,
        parameters: ['--input', '{{job.parameters.input}}'],
      },
    },
  ],
};

/** The job's file for the option `bundle`, and what removes it. */
export async function exampleBundle(): Promise<{ bundle: Record<string, string>; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tickmark-example-job-'));
  const file = path.join(folder, 'wait.py');
  await writeFile(file, SCRIPT);
  return { bundle: { 'wait.py': file }, remove: () => rm(folder, { recursive: true, force: true }) };
}
