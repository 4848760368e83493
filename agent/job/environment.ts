import { z } from 'zod';

/** An unset variable and an empty one mean the same. */
const setting = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

/** What `run_agent.py` hands on. Nothing of it reaches the process that reads the document. */
const JobEnvironment = z.object({
  DATABRICKS_HOST: setting,
  /** The service principal that the run acts as: from the job's secret scope or its environment. */
  DATABRICKS_CLIENT_ID: setting,
  DATABRICKS_CLIENT_SECRET: setting,
  /** Without a service principal: the token that the platform gives the run. */
  DATABRICKS_TOKEN: setting,
  /** An origin besides those of Databricks Apps to which the run's token may go. */
  TICKMARK_URL: setting,
  /** Set by a launcher that holds our standard input open for as long as it lives. */
  TICKMARK_LAUNCHER_PIPE: setting,
  /** For tests: where `/Volumes` is mounted. */
  TICKMARK_VOLUMES_ROOT: setting.transform((value) => value ?? '/Volumes'),
});
export type JobEnvironment = z.infer<typeof JobEnvironment>;

export function readJobEnvironment(env: Record<string, string | undefined> = process.env): JobEnvironment {
  return JobEnvironment.parse(env);
}
