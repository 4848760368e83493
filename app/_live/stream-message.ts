import type { ChangeEvent } from '@/lib/contract/live';

/** What the event stream says, as it is handed from the tab that listens to the others. `id`: that of the event. */
export type StreamMessage =
  /** `agoMs`: it came so long ago to another tab, which repeats it for a new one. */
  | { readonly kind: 'sign'; readonly at: string; readonly id: string | null; readonly agoMs?: number }
  | { readonly kind: 'change'; readonly change: ChangeEvent; readonly id: string | null }
  /** Something may have been missed: all that is on screen is fetched anew. `at`: null when nobody sent it. */
  | { readonly kind: 'resync'; readonly at: string | null; readonly id: string | null };

/** When the server sent it; null for what no server sent. */
export function sentAt(message: StreamMessage): string | null {
  return message.kind === 'change' ? message.change.at : message.at;
}
