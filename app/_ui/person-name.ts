/** Who did something, from an id such as `user:local-auditor`: the name a person would use. */
export function personName(actor: string): string {
  const id = actor.replace(/^user:/, '');
  const local = /^local-(auditor|operator|admin)$/.exec(id);
  if (local) return `Local ${local[1]}`;
  if (id === 'local-cli') return 'Command line';
  if (id === 'admin-token') return 'Admin token';
  return id;
}
