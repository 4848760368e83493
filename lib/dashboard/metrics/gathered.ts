import type { FineRow, HistogramRow, SumRow } from './cells';
import { ExactSum } from './exact-sum';
import { Tally } from './tally';

/** What a chart tells by agent. */
export class AgentSums {
  readonly tasks = new ExactSum();
  readonly inputTokens = new ExactSum();
  readonly outputTokens = new ExactSum();
  readonly llmCostUsd = new ExactSum();

  addSums(row: Pick<SumRow, 'tasks' | 'input_tokens' | 'output_tokens' | 'llm_cost_usd'>): void {
    this.tasks.add(row.tasks);
    this.inputTokens.add(row.input_tokens);
    this.outputTokens.add(row.output_tokens);
    this.llmCostUsd.add(row.llm_cost_usd);
  }

  addAll(other: AgentSums, sign: 1 | -1): void {
    for (const name of ['tasks', 'inputTokens', 'outputTokens', 'llmCostUsd'] as const) {
      if (sign === 1) this[name].addSum(other[name]);
      else this[name].subtractSum(other[name]);
    }
  }
}

/** What is known of the tasks of one bucket of a chart. */
export class BucketSums {
  readonly tally = new Tally();
  readonly agents = new Map<string, AgentSums>();

  agent(id: string): AgentSums {
    const found = this.agents.get(id);
    if (found) return found;
    const made = new AgentSums();
    this.agents.set(id, made);
    return made;
  }

  addAll(other: BucketSums, sign: 1 | -1 = 1): void {
    this.tally.addTally(other.tally, sign);
    for (const [id, sums] of other.agents) this.agent(id).addAll(sums, sign);
  }
}

/** What was read of some tasks, by bucket. Once it is handed on, it is not changed any more. */
export class Gathered {
  readonly buckets = new Map<number, BucketSums>();
  #total: Tally | undefined;

  /** Several parts as one; buckets that only one of them has stay the same objects. */
  static merge(parts: readonly Gathered[]): Gathered {
    const merged = new Gathered();
    for (const at of new Set(parts.flatMap((part) => [...part.buckets.keys()]))) {
      const having = parts.flatMap((part) => part.buckets.get(at) ?? []);
      const [first] = having;
      if (first) merged.buckets.set(at, having.length === 1 ? first : sumOf(having));
    }
    merged.#total = new Tally();
    for (const part of parts) merged.#total.addTally(part.total);
    return merged;
  }

  get total(): Tally {
    if (!this.#total) {
      this.#total = new Tally();
      for (const { tally } of this.buckets.values()) this.#total.addTally(tally);
    }
    return this.#total;
  }

  bucket(at: number): BucketSums {
    const found = this.buckets.get(at);
    if (found) return found;
    const made = new BucketSums();
    this.buckets.set(at, made);
    return made;
  }

  addSums(at: number, row: SumRow): void {
    const bucket = this.bucket(at);
    bucket.tally.addSums(row);
    bucket.agent(row.agent_id).addSums(row);
  }

  addHistogram(at: number, row: HistogramRow): void {
    this.bucket(at).tally.addHistogram(row);
  }

  addRow(at: number, row: FineRow): void {
    this.addSums(at, row);
    this.addHistogram(at, row);
  }

  addAll(at: number, sums: BucketSums, sign: 1 | -1 = 1): void {
    this.bucket(at).addAll(sums, sign);
  }
}

/** What was read once and is added up for many: its numbers are made of text only once. */
export interface Fine extends Pick<FineRow, 'at_ms' | 'agent_id' | 'client' | 'status'> {
  readonly sums: BucketSums;
}

export function toFine(row: FineRow): Fine {
  const { at_ms, agent_id, client, status } = row;
  const one = new Gathered();
  one.addRow(at_ms, row);
  return { at_ms, agent_id, client, status, sums: one.bucket(at_ms) };
}

function sumOf(parts: readonly BucketSums[]): BucketSums {
  const sum = new BucketSums();
  for (const part of parts) sum.addAll(part);
  return sum;
}
