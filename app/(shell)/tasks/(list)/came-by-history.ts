/** Back and forward are told apart from links only by this event, which comes with the page or just before it. */
let poppedAt = Number.NEGATIVE_INFINITY;

const JUST_NOW_MS = 3_000;

if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => {
    poppedAt = performance.now();
  });
}

/** Whether the page that is being shown was come to with the browser's back or forward button. */
export function cameByHistory(): boolean {
  if (typeof window === 'undefined') return false;
  // The router's own listener comes first, and React renders what it asks for within the event.
  return window.event?.type === 'popstate' || performance.now() - poppedAt < JUST_NOW_MS;
}
