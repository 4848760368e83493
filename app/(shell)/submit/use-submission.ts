'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createExtraction } from '@/lib/api-client/actions';
import { keys } from '@/lib/api-client/queries';
import { chosenPriority, type SubmitChoices } from './submit-options';
import { totalsOf, type UploadFile } from './upload-file';
import { UploadQueue } from './upload-queue';

type Phase =
  | { readonly step: 'choosing' }
  | { readonly step: 'sending'; readonly extractionId: string | null }
  /** Something was turned away or interrupted: a person should see it before going on. */
  | { readonly step: 'ended'; readonly extractionId: string };

const NO_FILES: readonly UploadFile[] = [];

/** A submission from the first file to the last: opens the extraction, sends the files, goes to its page. */
export function useSubmission(maxFileBytes: number) {
  const [queue] = useState(() => new UploadQueue(maxFileBytes));
  const files = useSyncExternalStore(queue.subscribe, queue.snapshot, () => NO_FILES);
  const [phase, setPhase] = useState<Phase>({ step: 'choosing' });
  const [error, setError] = useState<string | null>(null);
  // One intent, one key: a second click after a lost answer does not open a second extraction.
  const intent = useRef<{ readonly body: string; readonly key: string } | null>(null);
  const router = useRouter();
  const client = useQueryClient();
  useLeaveWarning(phase.step === 'sending');

  const sendTo = async (extractionId: string) => {
    setPhase({ step: 'sending', extractionId });
    await queue.send(extractionId);
    const { rejected, failed } = totalsOf(queue.snapshot()).byState;
    void client.invalidateQueries({ queryKey: keys.extractions });
    if (rejected + failed === 0) router.push(`/extractions/${extractionId}`);
    else setPhase({ step: 'ended', extractionId });
  };

  const start = async (choices: SubmitChoices) => {
    const priority = chosenPriority(choices);
    if (priority === undefined) return;
    setError(null);
    setPhase({ step: 'sending', extractionId: null });
    const fields = {
      agent: choices.agent,
      client: choices.client.trim(),
      name: choices.name.trim(),
      priority,
    };
    const body = JSON.stringify(fields);
    if (intent.current?.body !== body) intent.current = { body, key: newKey() };
    try {
      const { extraction } = await createExtraction(fields, intent.current.key);
      await sendTo(extraction.id);
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'The extraction could not be opened. Try again.');
      setPhase({ step: 'choosing' });
    }
  };

  return { queue, files, phase, error, start, resume: sendTo };
}

/** `crypto.randomUUID` is missing on plain http from another machine. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** While files are on their way the browser asks before the page is left. */
function useLeaveWarning(active: boolean) {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}
