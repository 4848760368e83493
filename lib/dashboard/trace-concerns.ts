import type { Concern, Health } from '@/lib/contract/api-health';

/** What of the traces of attempts needs a person. Work goes on in every case: only figures are at stake. Pure. */
export function traceConcerns({ traces }: Pick<Health, 'traces'>): (Concern | null)[] {
  if (!traces) return [];
  const { error, missingLastDay, differLastDay } = traces;
  return [
    error === null
      ? null
      : {
          code: 'traces_unreadable',
          urgency: 'soon',
          title: 'Traces can’t be read',
          advice: `${error} Tokens and cost are what agents report meanwhile; they are read again by themselves once that works.`,
        },
    missingLastDay === 0
      ? null
      : {
          code: 'traces_missing',
          urgency: 'soon',
          title: `${attempts(missingLastDay)} of the last day without a whole trace`,
          advice:
            'Their tokens and cost are what the agents reported. Search the logs of their runs for `agent.trace_not_exported`: it says why MLflow did not take the trace.',
        },
    differLastDay === 0
      ? null
      : {
          code: 'traces_differ',
          urgency: 'soon',
          title: `${attempts(differLastDay)} of the last day whose report and trace say different things`,
          advice:
            'The traces’ figures count. The tasks’ pages show both; an agent that counts wrongly, or one that traces twice, is the usual reason. Search the worker’s log for `trace.differs_from_report`.',
        },
  ];
}

function attempts(n: number): string {
  return n === 1 ? '1 attempt' : `${n.toLocaleString('en-GB')} attempts`;
}
