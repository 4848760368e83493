import type { Agent } from '@/lib/contract/api-agents';
import { formatCount } from '../../_ui/format/count';

/** Whose limit it is that holds, and which one is set where that is another one. */
export function limitNote(agent: Agent, limit: 'maxConcurrentTasks' | 'maxTpm'): string {
  const [own, effective, lowered] = [agent[limit], agent.effective[limit], agent.lowered?.[limit] ?? null];
  if (effective === null) return '';
  if (own === effective) return 'its own limit';
  const set = own === null ? 'none set' : `${formatCount(own)} set`;
  return lowered === effective ? `lowered, ${set}` : `the limit over all agents, ${set}`;
}

/** What the next step up makes of the limits that are lowered now. */
export function nextStepWords({ maxConcurrentTasks, maxTpm, next }: NonNullable<Agent['lowered']>): string {
  const steps = [
    maxConcurrentTasks !== null && next.maxConcurrentTasks !== null
      ? `to ${formatCount(next.maxConcurrentTasks)} at once`
      : null,
    maxTpm !== null && next.maxTpm !== null ? `to ${formatCount(next.maxTpm)} tokens a minute` : null,
  ].filter((step) => step !== null);
  return steps.length === 0 ? 'lifted' : `up ${steps.join(' and ')}`;
}
