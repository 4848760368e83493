'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileStack } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { fetchJson, queryString } from '@/lib/api-client/fetch-json';
import { keys } from '@/lib/api-client/queries';
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
  // One query for all that are chosen, usually one: an observer of many would be a larger first load of every list.
  const { data: named = [] } = useQuery({
    queryKey: [...keys.extractions, 'named', chosen],
    queryFn: ({ signal }) => readNamed(chosen, signal),
    enabled: chosen.length > 0,
    refetchInterval: false,
    staleTime: 30_000,
  });
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

/** Those that are still there. */
async function readNamed(ids: readonly string[], signal: AbortSignal): Promise<Extraction[]> {
  const read = await Promise.allSettled(
    ids.map((id) => fetchJson<Extraction>(`/api/v1/extractions/${encodeURIComponent(id)}`, { signal })),
  );
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function nameOf({ name, firstFile, client }: Extraction): string {
  return [firstFile ?? name, client].filter(Boolean).join(' · ');
}
