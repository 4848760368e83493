import { Upload } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope } from '@/lib/auth/roles';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { appRuntime } from '@/lib/http/app-runtime';
import { firstPage, Hydrate } from '../../../_live/hydrate';
import { Button } from '../../../_ui/button';
import { PageHeader } from '../../../_ui/page-header';
import { ExtractionTable } from './extraction-table';

export const metadata: Metadata = { title: 'Extractions' };

/** As many as the API sends when not asked otherwise. */
const PAGE = 50;

export default async function ExtractionsPage() {
  const user = await requireUser('extraction.read', '/extractions');
  const { db } = await appRuntime();
  const list = await readExtractionList(db, { limit: PAGE }, clientScope(user));
  return (
    <Hydrate data={[[keys.extractionList({}), firstPage(list)]]}>
      <PageHeader
        title="Extractions"
        actions={
          <Button asChild variant="primary">
            <Link href="/submit">
              <Upload /> Submit documents
            </Link>
          </Button>
        }
      />
      <ExtractionTable />
    </Hydrate>
  );
}
