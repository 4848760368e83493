import type { Agent } from '@/lib/contract/api-agents';

/** What an agent is that starts nothing, in the words of its badge and of "why it is not running". */
export function pausedWords(state: Agent['state']): string {
  if (state === 'draining') return 'is paused and draining';
  return state === 'drained' ? 'is paused and drained' : 'is paused';
}
