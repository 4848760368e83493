'use client';

import { type ReactNode, useState } from 'react';
import type { Agent } from '@/lib/contract/api-agents';
import type { AgentPatch } from '@/lib/contract/api-requests';
import { Button } from '../../_ui/button';
import { Dialog } from '../../_ui/dialog';
import { Field, Input, Select } from '../../_ui/input';
import { NUMBERS, type NumberName, readNumber } from './agent-numbers';
import { useAgentUpdate } from './use-agent-update';

interface AgentDialogProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Changes an agent's limits; they hold from the next claim on. */
export function AgentDialog({ agent, onClose }: AgentDialogProps) {
  const update = useAgentUpdate(agent.id, `${agent.name} is changed`);
  const [oversize, setOversize] = useState(agent.oversize);
  const [typed, setTyped] = useState(
    () =>
      Object.fromEntries(
        NUMBERS.map(({ name }) => [name, agent[name] === null ? '' : String(agent[name])]),
      ) as Record<NumberName, string>,
  );
  const read = NUMBERS.map((number) => ({ ...number, ...readNumber(number, typed[number.name]) }));
  const valid = read.every(({ error }) => error === undefined);
  const save = () => {
    if (!valid) return;
    const changed = read
      .filter(({ name, value }) => value !== agent[name])
      .map(({ name, value }) => [name, value]);
    const patch: AgentPatch = Object.fromEntries(changed);
    if (oversize !== agent.oversize) patch.oversize = oversize;
    if (Object.keys(patch).length === 0) onClose();
    else update.mutate(patch, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Limits of ${agent.name}`}
      description="They hold from the next claim on. What is in flight goes on."
      footer={
        <>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button variant="primary" disabled={!valid || update.isPending} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <Form onSubmit={save}>
        {read.map(({ name, label, hint, error }) => (
          <Field key={name} label={label} hint={hint} error={error}>
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                autoComplete="off"
                className="tabular"
                value={typed[name]}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field label="A task larger than the whole budget" className="sm:col-span-2">
          {(ids) => (
            <Select
              {...ids}
              value={oversize}
              onChange={(event) => setOversize(event.target.value as Agent['oversize'])}
            >
              <option value="run_alone">Runs alone, when nothing else is in flight</option>
              <option value="hold">Waits for a person</option>
            </Select>
          )}
        </Field>
      </Form>
    </Dialog>
  );
}

function Form({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  return (
    <form
      className="grid gap-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  );
}
