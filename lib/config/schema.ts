import path from 'node:path';
import { z } from 'zod';
import { DATABRICKS_VARIABLES, type DatabricksSettings, databricksSettings } from './databricks-settings';
import { int, isLoopback, oneOf, optional, origin, seconds, secret, webAddress, withDefault } from './fields';
import { MLFLOW_VARIABLES, type MlflowSettings, mlflowSettings } from './mlflow-settings';

/** Every variable that Tickmark reads; described for people in docs/configuration.md. */
export const Environment = z.object({
  HOST: optional(z.string()),
  PORT: withDefault(int(1, 65_535), 3000),
  TICKMARK_HOME: withDefault(z.string(), './.tickmark'),
  TICKMARK_URL: optional(origin),
  TICKMARK_PLATFORM: optional(oneOf(['embedded', 'databricks'])),
  DATABASE_URL: optional(
    z.url({
      protocol: /^postgres(ql)?$/,
      error: 'needs an address such as postgres://user:password@host:5432/database',
    }),
  ),
  DATABASE_POOL_SIZE: optional(int(2, 500)),
  MAX_CONCURRENT_TASKS: optional(int(1, 1_000_000)),
  MAX_TPM: optional(int(1, 2_000_000_000)),
  LEASE_SECONDS: optional(int(5, 3600)),
  SWEEP_INTERVAL_SECONDS: withDefault(seconds(0.1, 300), 1),
  POLL_INTERVAL_SECONDS: withDefault(int(1, 300), 10),
  HOUSEKEEPING_DAYS: withDefault(int(1, 3650), 30),
  COMPUTE_USD_PER_HOUR: optional(
    z.string().regex(/^\d{1,6}(\.\d{1,9})?$/, { error: 'needs an amount of US dollars such as 0.05' }),
  ),
  TICKMARK_RUNNER_SLOTS: optional(int(1, 256)),
  TICKMARK_AGENTS_FILE: optional(z.string()),
  MAX_FILE_MB: withDefault(int(1, 10_000), 100),
  MAX_PAGES: withDefault(int(1, 100_000), 2000),
  MODEL_BASE_URL: optional(origin),
  MODEL_API_KEY: optional(z.string()),
  MODEL_NAME: optional(z.string()),
  MODEL_VISION: optional(oneOf(['true', 'false'])),
  RULES_MODEL_RPM: optional(int(0, 1_000_000)),
  RULES_MODEL_TPM: optional(int(0, 2_000_000_000)),
  ...MLFLOW_VARIABLES,
  WEBHOOK_SECRET: optional(secret),
  AUTH_SECRET: optional(secret),
  AUTH_OIDC_ISSUER: optional(webAddress),
  AUTH_OIDC_CLIENT_ID: optional(z.string()),
  AUTH_OIDC_CLIENT_SECRET: optional(z.string()),
  TICKMARK_ADMIN_TOKEN: optional(secret),
  TICKMARK_TOKEN: optional(z.string()),
  LOG_LEVEL: withDefault(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  ...DATABRICKS_VARIABLES,
});
export type Environment = z.infer<typeof Environment>;

/** Settings with their defaults filled in. */
export interface Config {
  readonly platform: 'embedded' | 'databricks';
  readonly host: string;
  readonly port: number;
  /** Absolute path of the data folder. */
  readonly home: string;
  /** Public origin without a trailing slash: callbacks, links, CLI. */
  readonly url: string;
  readonly databaseUrl: string | undefined;
  /** Connections that one process keeps at most, its listening one besides; undefined = chosen by what the server allows. */
  readonly databasePoolSize: number | undefined;
  /** What the platform calls the database, also where a person reaches it by DATABASE_URL from elsewhere. */
  readonly lakebase: { readonly endpoint: string | undefined; readonly instance: string | undefined };
  /** The workspace and its resources; undefined on the embedded platform. */
  readonly databricks: DatabricksSettings | undefined;
  readonly ceilings: { readonly maxConcurrentTasks: number | null; readonly maxTpm: number | null };
  readonly leaseSeconds: number;
  readonly sweepIntervalSeconds: number;
  readonly pollIntervalSeconds: number;
  /** Age at which finished bulk operations and the like are removed. */
  readonly housekeepingDays: number;
  /** What an hour of a run is taken to cost, for estimates of compute cost: US dollars as a decimal string. */
  readonly computeUsdPerHour: string;
  /** undefined = as many as there are cores */
  readonly runnerSlots: number | undefined;
  /** Absolute path of the file that names programs as agents; undefined = there are none. */
  readonly agentsFile: string | undefined;
  readonly maxFileBytes: number;
  readonly maxPages: number;
  /** undefined = the built-in rules model */
  readonly model:
    | {
        readonly baseUrl: string;
        readonly apiKey: string | undefined;
        readonly name: string;
        /** It is shown pictures of pages without text. */
        readonly vision: boolean;
      }
    | undefined;
  /** Limits per minute of the built-in model: 0 = none, undefined = its own generous ones. */
  readonly rulesModel: {
    readonly requestsPerMinute: number | undefined;
    readonly tokensPerMinute: number | undefined;
  };
  /** Where traces of model calls go; undefined = nowhere. */
  readonly mlflow: MlflowSettings | undefined;
  readonly webhookSecret: string | undefined;
  readonly authSecret: string | undefined;
  readonly oidc:
    | { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
    | undefined;
  readonly adminToken: string | undefined;
  /** What the CLI sends. */
  readonly token: string | undefined;
  readonly logLevel: Environment['LOG_LEVEL'];
}

/** A setting that can't be used; the message names the variable and says what to do. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** About what a virtual core costs on demand at the large clouds. */
const DEFAULT_COMPUTE_USD_PER_HOUR = '0.05';

/**
 * Reads settings from an environment. Throws {@link ConfigError} with one line per wrong variable.
 * @param env usually `process.env`
 * @param cwd what a relative TICKMARK_HOME starts from, and TICKMARK_AGENTS_FILE unless npm was started elsewhere
 */
export function parseConfig(env: Record<string, string | undefined>, cwd: string): Config {
  const parsed = Environment.safeParse(env);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  const e = parsed.data;
  const platform = e.TICKMARK_PLATFORM ?? (e.DATABRICKS_APP_NAME ? 'databricks' : 'embedded');
  const host = e.HOST ?? (platform === 'databricks' ? '0.0.0.0' : '127.0.0.1');
  const oidcParts = [e.AUTH_OIDC_ISSUER, e.AUTH_OIDC_CLIENT_ID, e.AUTH_OIDC_CLIENT_SECRET];
  if (oidcParts.some(Boolean) && !oidcParts.every(Boolean)) {
    throw new ConfigError(
      'AUTH_OIDC_ISSUER, AUTH_OIDC_CLIENT_ID, AUTH_OIDC_CLIENT_SECRET: set all three or none',
    );
  }
  if (platform === 'databricks' && e.TICKMARK_AGENTS_FILE) {
    throw new ConfigError('TICKMARK_AGENTS_FILE: for one machine only; on Databricks agents run in the job');
  }
  const databricks = platform === 'databricks' ? requireDatabricks(e) : undefined;
  const model = modelOf(e, databricks);
  if (e.MODEL_BASE_URL && !e.MODEL_NAME) {
    throw new ConfigError('MODEL_NAME: needed with MODEL_BASE_URL, the name of the model to ask for');
  }
  const oidc =
    e.AUTH_OIDC_ISSUER && e.AUTH_OIDC_CLIENT_ID && e.AUTH_OIDC_CLIENT_SECRET
      ? {
          issuer: e.AUTH_OIDC_ISSUER,
          clientId: e.AUTH_OIDC_CLIENT_ID,
          clientSecret: e.AUTH_OIDC_CLIENT_SECRET,
        }
      : undefined;
  if (platform === 'embedded' && !isLoopback(host) && !oidc) {
    throw new ConfigError(
      `HOST: ${host} can be reached by other machines, which needs a real sign-in: set AUTH_OIDC_ISSUER, AUTH_OIDC_CLIENT_ID and AUTH_OIDC_CLIENT_SECRET, or use 127.0.0.1`,
    );
  }
  const port = e.DATABRICKS_APP_PORT ?? e.PORT;
  return {
    platform,
    host,
    port,
    home: path.resolve(cwd, e.TICKMARK_HOME),
    url: e.TICKMARK_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    databaseUrl: e.DATABASE_URL,
    databasePoolSize: e.DATABASE_POOL_SIZE,
    lakebase: { endpoint: e.LAKEBASE_ENDPOINT, instance: e.LAKEBASE_INSTANCE },
    databricks,
    ceilings: { maxConcurrentTasks: e.MAX_CONCURRENT_TASKS ?? null, maxTpm: e.MAX_TPM ?? null },
    leaseSeconds: e.LEASE_SECONDS ?? (platform === 'databricks' ? 90 : 15),
    sweepIntervalSeconds: e.SWEEP_INTERVAL_SECONDS,
    pollIntervalSeconds: e.POLL_INTERVAL_SECONDS,
    housekeepingDays: e.HOUSEKEEPING_DAYS,
    computeUsdPerHour: e.COMPUTE_USD_PER_HOUR ?? DEFAULT_COMPUTE_USD_PER_HOUR,
    runnerSlots: e.TICKMARK_RUNNER_SLOTS,
    agentsFile: e.TICKMARK_AGENTS_FILE && path.resolve(startedIn(env, cwd), e.TICKMARK_AGENTS_FILE),
    maxFileBytes: e.MAX_FILE_MB * 1024 * 1024,
    maxPages: e.MAX_PAGES,
    model,
    rulesModel: { requestsPerMinute: e.RULES_MODEL_RPM, tokensPerMinute: e.RULES_MODEL_TPM },
    mlflow: mlflowSettings(e),
    webhookSecret: e.WEBHOOK_SECRET,
    authSecret: e.AUTH_SECRET,
    oidc,
    adminToken: e.TICKMARK_ADMIN_TOKEN,
    token: e.TICKMARK_TOKEN,
    logLevel: e.LOG_LEVEL,
  };
}

/** npm runs scripts in the checkout, wherever one typed; `INIT_CWD` counts only where npm has put this very process. */
function startedIn(env: Record<string, string | undefined>, cwd: string): string {
  const { INIT_CWD: typed, npm_package_json: manifest } = env;
  return typed && manifest && path.dirname(manifest) === path.resolve(cwd) ? typed : cwd;
}

function requireDatabricks(e: Environment): DatabricksSettings {
  const found = databricksSettings(e);
  if ('missing' in found) throw new ConfigError(found.missing.join('\n'));
  return found.settings;
}

/** On Databricks the name of a serving endpoint is enough; without a key the run's own OAuth token is sent. */
function modelOf(e: Environment, databricks: DatabricksSettings | undefined): Config['model'] {
  const baseUrl = e.MODEL_BASE_URL ?? (databricks && `${databricks.host}/serving-endpoints`);
  if (!baseUrl || !e.MODEL_NAME) return undefined;
  return { baseUrl, apiKey: e.MODEL_API_KEY, name: e.MODEL_NAME, vision: e.MODEL_VISION === 'true' };
}
