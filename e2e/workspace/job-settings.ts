import { z } from 'zod';

/**
 * Settings of a job as `POST /api/2.2/jobs/create` takes them (databricks-sdk-py `service/jobs.py`, environments in
 * `service/compute.py`), for what a serverless Python job uses.
 */

const NAME = /^[\w.-]{1,100}$/;

export const JobParameters = z
  .record(z.string().regex(NAME, { error: 'a name has letters, digits, _, - and .' }), z.string())
  // The cap applies where tasks use dynamic values, which ours do [https://docs.databricks.com/aws/en/jobs].
  .refine((parameters) => JSON.stringify(parameters).length <= 10_000, {
    error: 'job parameters have at most 10000 characters',
  });

const Environment = z
  .strictObject({
    environment_version: z.string().optional(),
    base_environment: z.string().optional(),
    dependencies: z.array(z.string()).optional(),
  })
  .refine(
    ({ environment_version, base_environment }) =>
      (environment_version === undefined) !== (base_environment === undefined),
    { error: 'needs environment_version or base_environment' },
  );

const Task = z.strictObject({
  task_key: z.string().regex(/^[\w-]{1,100}$/),
  description: z.string().optional(),
  /** Mandatory for a script on serverless compute, the only compute here. */
  environment_key: z.string(),
  spark_python_task: z.strictObject({
    python_file: z.string(),
    parameters: z.array(z.string()).optional(),
    source: z.enum(['WORKSPACE', 'GIT']).optional(),
  }),
  max_retries: z.number().int().min(-1).optional(),
  min_retry_interval_millis: z.number().int().optional(),
  retry_on_timeout: z.boolean().optional(),
  disable_auto_optimization: z.boolean().optional(),
  timeout_seconds: z.number().int().min(0).optional(),
});

export const JobSettings = z
  .strictObject({
    name: z.string().max(4096),
    description: z.string().optional(),
    tasks: z.array(Task).min(1).max(1000),
    environments: z.array(z.strictObject({ environment_key: z.string(), spec: Environment })),
    parameters: z.array(z.strictObject({ name: z.string().regex(NAME), default: z.string() })).default([]),
    queue: z.strictObject({ enabled: z.boolean() }).optional(),
    max_concurrent_runs: z.number().int().min(0).max(1000).default(1),
    timeout_seconds: z.number().int().min(0).default(0),
    performance_target: z.enum(['PERFORMANCE_OPTIMIZED', 'STANDARD']).optional(),
    run_as: z.strictObject({ service_principal_name: z.string() }).optional(),
    tags: z.record(z.string(), z.string()).optional(),
  })
  .superRefine(({ tasks, environments }, context) => {
    const known = new Set(environments.map((one) => one.environment_key));
    for (const { environment_key } of tasks) {
      if (!known.has(environment_key)) {
        context.addIssue({ code: 'custom', message: `environment_key ${environment_key} is not defined` });
      }
    }
  });
export type JobSettings = z.infer<typeof JobSettings>;
export type JobTask = z.infer<typeof Task>;

/** A saved job. */
export interface Job {
  readonly id: bigint;
  readonly settings: JobSettings;
  readonly createdAt: number;
}

/**
 * Fills in what the platform resolves in a task's fields, as literal strings
 * [https://docs.databricks.com/aws/en/jobs/dynamic-value-references]. A reference that it does not know stays as it is.
 */
export function resolveReferences(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => known[name] ?? whole);
}
