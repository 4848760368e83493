interface NumberRule {
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
  /** Whether empty means something: no limit, or the worker's default. */
  readonly optional: boolean;
  /** Whether a part of one means something. */
  readonly decimals?: boolean;
}

/** The numbers of an agent that can be changed, within the bounds that the API checks. */
export const NUMBERS = [
  {
    name: 'maxConcurrentTasks',
    group: 'Limits',
    label: 'Tasks at once',
    hint: 'Empty: no limit of its own. 0 = start none',
    min: 0,
    max: 1_000_000,
    optional: true,
  },
  {
    name: 'maxTpm',
    group: 'Limits',
    label: 'Tokens a minute',
    hint: 'Empty: no limit of its own',
    min: 1,
    max: 2_000_000_000,
    optional: true,
  },
  {
    name: 'maxAttempts',
    group: 'Runs',
    label: 'Attempts',
    hint: 'Before a task ends as failed',
    min: 1,
    max: 100,
    optional: false,
  },
  {
    name: 'maxRunSeconds',
    group: 'Runs',
    label: 'Seconds a run may take',
    hint: 'Then it is stopped',
    min: 1,
    max: 86_400,
    optional: false,
  },
  {
    name: 'leaseSeconds',
    group: 'Runs',
    label: 'Lease in seconds',
    hint: 'Empty: the default of the worker',
    min: 5,
    max: 3600,
    optional: true,
  },
  {
    name: 'retryBaseSeconds',
    group: 'Retries',
    label: 'First wait in seconds',
    hint: 'After the first failed attempt',
    min: 0,
    max: 3600,
    optional: false,
    decimals: true,
  },
  {
    name: 'retryFactor',
    group: 'Retries',
    label: 'Factor',
    hint: 'Each further wait is so many times as long',
    min: 1,
    max: 10,
    optional: false,
    decimals: true,
  },
  {
    name: 'retryCapSeconds',
    group: 'Retries',
    label: 'Longest wait in seconds',
    hint: 'Up to half of each wait is left out at random',
    min: 0,
    max: 86_400,
    optional: false,
    decimals: true,
  },
] as const satisfies readonly (NumberRule & { readonly name: string; readonly group: string })[];

export const AGEING: NumberRule = {
  label: 'Seconds of waiting for one step',
  hint: 'One step of priority is gained each time',
  min: 1,
  max: 604_800,
  optional: false,
};

export type NumberName = (typeof NUMBERS)[number]['name'];

/** What was typed, as a number, or why it can't be. */
export function readNumber(rule: NumberRule, typed: string): { value: number | null; error?: string } {
  const text = typed.trim();
  if (text === '') return rule.optional ? { value: null } : { value: null, error: 'A number is needed' };
  const value = Number(text);
  const form = rule.decimals ? /^\d+(\.\d{1,6})?$/ : /^\d+$/;
  if (!form.test(text) || value < rule.min || value > rule.max) {
    const kind = rule.decimals ? 'A number' : 'A whole number';
    return { value: null, error: `${kind} from ${rule.min} to ${rule.max.toLocaleString('en-GB')}` };
  }
  return { value };
}
