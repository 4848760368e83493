'use client';

import { Copy, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../_ui/button';
import { formatBytes, formatCount } from '../../_ui/format/count';
import { island } from '../../_ui/island';
import { PageHeader } from '../../_ui/page-header';
import { Skeleton } from '../../_ui/skeleton';
import { useToast } from '../../_ui/toast';
import { Chooser } from './chooser';
import { PageDrop } from './page-drop';
import { loadSamples, SAMPLES } from './samples';
import { type AgentChoice, chosenPriority, FIRST_CHOICES, SubmitOptions } from './submit-options';
import { EndedSummary, SendingSummary } from './submit-summary';
import { totalsOf, type UploadFile, type UploadTotals } from './upload-file';
import { useSubmission } from './use-submission';

// Comes with the first file.
const FileList = island(() => import('./file-list').then((module) => module.FileList), {
  what: 'The list of files',
  loading: () => <Skeleton className="h-10 w-full" />,
});

/** MAX_FILE_MB counts in powers of two. */
const BYTES_PER_MB = 1024 * 1024;

interface SubmitFormProps {
  readonly agents: readonly AgentChoice[];
  readonly clients: readonly string[];
  readonly maxFileBytes: number;
  readonly firstRun: boolean;
}

export function SubmitForm({ agents, clients, maxFileBytes, firstRun }: SubmitFormProps) {
  const { queue, files, phase, error, start, resume } = useSubmission(maxFileBytes);
  const [choices, setChoices] = useState(FIRST_CHOICES);
  const totals = totalsOf(files);
  const { rejected } = totals.byState;
  const [withRejected, setWithRejected] = useState(true);
  const choosing = phase.step === 'choosing';
  const ready = totals.byState.ready + totals.byState.failed;
  return (
    <PageDrop disabled={!choosing} onFiles={(added) => void queue.add(added)}>
      <PageHeader title="Submit documents" lead={files.length > 0 ? summarise(totals) : undefined} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-8">
        <div className="flex min-w-0 flex-col gap-3">
          {choosing && (
            <Chooser
              compact={files.length > 0}
              limit={`${Math.floor(maxFileBytes / BYTES_PER_MB)} MB`}
              onFiles={(added) => void queue.add(added)}
            />
          )}
          {totals.duplicates > 0 && choosing && (
            <Duplicates
              count={totals.duplicates}
              onLeaveOut={() => queue.remove((file) => file.sameAs === null)}
            />
          )}
          {rejected > 0 && choosing && (
            <Rejected
              count={rejected}
              shown={withRejected}
              onToggle={() => setWithRejected(!withRejected)}
              onRemove={() => queue.remove((file) => file.state !== 'rejected')}
            />
          )}
          {files.length > 0 && (
            <FileList
              files={problemsFirst(withRejected || !choosing ? files : files.filter(isAccepted))}
              onRemove={choosing ? (key) => queue.remove((file) => file.key !== key) : null}
            />
          )}
          {files.length === 0 && <Samples prominent={firstRun} onFiles={(added) => void queue.add(added)} />}
        </div>
        <aside aria-label="Options and start" className="flex flex-col gap-5">
          <SubmitOptions
            choices={choices}
            onChange={setChoices}
            agents={agents}
            clients={clients}
            disabled={!choosing}
          />
          {error && (
            <p role="alert" className="rounded-md border border-line bg-surface p-3 text-sm">
              {error}
            </p>
          )}
          {choosing && (
            <Button
              variant="primary"
              size="lg"
              disabled={ready === 0 || chosenPriority(choices) === undefined}
              onClick={() => void start(choices)}
            >
              {ready === 0 ? 'Start' : `Start with ${formatCount(ready)} ${ready === 1 ? 'file' : 'files'}`}
            </Button>
          )}
          {phase.step === 'sending' && <SendingSummary totals={totals} />}
          {phase.step === 'ended' && (
            <EndedSummary
              totals={totals}
              extractionId={phase.extractionId}
              onResume={() => void resume(phase.extractionId)}
            />
          )}
        </aside>
      </div>
    </PageDrop>
  );
}

const isAccepted = (file: UploadFile) => file.state !== 'rejected';

/** Among hundreds, what needs a person must not be searched for. */
function problemsFirst(files: readonly UploadFile[]): readonly UploadFile[] {
  const isProblem = (file: UploadFile) => file.state === 'rejected' || file.state === 'failed';
  if (!files.some(isProblem)) return files;
  return [...files.filter(isProblem), ...files.filter((file) => !isProblem(file))];
}

function summarise(totals: UploadTotals): string {
  const { rejected } = totals.byState;
  const taken = totals.files - rejected;
  const size = formatBytes(totals.bytes);
  return `${formatCount(taken)} ${taken === 1 ? 'file' : 'files'}, ${size}${rejected > 0 ? ` · ${formatCount(rejected)} can’t be sent` : ''}`;
}

interface RejectedProps {
  readonly count: number;
  readonly shown: boolean;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
}

/** A folder brings much that is no PDF: it can be put out of sight, or out of the list. */
function Rejected({ count, shown, onToggle, onRemove }: RejectedProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2 rounded-md border border-line bg-surface px-3 py-2">
      <p className="min-w-0 grow text-sm">
        {count === 1 ? 'One file can’t be sent' : `${formatCount(count)} files can’t be sent`}
        {shown && '; the reason stands beside each'}.
      </p>
      <Button size="sm" variant="ghost" aria-expanded={shown} onClick={onToggle}>
        {shown ? 'Hide' : 'Show'} {count === 1 ? 'it' : 'them'}
      </Button>
      <Button size="sm" onClick={onRemove}>
        Remove {count === 1 ? 'it' : 'them'}
      </Button>
    </div>
  );
}

function Duplicates({ count, onLeaveOut }: { readonly count: number; readonly onLeaveOut: () => void }) {
  return (
    <div
      role="status"
      className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2"
    >
      <Copy aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 grow text-sm">
        {count === 1 ? 'One file has' : `${formatCount(count)} files have`} the same content as another here.
        Each would be worked on, and paid for, again.
      </p>
      <Button size="sm" onClick={onLeaveOut}>
        Leave {count === 1 ? 'it' : 'them'} out
      </Button>
    </div>
  );
}

function Samples({ prominent, onFiles }: { prominent: boolean; onFiles: (files: readonly File[]) => void }) {
  const [loading, setLoading] = useState(false);
  const say = useToast();
  const add = async () => {
    setLoading(true);
    try {
      onFiles(await loadSamples());
    } catch {
      say({ tone: 'problem', title: 'The samples could not be loaded', detail: 'Try again.' });
    }
    setLoading(false);
  };
  return (
    <section
      aria-labelledby="samples"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line px-5 py-4"
    >
      <div className="min-w-0 grow">
        <h2 id="samples" className="font-medium">
          {prominent ? 'Nothing at hand?' : 'Samples'}
        </h2>
        <p className="text-muted text-sm">{SAMPLES.map(({ what }) => what).join(' · ')}</p>
      </div>
      <Button variant={prominent ? 'primary' : 'secondary'} disabled={loading} onClick={() => void add()}>
        <FlaskConical /> Try with sample documents
      </Button>
    </section>
  );
}
