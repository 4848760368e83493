'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { cancelTask } from '@/lib/api-client/actions';
import type { Extraction } from '@/lib/contract/api';
import { Button } from '../../../_ui/button';
import { Dialog } from '../../../_ui/dialog';
import { formatCount } from '../../../_ui/format/count';
import { useToast } from '../../../_ui/toast';
import { actOnEach, tasksIn } from './act-on-tasks';

/** Cancels what is not final yet, after saying what that means. */
export function CancelExtraction({ extraction }: { readonly extraction: Extraction }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const say = useToast();
  const client = useQueryClient();
  const { enqueued, processing } = extraction.counts;

  const cancel = async () => {
    setBusy(true);
    try {
      const open = await tasksIn(extraction.id, ['enqueued', 'processing']);
      const { refused, reason } = await actOnEach(
        open.map((task) => task.id),
        cancelTask,
      );
      if (refused === 0)
        say({ tone: 'done', title: `${formatCount(open.length)} tasks cancelled or stopping` });
      else
        say({
          tone: 'problem',
          title: `${refused} tasks could not be cancelled`,
          detail: reason ?? undefined,
        });
    } catch (error) {
      say({ tone: 'problem', title: 'Nothing was cancelled', detail: String((error as Error).message) });
    }
    setBusy(false);
    setAsking(false);
    await client.invalidateQueries();
  };

  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Ban /> Cancel
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Cancel ${formatCount(enqueued + processing)} open ${enqueued + processing === 1 ? 'task' : 'tasks'}?`}
        description={`${formatCount(enqueued)} waiting ${enqueued === 1 ? 'task ends' : 'tasks end'} at once. ${formatCount(processing)} in flight ${processing === 1 ? 'is' : 'are'} stopped within seconds; what ${processing === 1 ? 'it has' : 'they have'} cost stays on the bill. Results that are there are kept.`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep running</Button>
            <Button variant="danger" disabled={busy} onClick={() => void cancel()}>
              {busy ? 'Cancelling' : 'Cancel tasks'}
            </Button>
          </>
        }
      />
    </>
  );
}
