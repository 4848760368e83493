import 'server-only';
import { sql } from 'drizzle-orm';
import type { NewSavedView, SavedView } from '@/lib/contract/api-views';
import { isoInstant } from '@/lib/dashboard/sql-values';
import type { Db } from '@/lib/db/client';
import { DomainError } from '@/lib/errors';

/** Nobody finds their way among more. */
const MAX_VIEWS = 100;

type ViewRow = SavedView & Record<string, unknown>;

const columns = sql`v.id, v.page, v.name, v.search,
  ${isoInstant(sql`v.created_at`)} as "createdAt", ${isoInstant(sql`v.updated_at`)} as "updatedAt"`;

/** A person's saved views, by page and name. */
export async function listViews(db: Db, owner: string): Promise<SavedView[]> {
  const { rows } = await db.execute<ViewRow>(sql`
    /* views.list */
    select ${columns}
    from tickmark.saved_views v
    where v.owner = ${owner}
    order by v.page, lower(v.name)`);
  return rows;
}

/** Saves a view, in place of the one of that name. Throws `conflict` where a person has too many. */
export async function saveView(
  db: Db,
  owner: string,
  { page, name, search }: NewSavedView,
): Promise<SavedView> {
  const { rows } = await db.execute<ViewRow>(sql`
    /* views.save */
    insert into tickmark.saved_views as v (owner, page, name, search)
    select ${owner}, ${page}, ${name}, ${search}
    where (select count(*) from tickmark.saved_views o where o.owner = ${owner}) < ${MAX_VIEWS}
      or exists (select from tickmark.saved_views o
        where o.owner = ${owner} and o.page = ${page} and lower(o.name) = lower(${name}))
    on conflict (owner, page, lower(name))
    do update set name = excluded.name, search = excluded.search, updated_at = clock_timestamp()
    returning ${columns}`);
  const [view] = rows;
  if (!view) throw new DomainError('conflict', `You have ${MAX_VIEWS} saved views. Remove one first.`);
  return view;
}

/** Removes a person's own view; throws `not_found` for anybody else's. */
export async function removeView(db: Db, owner: string, id: string): Promise<void> {
  const { rowCount } = await db.execute(sql`
    /* views.remove */
    delete from tickmark.saved_views
    where id = ${id}::uuid and owner = ${owner}`);
  if (rowCount === 0) throw new DomainError('not_found', 'There is no such saved view of yours.');
}
