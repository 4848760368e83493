import { z } from 'zod';
import { optional } from './fields';

const TRACKING_URI = 'needs the address of an MLflow server (http:// or https://), or the word databricks';

const trackingUri = z
  .string()
  .refine((value) => value === 'databricks' || /^https?:\/\/[^/]/.test(value), { error: TRACKING_URI })
  .transform((value) => value.replace(/\/+$/, ''));

/** Named as MLflow's own clients name them. */
export const MLFLOW_VARIABLES = {
  MLFLOW_TRACKING_URI: optional(trackingUri),
  MLFLOW_EXPERIMENT_ID: optional(
    z.string().regex(/^\d{1,32}$/, { error: 'needs the id of an experiment: digits, as in its address' }),
  ),
  MLFLOW_TRACKING_TOKEN: optional(z.string()),
  MLFLOW_TRACKING_USERNAME: optional(z.string()),
  MLFLOW_TRACKING_PASSWORD: optional(z.string()),
  MLFLOW_TRACING_DESTINATION: optional(
    z.string().regex(/^[^./\s]+\.[^./\s]+(\.[^./\s]+)?$/, {
      error: 'needs where in Unity Catalog traces are kept, such as main.traces or main.traces.prefix',
    }),
  ),
};
const Variables = z.object(MLFLOW_VARIABLES);
type Variables = z.infer<typeof Variables>;

/** Where traces of model calls go. */
export interface MlflowSettings {
  /** Address of a server without a trailing slash, or `databricks`. */
  readonly trackingUri: string;
  readonly experimentId: string | undefined;
  /** The `Authorization` header that a server of one's own asks for. */
  readonly authorization: string | undefined;
  /** Unity Catalog `<catalog>.<schema>[.<prefix>]` on Databricks; undefined = the experiment's own storage. */
  readonly destination: string | undefined;
}

/** The settings for traces; undefined = none are kept. */
export function mlflowSettings(e: Variables): MlflowSettings | undefined {
  if (!e.MLFLOW_TRACKING_URI) return undefined;
  return {
    trackingUri: e.MLFLOW_TRACKING_URI,
    experimentId: e.MLFLOW_EXPERIMENT_ID,
    authorization: authorizationOf(e),
    destination: e.MLFLOW_TRACING_DESTINATION,
  };
}

/** A name and a password before a token, as MLflow's clients take them. */
function authorizationOf(e: Variables): string | undefined {
  const { MLFLOW_TRACKING_USERNAME: name, MLFLOW_TRACKING_PASSWORD: password } = e;
  if (name && password) return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  return e.MLFLOW_TRACKING_TOKEN ? `Bearer ${e.MLFLOW_TRACKING_TOKEN}` : undefined;
}
