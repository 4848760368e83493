import type { Role } from '@/lib/contract/roles';
import { onDatabricks } from './platform';

/** Who comes by the proxy of the stand-in workspace, and the groups that make the role. */
export const PEOPLE: Readonly<Record<Role, { email: string; name: string; groups: string[] }>> = {
  auditor: { email: 'auditor@example.com', name: 'Local auditor', groups: [] },
  operator: { email: 'operator@example.com', name: 'Local operator', groups: ['tickmark-operator'] },
  admin: { email: 'admin@example.com', name: 'Local admin', groups: ['tickmark-admin'] },
};

/** What stands beside what somebody of a role has done: people of a workspace are known by their address. */
export function actorOf(role: Role): string {
  return onDatabricks ? PEOPLE[role].email : PEOPLE[role].name;
}
