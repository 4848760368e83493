/** Called by Next once, before the server answers its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { openLanes } = await import('./lib/http/lanes');
  openLanes();
}
