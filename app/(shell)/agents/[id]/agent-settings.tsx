'use client';

import type { Agent } from '@/lib/contract/api-agents';
import { settingLabel, settingValue } from '../setting-words';

const SHOWN = [
  'maxConcurrentTasks',
  'maxTpm',
  'oversize',
  'leaseSeconds',
  'maxAttempts',
  'maxRunSeconds',
  'retryBaseSeconds',
  'retryFactor',
  'retryCapSeconds',
  'fair',
  'ageingSeconds',
] as const;

/** How an agent is set, whatever holds at the moment. */
export function AgentSettings({ agent }: { readonly agent: Agent }) {
  return (
    <section aria-labelledby="settings">
      <h2 id="settings" className="mb-2 font-medium text-lg">
        Settings
      </h2>
      <dl className="grid gap-x-8 border-line border-t sm:grid-cols-2">
        {SHOWN.map((setting) => (
          <div
            key={setting}
            className="flex min-h-9 items-center justify-between gap-4 border-line border-b py-1"
          >
            <dt className="text-muted">{settingLabel(setting)}</dt>
            <dd className="tabular text-right">{settingValue(setting, agent[setting])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
