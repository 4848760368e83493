import type { Role } from '@/lib/contract/roles';

/** Who comes by the proxy of the stand-in workspace, and the groups that make the role. */
export const PEOPLE: Readonly<Record<Role, { email: string; name: string; groups: string[] }>> = {
  auditor: { email: 'auditor@example.com', name: 'Local auditor', groups: [] },
  operator: { email: 'operator@example.com', name: 'Local operator', groups: ['tickmark-operator'] },
  admin: { email: 'admin@example.com', name: 'Local admin', groups: ['tickmark-admin'] },
};
