import { expect, test } from 'vitest';
import { parseConfig } from '@/lib/config/schema';
import { DATABRICKS_ENVIRONMENT as INJECTED } from '@/test/databricks-environment';
import { traceLink, traceTarget } from './settings';

const ID = 'a'.repeat(32);

test('without MLFLOW_TRACKING_URI runs record no trace and no page links to one', () => {
  const config = parseConfig({}, '/');
  expect(traceTarget(config)).toBeUndefined();
  expect(traceLink(config, ID)).toBeNull();
});

test('a server of one’s own: its experiment, its password, its page', () => {
  const config = parseConfig(
    { MLFLOW_TRACKING_URI: 'http://mlflow:5000/', MLFLOW_EXPERIMENT_ID: '3', MLFLOW_TRACKING_TOKEN: 't' },
    '/',
  );
  expect(traceTarget(config)).toEqual({
    kind: 'mlflow',
    url: 'http://mlflow:5000',
    experimentId: '3',
    authorization: 'Bearer t',
  });
  expect(traceLink(config, ID)).toBe(
    `http://mlflow:5000/#/experiments/3/traces?selectedEvaluationId=tr-${ID}`,
  );
  expect(traceLink(config, 'trace')).toBeNull();
});

test('on Databricks: the workspace, its experiment, and a table of Unity Catalog where one is named', () => {
  const config = parseConfig(INJECTED, '/');
  expect(traceTarget(config)).toMatchObject({ kind: 'databricks', experimentId: '42', spansTable: null });
  expect(traceLink(config, ID)).toMatch(/\/ml\/experiments\/42\/traces\?selectedEvaluationId=tr-a{32}/);
  const table = (MLFLOW_TRACING_DESTINATION: string) =>
    traceTarget(parseConfig({ ...INJECTED, MLFLOW_TRACING_DESTINATION }, '/'));
  expect(table('main.traces')).toMatchObject({
    spansTable: 'main.traces.mlflow_experiment_trace_otel_spans',
  });
  expect(table('main.traces.tick')).toMatchObject({ spansTable: 'main.traces.tick_otel_spans' });
});

test('a setting that can’t be used stops the start and says what to do', () => {
  expect(() => parseConfig({ MLFLOW_TRACKING_URI: 'mlflow:5000' }, '/')).toThrow(
    'MLFLOW_TRACKING_URI: needs the address',
  );
  expect(() => parseConfig({ MLFLOW_TRACKING_URI: 'http://m', MLFLOW_EXPERIMENT_ID: 'mine' }, '/')).toThrow(
    'MLFLOW_EXPERIMENT_ID',
  );
  expect(() => traceTarget(parseConfig({ MLFLOW_TRACKING_URI: 'databricks' }, '/'))).toThrow(
    'MLFLOW_TRACKING_URI',
  );
});
