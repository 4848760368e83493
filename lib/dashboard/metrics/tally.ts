import Big from 'big.js';
import { type StatusCounts, TASK_STATUSES } from '@/lib/contract/api';
import type { MetricsTotals } from '@/lib/contract/api-metrics';
import { estimateComputeCost } from '@/lib/platform/billing-source/estimate';
import type { HistogramRow, SumRow } from './cells';
import type { QuantileRow } from './exact';
import { ExactSum } from './exact-sum';
import { countOf, discreteQuantile, Histogram, quantile } from './histogram';

/** Digits to which an approximate amount of money is told: more would look exact. */
const APPROXIMATE_DIGITS = 4;

/** Adds up what is read of some tasks. */
export class Tally {
  readonly counts: StatusCounts = { enqueued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
  readonly inputTokens = new ExactSum();
  readonly outputTokens = new ExactSum();
  readonly llmCostUsd = new ExactSum();
  readonly histogram = new Histogram();
  #priced = 0;
  #unpriced = 0;
  readonly #waste = new ExactSum();
  readonly #runSeconds = new ExactSum();
  readonly #confidenceSum = new ExactSum();
  #confidenceCount = 0;

  addSums(row: SumRow): void {
    this.counts[row.status] += Number(row.tasks);
    this.inputTokens.add(row.input_tokens);
    this.outputTokens.add(row.output_tokens);
    this.llmCostUsd.add(row.llm_cost_usd);
    this.#priced += Number(row.priced_attempts);
    this.#unpriced += Number(row.unpriced_attempts);
    this.#waste.add(row.waste_usd);
    this.#runSeconds.add(row.run_seconds);
    this.#confidenceSum.add(row.confidence_sum);
    this.#confidenceCount += Number(row.confidence_count);
  }

  addHistogram({ keys, counts }: HistogramRow): void {
    for (const [n, key] of keys.entries()) this.histogram.add(key, counts[n] ?? 0);
  }

  /** Adds what another one has added up, or with −1 takes it out again. */
  addTally(other: Tally, sign: 1 | -1 = 1): void {
    for (const status of TASK_STATUSES) this.counts[status] += sign * other.counts[status];
    const add = (to: ExactSum, from: ExactSum) => (sign === 1 ? to.addSum(from) : to.subtractSum(from));
    add(this.inputTokens, other.inputTokens);
    add(this.outputTokens, other.outputTokens);
    add(this.llmCostUsd, other.llmCostUsd);
    add(this.#waste, other.#waste);
    add(this.#runSeconds, other.#runSeconds);
    add(this.#confidenceSum, other.#confidenceSum);
    this.#priced += sign * other.#priced;
    this.#unpriced += sign * other.#unpriced;
    this.#confidenceCount += sign * other.#confidenceCount;
    this.histogram.addAll(other.histogram, sign);
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
    const noTokens = this.inputTokens.isZero && this.outputTokens.isZero;
    const mean =
      this.#confidenceCount > 0 ? this.#confidenceSum.toBig().div(this.#confidenceCount).toNumber() : null;
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
      pricedTasks: countOf(this.histogram.bins('cost')),
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
