'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { startComputeCost } from '@/lib/api-client/actions';
import { computeCostQuery, keys, type MetricsFilters } from '@/lib/api-client/queries';
import type { Metrics } from '@/lib/contract/api-metrics';
import { Money } from '../../_ui/money';
import { Time } from '../../_ui/time';
import { changeBetween } from './change';
import { Figure } from './figure';

interface ComputeCostProps {
  readonly metrics: Metrics;
  readonly query: MetricsFilters;
  readonly asked: boolean;
}

/** What the runs' machines cost: an estimate at once, and from the slow source when somebody asks for it. */
export function ComputeCost({ metrics, query, asked }: ComputeCostProps) {
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: () => startComputeCost(query),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.metricsFor(query) }),
  });
  const id = start.data?.id ?? metrics.computeCost.id;
  const { data } = useQuery({
    ...computeCostQuery(id ?? ''),
    enabled: id !== null && start.data !== undefined,
  });
  const known = data ?? (start.data ? { status: 'pending' as const } : metrics.computeCost);
  const billed = known.status === 'ready' ? (known.computeCostUsd ?? null) : null;
  const isBilled = billed !== null && known.source === 'billing';
  const usd = billed ?? metrics.computeCostEstimateUsd;
  return (
    <Figure
      label="Compute cost"
      asked={asked}
      change={changeBetween(metrics.computeCostEstimateUsd, metrics.previous?.computeCostEstimateUsd ?? null)}
      note={
        <>
          <span>{isBilled ? 'billed' : 'estimate'}</span>
          {known.status === 'pending' ? (
            <span role="status" className="inline-flex items-center gap-1">
              <LoaderCircle aria-hidden className="size-3 animate-ring" /> asking for the bill
            </span>
          ) : (
            <button
              type="button"
              disabled={start.isPending}
              onClick={() => start.mutate()}
              title={why(known.status, 'message' in known ? known.message : null)}
              className="rounded-sm underline underline-offset-2 hover:text-text"
            >
              {words(known.status, start.isError)}
            </button>
          )}
          {known.status === 'ready' && known.readyAt && (
            <span>
              as of <Time at={known.readyAt} detail="clock" />
            </span>
          )}
          {known.status === 'ready' && known.message && <span>{known.message}</span>}
        </>
      }
    >
      <Money usd={usd} why="No rate for compute is set" />
    </Figure>
  );
}

function words(status: Metrics['computeCost']['status'], refused: boolean): string {
  if (status === 'failed' || refused) return 'Could not be had. Ask again';
  return status === 'ready' ? 'Ask again' : 'Ask for the bill';
}

function why(status: Metrics['computeCost']['status'], message: string | null | undefined): string {
  if (status === 'failed') return message ?? 'The source of the bill did not answer';
  return 'Run time × a set rate is an estimate. The source of the bill is slow and asked only here';
}
