'use client';

import type { Extraction } from '@/lib/contract/api';
import { totalOf } from './status';
import { useExtractionName } from './use-extraction-name';

/** An extraction's name in a list of something else. */
export function ExtractionName({ name }: { readonly name: string }) {
  return useExtractionName()(name);
}

/** What an extraction is called: its name, or what is in it where nobody named it. */
export function ExtractionTitle({ extraction }: { readonly extraction: Extraction }) {
  const nameOf = useExtractionName();
  const { name, firstFile, counts } = extraction;
  if (firstFile === null) return nameOf(name);
  const others = totalOf(counts) - 1;
  return others > 0 ? `${firstFile} and ${others} more` : firstFile;
}
