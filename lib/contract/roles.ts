import { z } from 'zod';

/** Who a person is here; what each role may do is one table in `lib/auth/roles.ts`. */
export const ROLES = ['auditor', 'operator', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** The signed-in person or script, as in `session.user`. */
export const SessionUser = z.object({
  /** Stable; `user:<id>` is the actor in events. */
  id: z.string(),
  /** For people to read, such as "Local auditor". */
  name: z.string(),
  role: Role,
});
export type SessionUser = z.infer<typeof SessionUser>;
