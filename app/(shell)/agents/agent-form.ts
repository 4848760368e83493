import type { Agent } from '@/lib/contract/api-agents';
import type { AgentPatch } from '@/lib/contract/api-requests';
import { AGEING, NUMBERS, type NumberName, readNumber } from './agent-numbers';

/** Within the same priority: oldest first, extractions in turns, or waiting as priority. */
export type Order = 'strict' | 'fair' | 'ageing';

/** What the form holds while it is typed. */
export interface AgentForm {
  readonly typed: Readonly<Record<NumberName, string>>;
  readonly oversize: Agent['oversize'];
  readonly order: Order;
  readonly ageing: string;
}

const FIRST_AGEING = '600';

export function startOf(agent: Agent): AgentForm {
  const typed = Object.fromEntries(
    NUMBERS.map(({ name }) => [name, agent[name] === null ? '' : String(agent[name])]),
  ) as Record<NumberName, string>;
  return {
    typed,
    oversize: agent.oversize,
    order: orderOf(agent),
    ageing: agent.ageingSeconds === null ? FIRST_AGEING : String(agent.ageingSeconds),
  };
}

export function orderOf({ fair, ageingSeconds }: Pick<Agent, 'fair' | 'ageingSeconds'>): Order {
  if (fair) return 'fair';
  return ageingSeconds === null ? 'strict' : 'ageing';
}

/** Only what differs from the agent as it is; null while something can't be read. */
export function patchOf(agent: Agent, form: AgentForm): AgentPatch | null {
  const read = NUMBERS.map((rule) => ({ name: rule.name, ...readNumber(rule, form.typed[rule.name]) }));
  const ageing = form.order === 'ageing' ? readNumber(AGEING, form.ageing) : { value: null };
  if (read.some(({ error }) => error !== undefined) || ('error' in ageing && ageing.error)) return null;
  const patch: AgentPatch = Object.fromEntries(
    read.filter(({ name, value }) => value !== agent[name]).map(({ name, value }) => [name, value]),
  );
  if (form.oversize !== agent.oversize) patch.oversize = form.oversize;
  if ((form.order === 'fair') !== agent.fair) patch.fair = form.order === 'fair';
  if (ageing.value !== agent.ageingSeconds) patch.ageingSeconds = ageing.value;
  return patch;
}
