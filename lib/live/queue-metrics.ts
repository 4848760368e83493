import 'server-only';
import { Counter, Gauge, type Registry } from 'prom-client';
import { TASK_STATUSES } from '@/lib/contract/api';
import type { Agent } from '@/lib/contract/api-agents';
import type { Gauges } from '@/lib/dashboard/gauges';
import type { AgentTotals } from '@/lib/dashboard/metrics/totals-by-agent';

/** What is read from the rows at each scrape. */
export interface QueueFacts {
  readonly gauges: Gauges;
  readonly agents: readonly Agent[];
  readonly totals: readonly AgentTotals[];
}

/** Metrics of the queue as it stands; the same in every app process of a database. */
export function createQueueMetrics(registry: Registry): { show(facts: QueueFacts): void } {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  const tasks = gauge('tickmark_tasks', 'Tasks by agent and status', ['agent', 'status']);
  const oldest = gauge('tickmark_oldest_waiting_seconds', 'Age of the oldest enqueued task', ['agent']);
  const expired = gauge('tickmark_expired_leases', 'Tasks in processing whose lease is over');
  const alive = gauge('tickmark_workers_alive', 'Workers that have given a sign lately');
  const bulk = gauge('tickmark_bulk_operations_open', 'Bulk operations that are not over');
  const agents = createAgentGauges(gauge);
  const used = createUsageCounters(registry);
  return {
    show({ gauges, agents: known, totals }) {
      // An agent that has no task any more must not keep its last count.
      for (const metric of [tasks, oldest]) metric.reset();
      for (const { id } of known) oldest.set({ agent: id }, 0);
      for (const { agent, counts } of totals) {
        for (const status of TASK_STATUSES) tasks.set({ agent, status }, counts[status]);
      }
      for (const { agent, seconds } of gauges.oldestWaiting) oldest.set({ agent }, seconds);
      expired.set(gauges.expiredLeases);
      alive.set(gauges.workersAlive);
      bulk.set(gauges.openBulkOperations);
      agents(known);
      used(totals);
    },
  };
}

type MakeGauge = <L extends string>(name: string, help: string, labelNames?: readonly L[]) => Gauge<L>;

function createAgentGauges(gauge: MakeGauge): (agents: readonly Agent[]) => void {
  const limit = gauge(
    'tickmark_agent_limit_tasks',
    'Tasks at once that an agent may have in flight: `set` for it, `effective` now; absent: no limit',
    ['agent', 'limit'],
  );
  const budget = gauge(
    'tickmark_agent_limit_tokens_per_minute',
    'Tokens a minute that an agent may use: `set` for it, `effective` now; absent: no limit',
    ['agent', 'limit'],
  );
  const inFlight = gauge('tickmark_agent_in_flight', 'Tasks that count against an agent’s limit', ['agent']);
  const rate = gauge(
    'tickmark_agent_tokens_per_minute',
    'Tokens a minute that count against an agent’s budget: reserved, and used within the last minute',
    ['agent'],
  );
  const paused = gauge('tickmark_agent_paused', '1 while an agent starts nothing new', ['agent']);
  const lowered = gauge(
    'tickmark_agent_limit_lowered',
    '1 while a provider’s answer keeps an agent’s limits below those that are set',
    ['agent'],
  );
  const all = [limit, budget, inFlight, rate, paused, lowered];
  return (agents) => {
    for (const metric of all) metric.reset();
    for (const agent of agents) {
      const { id, effective } = agent;
      if (agent.maxConcurrentTasks !== null) limit.set({ agent: id, limit: 'set' }, agent.maxConcurrentTasks);
      if (effective.maxConcurrentTasks !== null)
        limit.set({ agent: id, limit: 'effective' }, effective.maxConcurrentTasks);
      if (agent.maxTpm !== null) budget.set({ agent: id, limit: 'set' }, agent.maxTpm);
      if (effective.maxTpm !== null) budget.set({ agent: id, limit: 'effective' }, effective.maxTpm);
      inFlight.set({ agent: id }, agent.inUse.tasks);
      rate.set({ agent: id }, agent.inUse.tpm);
      paused.set({ agent: id }, Number(agent.paused));
      lowered.set({ agent: id }, Number(agent.lowered !== null));
    }
  };
}

/**
 * Sums over all attempts, set anew from the rows at each scrape. What is told of later goes up later; what is deleted
 * makes a step down, which Prometheus takes for a restart.
 */
function createUsageCounters(registry: Registry): (totals: readonly AgentTotals[]) => void {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const tokens = counter('tickmark_tokens_total', 'Tokens used by an agent’s attempts', [
    'agent',
    'direction',
  ]);
  const cost = counter('tickmark_llm_cost_usd_total', 'LLM cost of an agent’s attempts', ['agent']);
  const unpriced = counter(
    'tickmark_unpriced_attempts_total',
    'Attempts with tokens whose model has no price: not in the cost',
    ['agent'],
  );
  return (totals) => {
    for (const metric of [tokens, cost, unpriced]) metric.reset();
    for (const { agent, inputTokens, outputTokens, llmCostUsd, unpricedAttempts } of totals) {
      tokens.inc({ agent, direction: 'input' }, inputTokens);
      tokens.inc({ agent, direction: 'output' }, outputTokens);
      // Prometheus reckons in floats; money that is shown comes from the figures.
      cost.inc({ agent }, Number(llmCostUsd));
      unpriced.inc({ agent }, unpricedAttempts);
    }
  };
}
