import { type Config, ConfigError } from '@/lib/config/schema';
import { traceTarget } from '@/lib/platform/trace-source/settings';
import { type Finding, note, ok, problem } from './finding';

const PATIENCE_MS = 10_000;
/** The first that gives the spans of a run in flight and takes ours as they are sent. */
const OLDEST = [3, 11] as const;

/** Whether the MLflow server that traces go to answers, is new enough and has the experiment. Null where none is set. */
export async function checkTraces(config: Config): Promise<Finding | null> {
  let target: ReturnType<typeof traceTarget>;
  try {
    target = traceTarget(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return problem(error.message);
  }
  if (!target || target.kind === 'databricks') return null;
  const { url, experimentId, authorization } = target;
  const ask = (path: string) =>
    fetch(`${url}${path}`, {
      headers: authorization ? { authorization } : {},
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    });
  try {
    const version = await (await ask('/version')).text();
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (!(major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))) {
      return problem(
        `MLFLOW_TRACKING_URI: ${url} is no MLflow server of version ${OLDEST.join('.')} or later (it says ${version.slice(0, 40)})`,
      );
    }
    const experiment = await ask(`/api/2.0/mlflow/experiments/get?experiment_id=${experimentId}`);
    if (experiment.ok) return ok(`traces go to MLflow ${version} at ${url}, experiment ${experimentId}`);
    if (experiment.status === 404) {
      return problem(`MLFLOW_EXPERIMENT_ID: MLflow at ${url} has no experiment ${experimentId}`);
    }
    if (experiment.status === 401 || experiment.status === 403) {
      return problem(`MLFLOW_TRACKING_TOKEN: MLflow at ${url} does not accept it (${experiment.status})`);
    }
    return note(`MLflow at ${url} answered ${experiment.status} when asked for experiment ${experimentId}`);
  } catch (error) {
    const { cause, message } = error as Error;
    return problem(
      `MLFLOW_TRACKING_URI: ${url} does not answer: ${cause instanceof Error ? cause.message : message}`,
    );
  }
}
