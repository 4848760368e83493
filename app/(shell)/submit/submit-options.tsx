'use client';

import { Field, Input, Select } from '../../_ui/input';

export interface AgentChoice {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly paused: boolean;
}

export interface SubmitChoices {
  readonly agent: string;
  readonly client: string;
  readonly name: string;
  readonly urgency: 'normal' | 'urgent' | 'number';
  readonly priority: string;
}

export const FIRST_CHOICES: SubmitChoices = {
  agent: 'auto',
  client: '',
  name: '',
  urgency: 'normal',
  priority: '50',
};

/** "Urgent" goes before all ordinary work of every tier and leaves room above for an operator. */
const URGENT = 90;

/** The priority to send; null = the default of the client's tier; undefined = what was typed is none. */
export function chosenPriority(choices: SubmitChoices): number | null | undefined {
  if (choices.urgency === 'normal') return null;
  if (choices.urgency === 'urgent') return URGENT;
  return /^(\d{1,2}|100)$/.test(choices.priority.trim()) ? Number(choices.priority) : undefined;
}

interface SubmitOptionsProps {
  readonly choices: SubmitChoices;
  readonly onChange: (choices: SubmitChoices) => void;
  readonly agents: readonly AgentChoice[];
  readonly clients: readonly string[];
  readonly disabled: boolean;
}

/** What is to be done with the files, for whom, and how soon. */
export function SubmitOptions({ choices, onChange, agents, clients, disabled }: SubmitOptionsProps) {
  const agent = agents.find(({ id }) => id === choices.agent);
  const set = (change: Partial<SubmitChoices>) => onChange({ ...choices, ...change });
  return (
    <fieldset disabled={disabled} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
      <legend className="sr-only">Options</legend>
      <Field
        label="Agent"
        hint={
          agent?.paused
            ? 'This agent is paused: its tasks wait until an operator resumes it.'
            : agent?.description
        }
      >
        {(ids) => (
          <Select {...ids} value={choices.agent} onChange={(event) => set({ agent: event.target.value })}>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Client" hint="Optional. Cost and results can be told apart by it.">
        {(ids) => (
          <>
            <Input
              {...ids}
              list="known-clients"
              maxLength={200}
              autoComplete="off"
              value={choices.client}
              onChange={(event) => set({ client: event.target.value })}
            />
            <datalist id="known-clients">
              {clients.map((client) => (
                <option key={client} value={client} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Name" hint="Optional, such as “Q3 invoices”.">
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            autoComplete="off"
            value={choices.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <PriorityFields choices={choices} set={set} />
    </fieldset>
  );
}

interface PriorityFieldsProps {
  readonly choices: SubmitChoices;
  readonly set: (change: Partial<SubmitChoices>) => void;
}

function PriorityFields({ choices, set }: PriorityFieldsProps) {
  return (
    <div className="flex items-start gap-2">
      <Field
        label="Priority"
        className="grow"
        hint={
          choices.urgency === 'normal'
            ? 'As usual for the client.'
            : choices.urgency === 'urgent'
              ? 'Goes before everything that is not urgent.'
              : undefined
        }
      >
        {(ids) => (
          <Select
            {...ids}
            value={choices.urgency}
            onChange={(event) => set({ urgency: event.target.value as SubmitChoices['urgency'] })}
          >
            <option value="normal">Normal</option>
            <option value="urgent">Urgent</option>
            <option value="number">Number</option>
          </Select>
        )}
      </Field>
      {choices.urgency === 'number' && (
        <Field
          label="0–100"
          className="w-20"
          error={chosenPriority(choices) === undefined ? 'From 0 to 100' : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              inputMode="numeric"
              className="tabular text-right"
              value={choices.priority}
              onChange={(event) => set({ priority: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
