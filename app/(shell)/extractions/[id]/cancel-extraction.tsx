'use client';

import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Extraction } from '@/lib/contract/api';
import { Button } from '../../../_ui/button';
import { Dialog } from '../../../_ui/dialog';
import { formatCount } from '../../../_ui/format/count';
import type { Bulk } from '../../_bulk/use-bulk';

interface CancelExtractionProps {
  readonly extraction: Extraction;
  readonly bulk: Bulk;
}

/** Cancels what is not final yet, after saying what that means. */
export function CancelExtraction({ extraction, bulk }: CancelExtractionProps) {
  const [asking, setAsking] = useState(false);
  const { enqueued, processing } = extraction.counts;
  const cancel = () => {
    setAsking(false);
    bulk.start(
      { action: 'cancel', filter: { extraction: extraction.id } },
      {
        label: 'Cancelling',
        done: (changed) =>
          `${formatCount(changed)} ${changed === 1 ? 'task' : 'tasks'} cancelled or stopping`,
        problem: 'Nothing was cancelled',
      },
    );
  };
  return (
    <>
      <Button disabled={bulk.busy} onClick={() => setAsking(true)}>
        <Ban /> Cancel
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Cancel ${formatCount(enqueued + processing)} open ${enqueued + processing === 1 ? 'task' : 'tasks'}?`}
        description={`${formatCount(enqueued)} waiting ${enqueued === 1 ? 'task ends' : 'tasks end'} at once. ${formatCount(processing)} in flight ${processing === 1 ? 'is' : 'are'} stopped within seconds; what ${processing === 1 ? 'it has' : 'they have'} cost stays on the bill. Results that are there are kept.`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>
              Keep {enqueued + processing === 1 ? 'it' : 'them'}
            </Button>
            <Button variant="danger" onClick={cancel}>
              Cancel tasks
            </Button>
          </>
        }
      />
    </>
  );
}
