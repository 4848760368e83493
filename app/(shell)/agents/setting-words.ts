import type { Agent, AgentChange } from '@/lib/contract/api-agents';
import { formatCount } from '../../_ui/format/count';
import { formatSeconds } from '../../_ui/format/duration';

export const THROTTLE_WORDS: Record<Agent['throttleMode'], string> = {
  none: 'Not throttled by itself',
  concurrency: 'Throttled by tasks at once',
  tokens: 'Throttled by tokens a minute',
  both: 'Throttled by both, the stricter rules',
};

type Value = AgentChange['changes'][number]['from'];

const count = (value: Value) => (typeof value === 'number' ? formatCount(value) : String(value));
const seconds = (value: Value) => (typeof value === 'number' ? formatSeconds(value) : String(value));
const yesNo = (value: Value) => (value ? 'yes' : 'no');

interface SettingWords {
  readonly label: string;
  readonly show: (value: Value) => string;
  /** What no value means. */
  readonly none?: string;
}

/** Every setting of an agent, by the name that the API has for it, in the words of the page. */
const SETTINGS: Readonly<Record<string, SettingWords>> = {
  maxConcurrentTasks: {
    label: 'Tasks at once',
    show: (value) => (value === 0 ? '0: starts none' : count(value)),
    none: 'no limit',
  },
  maxTpm: { label: 'Tokens a minute', show: count, none: 'no limit' },
  leaseSeconds: { label: 'Lease', show: seconds, none: 'the default of the worker' },
  maxAttempts: { label: 'Attempts', show: count },
  maxRunSeconds: { label: 'A run may take', show: seconds },
  retryBaseSeconds: { label: 'First wait before a retry', show: seconds },
  retryFactor: { label: 'Each further wait is longer by', show: (value) => `× ${value}` },
  retryCapSeconds: { label: 'Longest wait', show: seconds },
  paused: { label: 'Paused', show: yesNo },
  draining: { label: 'Draining', show: yesNo },
  oversize: {
    label: 'Larger than the whole budget',
    show: (value) => (value === 'hold' ? 'waits for a person' : 'runs alone'),
  },
  fair: { label: 'Extractions take turns', show: yesNo },
  ageingSeconds: { label: 'Waiting for one step of priority', show: seconds, none: 'priority is strict' },
};

export function settingLabel(setting: string): string {
  return SETTINGS[setting]?.label ?? setting;
}

export function settingValue(setting: string, value: Value): string {
  const words = SETTINGS[setting];
  if (value === null) return words?.none ?? 'none';
  return words ? words.show(value) : String(value);
}
