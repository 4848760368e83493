'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { FileStack } from 'lucide-react';
import Link from 'next/link';
import { extractionListQuery } from '@/lib/api-client/queries';
import type { Extraction } from '@/lib/contract/api';
import { Button } from '../../../_ui/button';
import { EmptyState } from '../../../_ui/empty-state';
import { ErrorState } from '../../../_ui/error-state';
import { Eta } from '../../../_ui/eta';
import { ExtractionTitle } from '../../../_ui/extraction-name';
import { formatCount } from '../../../_ui/format/count';
import { LinkPending } from '../../../_ui/link-pending';
import { Money } from '../../../_ui/money';
import { personName } from '../../../_ui/person-name';
import { SegmentedBar } from '../../../_ui/segmented-bar';
import { SkeletonRows } from '../../../_ui/skeleton';
import { totalOf } from '../../../_ui/status';
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from '../../../_ui/table';
import { Time } from '../../../_ui/time';

/** One row each: name, client, progress, when it will be done, cost, who, when. */
export function ExtractionTable() {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(extractionListQuery());
  if (isPending) return <SkeletonRows rows={8} />;
  if (!data) {
    return (
      <ErrorState
        title="The extractions could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    );
  }
  const extractions = data.pages.flatMap((page) => page.extractions);
  if (extractions.length === 0) {
    return (
      <EmptyState
        icon={FileStack}
        title="No extractions yet"
        action={
          <Button asChild variant="primary">
            <Link href="/submit">Submit documents</Link>
          </Button>
        }
      >
        An extraction is one submission of documents. Drop in PDFs, or try it with the samples.
      </EmptyState>
    );
  }
  return (
    <>
      <Table>
        <TableHead>
          <tr>
            <HeadCell>Name</HeadCell>
            <HeadCell>Client</HeadCell>
            <HeadCell>Progress</HeadCell>
            <HeadCell>Time left</HeadCell>
            <HeadCell numeric>LLM cost</HeadCell>
            <HeadCell className="lg:max-xl:hidden">Submitted by</HeadCell>
            <HeadCell>Submitted</HeadCell>
          </tr>
        </TableHead>
        <TableBody>
          {extractions.map((extraction) => (
            <ExtractionRow key={extraction.id} extraction={extraction} />
          ))}
        </TableBody>
      </Table>
      {hasNextPage && (
        <Button className="mt-4" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading' : 'Show more'}
        </Button>
      )}
    </>
  );
}

function ExtractionRow({ extraction }: { readonly extraction: Extraction }) {
  const { counts } = extraction;
  const total = totalOf(counts);
  const over = counts.completed + counts.failed + counts.cancelled;
  return (
    <Row className="group relative transition-colors lg:hover:bg-hover">
      <Cell card="full" className="lg:w-full lg:max-w-0">
        <Link
          href={`/extractions/${extraction.id}`}
          prefetch={false}
          className="block min-w-0 truncate font-medium after:absolute after:inset-0 group-hover:underline"
        >
          <ExtractionTitle extraction={extraction} />
          <LinkPending />
        </Link>
      </Cell>
      <Cell label="Client" card={extraction.client ? undefined : 'hidden'} className="lg:max-w-48">
        {extraction.client ? <span className="block min-w-0 truncate">{extraction.client}</span> : <None />}
      </Cell>
      <Cell label="Progress" className="lg:min-w-56">
        <span className="flex items-center gap-3 max-lg:w-48">
          <SegmentedBar counts={counts} />
          <span className="tabular shrink-0 text-muted text-sm">
            {formatCount(over)}/{formatCount(total)}
          </span>
        </span>
      </Cell>
      <Cell label="Left" card="half">
        <Eta extraction={extraction} />
      </Cell>
      <Cell label="Cost" numeric card="half">
        <Money usd={extraction.llmCostUsd} why="Nothing with a known price has been used yet" />
      </Cell>
      <Cell label="By" card="half" className="lg:max-w-40 lg:max-xl:hidden">
        <span className="block min-w-0 truncate text-muted">{personName(extraction.submittedBy)}</span>
      </Cell>
      <Cell label="At" card="half" className="text-muted">
        <Time at={extraction.createdAt} />
      </Cell>
    </Row>
  );
}

function None() {
  return (
    <span className="text-muted" title="No client was given">
      —
    </span>
  );
}
