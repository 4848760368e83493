import Big from 'big.js';
import type { StatusCounts } from '@/lib/contract/api';
import type { MetricsTotals } from '@/lib/contract/api-metrics';
import { estimateComputeCost } from '@/lib/platform/billing-source/estimate';
import type { HistogramRow, SumRow } from './cells';
import type { QuantileRow } from './exact';
import { discreteQuantile, Histogram, quantile } from './histogram';
import type { LooseRow } from './loose';

/** Digits to which an approximate amount of money is told: more would look exact. */
const APPROXIMATE_DIGITS = 4;

/** Adds up what is read of some tasks. */
export class Tally {
  readonly counts: StatusCounts = { enqueued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
  inputTokens = new Big(0);
  outputTokens = new Big(0);
  llmCostUsd = new Big(0);
  readonly histogram = new Histogram();
  #priced = 0;
  #unpriced = 0;
  #waste = new Big(0);
  #runSeconds = new Big(0);
  #confidenceSum = new Big(0);
  #confidenceCount = 0;

  addSums(row: SumRow): void {
    this.counts[row.status] += Number(row.tasks);
    this.inputTokens = this.inputTokens.plus(row.input_tokens);
    this.outputTokens = this.outputTokens.plus(row.output_tokens);
    this.llmCostUsd = this.llmCostUsd.plus(row.llm_cost_usd);
    this.#priced += Number(row.priced_attempts);
    this.#unpriced += Number(row.unpriced_attempts);
    this.#waste = this.#waste.plus(row.waste_usd);
    this.#runSeconds = this.#runSeconds.plus(row.run_seconds);
    this.#confidenceSum = this.#confidenceSum.plus(row.confidence_sum);
    this.#confidenceCount += Number(row.confidence_count);
  }

  addHistogram(row: HistogramRow): void {
    this.histogram.addArrays(row.keys, row.counts);
  }

  addLoose(row: LooseRow): void {
    this.addSums(row);
    for (const key of row.added?.split(',') ?? []) this.histogram.add(Number(key), 1);
    for (const key of row.removed?.split(',') ?? []) this.histogram.add(Number(key), -1);
  }

  /** Run time of all attempts that have ended, as a decimal string. */
  get runSeconds(): string {
    return this.#runSeconds.toFixed();
  }

  get tasks(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /**
   * @param exact medians and percentiles from the rows, where they were read
   * @param usdPerHour what an hour of a run costs; null = not known
   */
  totals(exact: QuantileRow | undefined, usdPerHour: string | null): MetricsTotals {
    const noTokens = this.inputTokens.plus(this.outputTokens).eq(0);
    const mean = this.#confidenceCount > 0 ? this.#confidenceSum.div(this.#confidenceCount).toNumber() : null;
    return {
      counts: this.counts,
      inputTokens: this.inputTokens.toNumber(),
      outputTokens: this.outputTokens.toNumber(),
      llmCostUsd: this.#priced > 0 || noTokens ? this.llmCostUsd.toFixed() : null,
      unpricedAttempts: this.#unpriced,
      wasteUsd: this.#waste.toFixed(),
      computeCostEstimateUsd:
        usdPerHour === null ? null : estimateComputeCost(this.#runSeconds.toFixed(), usdPerHour),
      runSeconds: this.#runSeconds.toNumber(),
      ...(exact ? exactQuantiles(exact) : this.#quantiles()),
      confidence: {
        mean,
        ...(exact
          ? { median: exact.median_confidence, p10: exact.p10_confidence }
          : this.#confidenceQuantiles()),
        count: this.#confidenceCount,
      },
    };
  }

  /** Median and 90th percentile of the response time, in seconds. */
  response(exact: QuantileRow | undefined): {
    medianResponseSeconds: number | null;
    p90ResponseSeconds: number | null;
  } {
    if (exact)
      return { medianResponseSeconds: exact.median_response, p90ResponseSeconds: exact.p90_response };
    const bins = this.histogram.bins('response');
    return { medianResponseSeconds: quantile(bins, 0.5), p90ResponseSeconds: quantile(bins, 0.9) };
  }

  #quantiles() {
    const cost = this.histogram.bins('cost');
    return {
      ...this.response(undefined),
      medianCostUsd: approximateMoney(quantile(cost, 0.5)),
      p90CostUsd: approximateMoney(discreteQuantile(cost, 0.9)),
    };
  }

  #confidenceQuantiles() {
    const bins = this.histogram.bins('confidence');
    return { median: quantile(bins, 0.5), p10: quantile(bins, 0.1) };
  }
}

function exactQuantiles(row: QuantileRow) {
  return {
    medianCostUsd: row.median_cost,
    p90CostUsd: row.p90_cost,
    medianResponseSeconds: row.median_response,
    p90ResponseSeconds: row.p90_response,
  };
}

function approximateMoney(value: number | null): string | null {
  return value === null ? null : new Big(value.toPrecision(APPROXIMATE_DIGITS)).toFixed();
}
