'use client';

import { type ReactNode, useState } from 'react';
import type { Agent } from '@/lib/contract/api-agents';
import { Button } from '../../_ui/button';
import { Dialog } from '../../_ui/dialog';
import { Field, Input, Select } from '../../_ui/input';
import { type AgentForm, type Order, patchOf, startOf } from './agent-form';
import { AGEING, NUMBERS, readNumber } from './agent-numbers';
import { useAgentUpdate } from './use-agent-update';

interface AgentDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Changes what an agent may do; it holds from the next claim on. */
export function AgentDialog({ agent, onClose }: AgentDialogProps) {
  const update = useAgentUpdate(agent.id, `${agent.name} is changed`);
  const [form, setForm] = useState<AgentForm>(() => startOf(agent));
  const patch = patchOf(agent, form);
  const save = () => {
    if (!patch) return;
    if (Object.keys(patch).length === 0) onClose();
    else update.mutate(patch, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit ${agent.name}`}
      description="It holds from the next claim on. What is in flight goes on."
      footer={
        <>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button variant="primary" disabled={!patch || update.isPending} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {['Limits', 'Runs', 'Retries'].map((group) => (
          <Group key={group} title={group}>
            {NUMBERS.filter((number) => number.group === group).map((number) => (
              <NumberField
                key={number.name}
                label={number.label}
                hint={number.hint}
                error={readNumber(number, form.typed[number.name]).error}
                value={form.typed[number.name]}
                onChange={(value) => setForm({ ...form, typed: { ...form.typed, [number.name]: value } })}
              />
            ))}
            {group === 'Limits' && (
              <Choice
                label="A task larger than the whole budget"
                value={form.oversize}
                options={[
                  ['run_alone', 'Runs alone, when nothing else is in flight'],
                  ['hold', 'Waits for a person'],
                ]}
                onChange={(oversize) => setForm({ ...form, oversize: oversize as Agent['oversize'] })}
              />
            )}
          </Group>
        ))}
        <Group title="Order">
          <Choice
            label="Within the same priority"
            value={form.order}
            options={[
              ['strict', 'The oldest goes first'],
              ['fair', 'Extractions take turns'],
              ['ageing', 'Waiting counts as priority'],
            ]}
            onChange={(order) => setForm({ ...form, order: order as Order })}
          />
          {form.order === 'ageing' && (
            <NumberField
              label={AGEING.label}
              hint={AGEING.hint}
              error={readNumber(AGEING, form.ageing).error}
              value={form.ageing}
              onChange={(ageing) => setForm({ ...form, ageing })}
            />
          )}
        </Group>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 w-full border-line border-b pb-1 text-muted text-sm">{title}</legend>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function NumberField({ label, hint, error, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <Input
          {...ids}
          inputMode="decimal"
          autoComplete="off"
          className="tabular"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label} className="sm:col-span-2">
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
