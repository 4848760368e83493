import { sql } from 'drizzle-orm';
import { Role } from '@/lib/contract/roles';
import type { Queryable } from '@/lib/db/client';
import { withTransaction } from '@/lib/db/transaction';

/** The role that was given to one of these names; the strongest where several have one. */
export async function findAppRole(db: Queryable, names: readonly string[]): Promise<Role | null> {
  const { rows } = await db.execute<{ role: string }>(sql`
    /* auth.find_role */
    select role from tickmark.app_roles
    where subject = any(${sql.param(names)}::text[])
    order by array_position(array['admin', 'operator', 'auditor'], role)
    limit 1`);
  return rows[0] ? Role.parse(rows[0].role) : null;
}

/** All roles that were given, by name. */
export async function listAppRoles(db: Queryable): Promise<{ subject: string; role: Role; setBy: string }[]> {
  const { rows } = await db.execute<{ subject: string; role: Role; setBy: string }>(sql`
    /* auth.list_roles */
    select subject, role, set_by as "setBy" from tickmark.app_roles order by subject`);
  return rows;
}

/**
 * Gives a role to a person (e-mail address), a service principal (client id) or a numeric id of the workspace, or takes
 * it away; counts within ten seconds. Leaves an entry in the audit log.
 * @param role null = none of its own any more
 */
export async function setAppRole(
  db: Queryable,
  { subject, role, actor }: { readonly subject: string; readonly role: Role | null; readonly actor: string },
): Promise<void> {
  const name = subject.trim().toLowerCase();
  await withTransaction(db, async (tx) => {
    if (role) {
      await tx.execute(sql`
        /* auth.set_role */
        insert into tickmark.app_roles (subject, role, set_by) values (${name}, ${role}, ${actor})
        on conflict (subject) do update set role = excluded.role, set_by = excluded.set_by, set_at = now()`);
    } else {
      await tx.execute(sql`/* auth.unset_role */ delete from tickmark.app_roles where subject = ${name}`);
    }
    await tx.execute(sql`
      /* auth.note_role */
      insert into tickmark.audit_log (actor, action, subject, details)
      values (${actor}, 'role.set', ${name}, ${JSON.stringify({ role })}::jsonb)`);
  });
}
