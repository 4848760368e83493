'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { removeView, saveView } from '@/lib/api-client/actions';
import { keys, viewsQuery } from '@/lib/api-client/queries';
import type { SavedView, ViewPage } from '@/lib/contract/api-views';
import { Button } from '../_ui/button';
import { Field, Input } from '../_ui/input';
import { viewHref } from './view-href';

interface SavedViewsProps {
  readonly page: ViewPage;
  /** The page's filters as in its address, without the question mark; empty: none. */
  readonly search: string;
}

interface SavedViewsPanelProps extends SavedViewsProps {
  readonly onGo: () => void;
}

/** The person's views of this page, and a form to save one more. */
export function SavedViewsPanel({ page, search, onGo }: SavedViewsPanelProps) {
  const { data } = useQuery(viewsQuery());
  const views = data?.views.filter((view) => view.page === page) ?? [];
  return (
    <>
      {views.length > 0 && (
        <ul className="max-h-72 overflow-y-auto border-line border-b p-1">
          {views.map((view) => (
            <ViewRow key={view.id} view={view} onGo={onGo} />
          ))}
        </ul>
      )}
      <SaveForm page={page} search={search} />
    </>
  );
}

function ViewRow({ view, onGo }: { readonly view: SavedView; readonly onGo: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeView(view.id),
    onSettled: () => client.invalidateQueries({ queryKey: keys.views }),
  });
  return (
    <li className="flex items-center gap-1 rounded-sm hover:bg-hover">
      <Link
        href={viewHref(view) ?? '/'}
        onClick={onGo}
        className="flex min-h-8 min-w-0 grow items-center truncate rounded-sm px-2"
      >
        <span className="truncate">{view.name}</span>
      </Link>
      <Button
        size="icon-sm"
        variant="ghost"
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
        title="Remove"
      >
        <X />
        <span className="sr-only">Remove “{view.name}”</span>
      </Button>
    </li>
  );
}

function SaveForm({ page, search }: SavedViewsProps) {
  const [name, setName] = useState('');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => saveView({ page, name: name.trim(), search }),
    onSuccess: () => {
      setName('');
      return client.invalidateQueries({ queryKey: keys.views });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !save.isPending) save.mutate();
  };
  if (search === '') return <p className="p-3 text-muted text-sm">Choose filters, then save them here.</p>;
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 p-3">
      <Field
        label="Save these filters as"
        error={save.error?.message}
        hint="The same name replaces. Only you see it; a link can be shared with anybody."
      >
        {(ids) => (
          <Input {...ids} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={name.trim() === '' || save.isPending}>
        Save
      </Button>
    </form>
  );
}
