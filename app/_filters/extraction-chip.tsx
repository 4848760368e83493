'use client';

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { FileStack } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { fetchJson, queryString } from '@/lib/api-client/fetch-json';
import { extractionQuery, keys } from '@/lib/api-client/queries';
import type { Extraction, ExtractionList } from '@/lib/contract/api';
import { ChoiceChip } from './choice-chip';

interface ExtractionChipProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

const FOUND = 20;

/** Submissions, the newest or those that are searched for. */
export function ExtractionChip({ chosen, onChange }: ExtractionChipProps) {
  const [text, setText] = useState<string | null>(null);
  const q = useDeferredValue(text?.trim() ?? '');
  const filters = { q, limit: FOUND };
  const { data } = useQuery({
    queryKey: [...keys.extractions, 'choice', filters],
    queryFn: ({ signal }) =>
      fetchJson<ExtractionList>(`/api/v1/extractions${queryString(filters)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: false,
    staleTime: 30_000,
  });
  const named = useQueries({
    queries: chosen.map((id) => ({ ...extractionQuery(id), refetchInterval: false as const, retry: false })),
  }).flatMap(({ data: one }) => (one ? [one] : []));
  const found = [...named, ...(data?.extractions ?? [])];
  const choices = [...new Map(found.map((one) => [one.id, one])).values()].map((one) => ({
    value: one.id,
    label: nameOf(one),
    text: nameOf(one),
  }));
  return (
    <ChoiceChip
      icon={FileStack}
      label="Extraction"
      choices={choices}
      chosen={chosen}
      onChange={onChange}
      onSearch={setText}
    />
  );
}

function nameOf({ name, client, id }: Extraction): string {
  return [name ?? id.slice(-8), client].filter(Boolean).join(' · ');
}
