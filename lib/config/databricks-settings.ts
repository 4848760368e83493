import path from 'node:path';
import { z } from 'zod';
import { int, isLoopback, names, oneOf, optional } from './fields';

const WORKSPACE_ADDRESS = 'needs the address of the workspace, such as https://dbc-1234.cloud.databricks.com';

/** With or without `https://`, as the platform gives either, also as copied from a browser. Plain http on loopback only. */
const workspaceHost = z.string().transform((value, context) => {
  const url = URL.parse(/^https?:\/\//i.test(value) ? value : `https://${value}`);
  if (url && (url.protocol === 'https:' || isLoopback(url.hostname))) return url.origin;
  context.addIssue({ code: 'custom', message: WORKSPACE_ADDRESS });
  return z.NEVER;
});

/** Ids stay strings: the platform's are 64-bit numbers, which a JavaScript number would round. */
const id = z.string().regex(/^\d{1,19}$/, { error: 'needs an id: a whole number of up to 19 digits' });

const volume = z
  .string()
  .regex(/^\/Volumes\/[^/]+\/[^/]+\/[^/]+\/?$/, {
    error: 'needs the path of a volume, such as /Volumes/main/tickmark/documents',
  })
  .transform((value) => value.replace(/\/$/, ''));

/** What Databricks Apps injects, and what `app.yaml` binds to the app's resources. */
export const DATABRICKS_VARIABLES = {
  DATABRICKS_HOST: optional(workspaceHost),
  DATABRICKS_CLIENT_ID: optional(z.string()),
  DATABRICKS_CLIENT_SECRET: optional(z.string()),
  DATABRICKS_APP_NAME: optional(z.string()),
  DATABRICKS_APP_PORT: optional(int(1, 65_535)),
  DATABRICKS_WORKSPACE_ID: optional(id),
  PGHOST: optional(z.string()),
  PGPORT: optional(int(1, 65_535)),
  PGDATABASE: optional(z.string()),
  PGUSER: optional(z.string()),
  PGSSLMODE: optional(oneOf(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'])),
  PGAPPNAME: optional(z.string()),
  LAKEBASE_ENDPOINT: optional(
    z.string().regex(/^projects\/[^/]+\/branches\/[^/]+\/endpoints\/[^/]+$/, {
      error: 'needs the path of an endpoint, such as projects/P/branches/B/endpoints/E',
    }),
  ),
  LAKEBASE_INSTANCE: optional(z.string()),
  TICKMARK_VOLUME: optional(volume),
  TICKMARK_VOLUMES_ROOT: optional(
    z.string().refine(path.isAbsolute, { error: 'needs an absolute path of a folder' }),
  ),
  TICKMARK_JOB_ID: optional(id),
  DATABRICKS_WAREHOUSE_ID: optional(z.string()),
  TICKMARK_ADMINS: optional(names),
  TICKMARK_ADMIN_GROUPS: optional(names),
  TICKMARK_OPERATOR_GROUPS: optional(names),
};
const Variables = z.object(DATABRICKS_VARIABLES);
type Variables = z.infer<typeof Variables>;

/** Where Lakebase is and how its password is got. */
export interface LakebaseSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Of the app's service principal; also the name of its role in the database. */
  readonly user: string;
  /** False only to a server on this machine; otherwise the certificate is checked, whatever PGSSLMODE asks for. */
  readonly tls: boolean;
  /** `projects/P/branches/B/endpoints/E`; undefined with a provisioned instance. */
  readonly endpoint: string | undefined;
  /** Name of a provisioned instance, the older kind; undefined with an endpoint. */
  readonly instance: string | undefined;
}

/** The workspace and its resources that this app works with. */
export interface DatabricksSettings {
  /** Origin, without a trailing slash. */
  readonly host: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly appName: string | undefined;
  readonly workspaceId: string | undefined;
  /** undefined where DATABASE_URL names another database */
  readonly lakebase: LakebaseSettings | undefined;
  /** `/Volumes/catalog/schema/volume` */
  readonly volume: string;
  /** The folder under which volumes are mounted in a run; another one than `/Volumes` in tests only. */
  readonly volumesRoot: string;
  readonly jobId: string;
  /** undefined = compute cost stays an estimate */
  readonly warehouseId: string | undefined;
  /** E-mail addresses of people, or client ids of service principals, that are admins whatever the table of roles says. */
  readonly admins: readonly string[];
  readonly adminGroups: readonly string[];
  readonly operatorGroups: readonly string[];
}

/** What to do about each variable that must be there; the first words name the resource key of app.yaml. */
const MISSING = {
  DATABRICKS_HOST: 'needed on Databricks; the platform sets it, so start this as a Databricks App',
  DATABRICKS_CLIENT_ID: 'needed on Databricks; the platform sets it, so start this as a Databricks App',
  DATABRICKS_CLIENT_SECRET: 'needed on Databricks; the platform sets it, so start this as a Databricks App',
  PGHOST: 'needed on Databricks; add the database to the app as its resource `postgres`, or set DATABASE_URL',
  PGDATABASE: 'needed on Databricks; add the database to the app as its resource `postgres`',
  PGUSER: 'needed on Databricks; add the database to the app as its resource `postgres`',
  LAKEBASE_ENDPOINT:
    'needed on Databricks; bind it to the resource `postgres` (app.yaml, valueFrom: postgres)',
  TICKMARK_VOLUME: 'needed on Databricks; add the volume to the app as its resource `volume`',
  TICKMARK_JOB_ID: 'needed on Databricks; add the job to the app as its resource `job`',
  WEBHOOK_SECRET:
    'needed on Databricks, whose disk is emptied at each start; bind it to the secret `webhook-secret`',
  AUTH_SECRET:
    'needed on Databricks, whose disk is emptied at each start; bind it to the secret `auth-secret`',
} as const;

/**
 * The settings of a Databricks App, or one line for each variable that is missing.
 * @param e also WEBHOOK_SECRET, AUTH_SECRET and DATABASE_URL, which matter here too
 */
export function databricksSettings(
  e: Variables & Partial<Record<'WEBHOOK_SECRET' | 'AUTH_SECRET' | 'DATABASE_URL', string | undefined>>,
): { settings: DatabricksSettings } | { missing: string[] } {
  const user = e.PGUSER ?? e.DATABRICKS_CLIENT_ID;
  const present: Record<keyof typeof MISSING, unknown> = {
    DATABRICKS_HOST: e.DATABRICKS_HOST,
    DATABRICKS_CLIENT_ID: e.DATABRICKS_CLIENT_ID,
    DATABRICKS_CLIENT_SECRET: e.DATABRICKS_CLIENT_SECRET,
    PGHOST: e.PGHOST ?? e.DATABASE_URL,
    PGDATABASE: e.PGDATABASE ?? e.DATABASE_URL,
    PGUSER: user ?? e.DATABASE_URL,
    LAKEBASE_ENDPOINT: e.LAKEBASE_ENDPOINT ?? e.LAKEBASE_INSTANCE ?? e.DATABASE_URL,
    TICKMARK_VOLUME: e.TICKMARK_VOLUME,
    TICKMARK_JOB_ID: e.TICKMARK_JOB_ID,
    WEBHOOK_SECRET: e.WEBHOOK_SECRET,
    AUTH_SECRET: e.AUTH_SECRET,
  };
  const missing = Object.entries(MISSING).flatMap(([name, advice]) =>
    present[name as keyof typeof MISSING] === undefined ? [`${name}: ${advice}`] : [],
  );
  if (missing.length > 0) return { missing };
  return {
    settings: {
      host: e.DATABRICKS_HOST as string,
      clientId: e.DATABRICKS_CLIENT_ID as string,
      clientSecret: e.DATABRICKS_CLIENT_SECRET as string,
      appName: e.DATABRICKS_APP_NAME,
      workspaceId: e.DATABRICKS_WORKSPACE_ID,
      lakebase: e.DATABASE_URL ? undefined : lakebaseSettings(e, user as string),
      volume: e.TICKMARK_VOLUME as string,
      volumesRoot: e.TICKMARK_VOLUMES_ROOT ?? '/Volumes',
      jobId: e.TICKMARK_JOB_ID as string,
      warehouseId: e.DATABRICKS_WAREHOUSE_ID,
      admins: e.TICKMARK_ADMINS ?? [],
      adminGroups: e.TICKMARK_ADMIN_GROUPS ?? ['tickmark-admin'],
      operatorGroups: e.TICKMARK_OPERATOR_GROUPS ?? ['tickmark-operator'],
    },
  };
}

function lakebaseSettings(e: Variables, user: string): LakebaseSettings {
  const host = e.PGHOST as string;
  return {
    host,
    port: e.PGPORT ?? 5432,
    database: e.PGDATABASE as string,
    user,
    tls: !(isLoopback(host) && e.PGSSLMODE === 'disable'),
    endpoint: e.LAKEBASE_INSTANCE ? undefined : e.LAKEBASE_ENDPOINT,
    instance: e.LAKEBASE_INSTANCE,
  };
}
