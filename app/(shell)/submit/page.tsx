import type { Metadata } from 'next';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope } from '@/lib/auth/roles';
import { readAgents } from '@/lib/dashboard/agents';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { appRuntime } from '@/lib/http/app-runtime';
import { SubmitForm } from './submit-form';

export const metadata: Metadata = { title: 'Submit' };

/** So many recent submissions are looked through for names of clients. */
const RECENT = 200;

export default async function SubmitPage() {
  const user = await requireUser('extraction.create', '/submit');
  const { db, config } = await appRuntime();
  const [agents, recent] = await Promise.all([
    readAgents(db),
    readExtractionList(db, { limit: RECENT }, clientScope(user)),
  ]);
  const clients = [...new Set(recent.extractions.flatMap(({ client }) => client ?? []))].sort();
  return (
    <SubmitForm
      agents={agents
        .map(({ id, name, description, paused }) => ({ id, name, description, paused }))
        .sort((a, b) => Number(b.id === 'auto') - Number(a.id === 'auto'))}
      clients={clients}
      maxFileBytes={config.maxFileBytes}
      firstRun={recent.extractions.length === 0}
    />
  );
}
