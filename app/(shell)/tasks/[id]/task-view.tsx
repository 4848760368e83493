'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { documentContentUrl, taskQuery } from '@/lib/api-client/queries';
import type { TaskDetail } from '@/lib/contract/api';
import { Button } from '../../../_ui/button';
import { cn } from '../../../_ui/cn';
import { ErrorState } from '../../../_ui/error-state';
import { island } from '../../../_ui/island';
import { ScrollRegion } from '../../../_ui/scroll-region';
import { PdfSkeleton } from './_pdf/pdf-skeleton';
import { fieldLabel } from './field-label';
import type { Linking } from './linking';
import { type Mark, marksOf } from './marks';
import { ResultPanel } from './result-panel';
import { asResult, jsonText } from './shown-values';
import type { TaskPermissions } from './task-actions';
import { TaskHeader } from './task-header';
import { TaskState } from './task-state';
import { TaskStory } from './task-story';

// pdf.js is larger than the rest of the page together, so it comes after it.
const PdfViewer = island(() => import('./_pdf/pdf-viewer').then((module) => module.PdfViewer), {
  what: 'The view of the document',
  loading: () => <PdfSkeleton />,
  className: 'grow rounded-none border-0',
});

interface TaskViewProps {
  readonly id: string;
  readonly may: TaskPermissions;
}

/** The document beside what was found in it, and how that came about. */
export function TaskView({ id, may }: TaskViewProps) {
  const { data: task, error, refetch } = useQuery(taskQuery(id));
  if (!task) {
    return error ? (
      <ErrorState
        title="The task could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    ) : null;
  }
  return (
    <>
      <TaskHeader task={task} may={may} />
      <SideBySide task={task} />
    </>
  );
}

function SideBySide({ task }: { readonly task: TaskDetail }) {
  const [view, setView] = useState<'fields' | 'document'>('fields');
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [hoverKey, setHoverKey] = useState<string | null>(null);
  const [target, setTarget] = useState<{ mark: Mark } | null>(null);
  const result = useMemo(() => asResult(task), [task]);
  const marks = useMemo(() => (result ? marksOf(result, fieldLabel) : []), [result]);
  const byKey = useMemo(() => new Map(marks.map((mark) => [mark.key, mark])), [marks]);

  const linking: Linking = {
    marks: byKey,
    activeKey,
    hoverKey,
    onHover: setHoverKey,
    onSelect: (key) => {
      const mark = byKey.get(key);
      setActiveKey(key);
      if (!mark) return;
      setTarget({ mark });
      setView('document');
    },
  };
  const selectFromPage = (key: string) => {
    setActiveKey(key);
    setView('fields');
    document
      .querySelector(`[data-field="${CSS.escape(key)}"]`)
      ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  };
  return (
    <>
      {task.documentId && <ViewSwitch view={view} onView={setView} />}
      <div className="grid gap-x-6 gap-y-8 lg:grid-cols-[minmax(0,1.1fr)_minmax(22rem,1fr)]">
        {task.documentId && (
          <section
            aria-label="Document"
            className={cn(
              'flex h-[calc(100dvh-12rem)] min-h-96 flex-col overflow-hidden rounded-md border border-line lg:sticky lg:top-[4.25rem] lg:h-[calc(100dvh-5.5rem)]',
              view === 'fields' && 'max-lg:hidden',
            )}
          >
            <PdfViewer
              url={documentContentUrl(task.documentId)}
              marks={marks}
              target={target}
              activeKey={activeKey}
              hoverKey={hoverKey}
              onHover={setHoverKey}
              onSelect={selectFromPage}
            />
          </section>
        )}
        <div className={cn('flex min-w-0 flex-col gap-8', view === 'document' && 'max-lg:hidden')}>
          <TaskState task={task} />
          {result && <ResultPanel task={task} result={result} linking={linking} />}
          {!result && task.result !== null && (
            <ScrollRegion as="pre" label="Result" className="overflow-x-auto font-mono text-xs">
              {jsonText(task.result)}
            </ScrollRegion>
          )}
          <TaskStory task={task} />
        </div>
      </div>
    </>
  );
}

interface ViewSwitchProps {
  readonly view: 'fields' | 'document';
  readonly onView: (view: 'fields' | 'document') => void;
}

/** On a narrow screen one side at a time. */
function ViewSwitch({ view, onView }: ViewSwitchProps) {
  return (
    <fieldset className="mb-4 grid grid-cols-2 gap-1 rounded-md bg-sunken p-1 lg:hidden">
      <legend className="sr-only">Show</legend>
      {(['fields', 'document'] as const).map((choice) => (
        <Button
          key={choice}
          variant="ghost"
          aria-pressed={view === choice}
          className={view === choice ? 'bg-surface shadow-[0_0_0_1px_var(--line)]' : 'text-muted'}
          onClick={() => onView(choice)}
        >
          {choice === 'fields' ? 'Fields' : 'Document'}
        </Button>
      ))}
    </fieldset>
  );
}
