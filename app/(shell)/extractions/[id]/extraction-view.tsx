'use client';

import { useQuery } from '@tanstack/react-query';
import { extractionQuery } from '@/lib/api-client/queries';
import { AgentName } from '../../../_ui/agent-name';
import { ErrorState } from '../../../_ui/error-state';
import { ExtractionTitle } from '../../../_ui/extraction-name';
import { PageHeader } from '../../../_ui/page-header';
import { personName } from '../../../_ui/person-name';
import { Time } from '../../../_ui/time';
import { PausedAgents } from '../../_agents/paused-agents';
import { BulkProgress } from '../../_bulk/bulk-progress';
import { useBulk } from '../../_bulk/use-bulk';
import { CancelExtraction } from './cancel-extraction';
import { ChecksSummary } from './checks-summary';
import { DocumentTable } from './document-table';
import { ExportMenu } from './export-menu';
import { Failures } from './failures';
import { ProgressPanel } from './progress-panel';

interface ExtractionViewProps {
  readonly id: string;
  readonly mayRetry: boolean;
  readonly mayCancel: boolean;
}

/** One submission: how far it is, what failed and why, and its documents. */
export function ExtractionView({ id, mayRetry, mayCancel }: ExtractionViewProps) {
  const bulk = useBulk();
  const { data: extraction, error, refetch } = useQuery(extractionQuery(id));
  if (!extraction) {
    return error ? (
      <ErrorState
        title="The extraction could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    ) : null;
  }
  const open = extraction.counts.enqueued + extraction.counts.processing;
  return (
    <>
      <PageHeader
        title={
          <span className="block truncate">
            <ExtractionTitle extraction={extraction} />
          </span>
        }
        crumbs={[{ href: '/extractions', label: 'Extractions' }]}
        lead={
          <>
            {extraction.client ?? 'No client'} · agent <AgentName id={extraction.agent} /> ·{' '}
            {personName(extraction.submittedBy)}, <Time at={extraction.createdAt} />
          </>
        }
        actions={
          <>
            {mayCancel && open > 0 && <CancelExtraction extraction={extraction} bulk={bulk} />}
            <ExportMenu extraction={extraction} />
          </>
        }
      />
      {bulk.running && <BulkProgress running={bulk.running} />}
      <PausedAgents only={[extraction.agent]} waiting={extraction.counts.enqueued > 0} />
      <ProgressPanel extraction={extraction} />
      {extraction.counts.failed > 0 && (
        <Failures extractionId={id} client={extraction.client} mayRetry={mayRetry} bulk={bulk} />
      )}
      {extraction.counts.completed > 0 && <ChecksSummary extraction={extraction} />}
      <DocumentTable extractionId={id} />
    </>
  );
}
