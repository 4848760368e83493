interface NumberRule {
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
  /** Whether empty means something: no limit, or the worker's default. */
  readonly optional: boolean;
}

/** The numbers of an agent that can be changed, within the bounds that the API checks. */
export const NUMBERS = [
  {
    name: 'maxConcurrentTasks',
    label: 'Tasks at once',
    hint: 'Empty: no limit of its own. 0: none',
    min: 0,
    max: 1_000_000,
    optional: true,
  },
  {
    name: 'maxTpm',
    label: 'Tokens a minute',
    hint: 'Empty: no limit of its own',
    min: 1,
    max: 2_000_000_000,
    optional: true,
  },
  {
    name: 'maxAttempts',
    label: 'Attempts',
    hint: 'Before a task ends as failed',
    min: 1,
    max: 100,
    optional: false,
  },
  {
    name: 'maxRunSeconds',
    label: 'Seconds a run may take',
    hint: 'Then it is stopped',
    min: 1,
    max: 86_400,
    optional: false,
  },
  {
    name: 'leaseSeconds',
    label: 'Lease in seconds',
    hint: 'Empty: as the worker has it',
    min: 5,
    max: 3600,
    optional: true,
  },
] as const satisfies readonly (NumberRule & { readonly name: string })[];

export type NumberName = (typeof NUMBERS)[number]['name'];

/** What was typed, as a number, or why it can't be. */
export function readNumber(rule: NumberRule, typed: string): { value: number | null; error?: string } {
  const text = typed.trim();
  if (text === '') return rule.optional ? { value: null } : { value: null, error: 'A number is needed' };
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < rule.min || value > rule.max) {
    return { value: null, error: `A whole number from ${rule.min} to ${rule.max.toLocaleString('en-GB')}` };
  }
  return { value };
}
