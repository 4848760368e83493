'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { metricsQuery } from '@/lib/api-client/queries';
import type { Metrics } from '@/lib/contract/api-metrics';
import { filteredHref } from '../../_filters/filters';
import type { Filters } from '../../_filters/use-filters';

/** Medians and percentiles from the rows: computed when asked for, and kept until another question is asked. */
export function useExact({ values, query }: Filters) {
  const client = useQueryClient();
  const asked = filteredHref('', values);
  const { mutate, data, isPending } = useMutation({
    mutationFn: async (question: string) => ({
      question,
      metrics: await client.fetchQuery({ ...metricsQuery({ ...query, exact: 'true' }), staleTime: 0 }),
    }),
  });
  const metrics: Metrics | null = data?.question === asked ? data.metrics : null;
  return { metrics, pending: isPending, compute: () => mutate(asked) };
}
