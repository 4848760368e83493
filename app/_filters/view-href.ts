import type { SavedView, ViewPage } from '@/lib/contract/api-views';

/** Where each page with saved views is, and what it is called. */
export const VIEW_PLACES: Partial<Record<ViewPage, { readonly path: string; readonly word: string }>> = {
  overview: { path: '/', word: 'Overview' },
  tasks: { path: '/tasks', word: 'Tasks' },
};

/** The page with these filters; null for a page that is not there. */
export function viewHref({ page, search }: Pick<SavedView, 'page' | 'search'>): string | null {
  const place = VIEW_PLACES[page];
  return place ? `${place.path}${search === '' ? '' : `?${search}`}` : null;
}
