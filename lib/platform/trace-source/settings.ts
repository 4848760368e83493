import { type Config, ConfigError } from '@/lib/config/schema';
import type { TraceTarget } from '@/lib/contract/run-input';

/** The experiment that every MLflow server has. */
const DEFAULT_EXPERIMENT = '0';

/** Where runs send their traces; undefined = nowhere. Throws `ConfigError` where a setting is missing. */
export function traceTarget(config: Pick<Config, 'mlflow' | 'databricks'>): TraceTarget | undefined {
  const { mlflow, databricks } = config;
  if (!mlflow) return undefined;
  if (mlflow.trackingUri !== 'databricks') {
    return {
      kind: 'mlflow',
      url: mlflow.trackingUri,
      experimentId: mlflow.experimentId ?? DEFAULT_EXPERIMENT,
      authorization: mlflow.authorization ?? null,
    };
  }
  if (!databricks) {
    throw new ConfigError(
      'MLFLOW_TRACKING_URI: `databricks` works in a Databricks App; elsewhere give an address',
    );
  }
  if (!mlflow.experimentId) {
    throw new ConfigError(
      'MLFLOW_EXPERIMENT_ID: needed with MLFLOW_TRACKING_URI=databricks; bind it to the experiment',
    );
  }
  return {
    kind: 'databricks',
    url: databricks.host,
    experimentId: mlflow.experimentId,
    spansTable: mlflow.destination ? spansTable(mlflow.destination) : null,
  };
}

/** MLflow's names of the table of spans (mlflow/entities/trace_location.py, 3.17). */
function spansTable(destination: string): string {
  const [catalog, schema, prefix] = destination.split('.');
  const table = prefix ? `${prefix}_otel_spans` : 'mlflow_experiment_trace_otel_spans';
  return `${catalog}.${schema}.${table}`;
}

/**
 * The page of a trace in MLflow's own interface; null where traces are kept nowhere. The address is the one that this app
 * uses, which a browser may have to be able to reach too.
 */
export function traceLink(config: Pick<Config, 'mlflow' | 'databricks'>, traceId: string): string | null {
  const { mlflow, databricks } = config;
  if (!mlflow || !/^[0-9a-f]{32}$/.test(traceId)) return null;
  const query = `traces?selectedEvaluationId=tr-${traceId}`;
  if (mlflow.trackingUri !== 'databricks') {
    return `${mlflow.trackingUri}/#/experiments/${mlflow.experimentId ?? DEFAULT_EXPERIMENT}/${query}`;
  }
  if (!databricks || !mlflow.experimentId) return null;
  const workspace = databricks.workspaceId ? `&o=${databricks.workspaceId}` : '';
  return `${databricks.host}/ml/experiments/${mlflow.experimentId}/${query}${workspace}`;
}
