import type { Metadata } from 'next';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { appRuntime } from '@/lib/http/app-runtime';
import { readHealth } from '@/lib/http/health';
import { Hydrate } from '../../_live/hydrate';
import { HealthView } from './health-view';

export const metadata: Metadata = { title: 'Health' };

export default async function HealthPage() {
  await requireUser('health.read', '/health');
  const health = await readHealth(await appRuntime());
  return (
    <Hydrate data={[[keys.health, health]]}>
      <HealthView />
    </Hydrate>
  );
}
