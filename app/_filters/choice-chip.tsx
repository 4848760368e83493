'use client';

import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Input } from '../_ui/input';
import { Chip } from './chip';

export interface Choice {
  readonly value: string;
  readonly label: ReactNode;
  /** What is typed is looked for in here. */
  readonly text: string;
}

interface ChoiceChipProps {
  readonly icon: LucideIcon;
  /** In the plural where several are chosen: `Agents`. */
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
  /** A box to type into: what it holds is told, for choices that come from the server. */
  readonly onSearch?: (text: string) => void;
  /** What was typed may be chosen though no choice holds it. */
  readonly free?: boolean;
}

/** More than so many choices have a box to search them. */
const SEARCH_FROM = 8;
const SHOWN = 60;

/** Any number of choices out of a list. */
export function ChoiceChip(props: ChoiceChipProps) {
  const { icon, label, choices, chosen, onChange, onSearch, free } = props;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const known = new Set(choices.map(({ value }) => value));
  const all = [
    ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value, text: value })),
    ...choices,
  ];
  const shown = all.filter(({ text }) => onSearch || text.toLowerCase().includes(wanted)).slice(0, SHOWN);
  const isNew = free && wanted !== '' && !all.some(({ value }) => value.toLowerCase() === wanted);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  const search = (text: string) => {
    setTyped(text);
    onSearch?.(text);
  };
  return (
    <Chip
      icon={icon}
      label={label}
      value={inWords(all, chosen)}
      open={open}
      onOpenChange={setOpen}
      className="w-64"
    >
      {(onSearch || free || choices.length > SEARCH_FROM) && (
        <div className="border-line border-b p-2">
          <Input
            type="search"
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder="Search"
            value={typed}
            onChange={(event) => search(event.target.value)}
          />
        </div>
      )}
      <fieldset className="max-h-72 overflow-y-auto p-1">
        <legend className="sr-only">{label}</legend>
        {shown.map((choice) => (
          <Option
            key={choice.value}
            label={choice.label}
            on={chosen.includes(choice.value)}
            onToggle={() => toggle(choice.value)}
          />
        ))}
        {isNew && <Option label={`“${typed.trim()}”`} on={false} onToggle={() => toggle(typed.trim())} />}
        {shown.length === 0 && !isNew && <p className="px-2 py-3 text-muted text-sm">Nothing to choose.</p>}
      </fieldset>
    </Chip>
  );
}

interface OptionProps {
  readonly label: ReactNode;
  readonly on: boolean;
  readonly onToggle: () => void;
}

function Option({ label, on, onToggle }: OptionProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 hover:bg-hover has-focus-visible:bg-hover"
    >
      <input
        id={id}
        type="checkbox"
        checked={on}
        onChange={onToggle}
        className="size-4 shrink-0 accent-(--accent)"
      />
      <span className="min-w-0 truncate">{label}</span>
    </label>
  );
}

/** `Invoice`, `Invoice, Contract` or `Invoice + 3`. */
function inWords(all: readonly Choice[], chosen: readonly string[]): string | null {
  const [first, second] = chosen.map((value) => all.find((one) => one.value === value)?.text ?? value);
  if (first === undefined) return null;
  if (second === undefined) return first;
  return chosen.length === 2 ? `${first}, ${second}` : `${first} + ${chosen.length - 1}`;
}
