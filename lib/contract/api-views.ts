import { z } from 'zod';
import { Id, Instant } from './api';
import { text } from './text';

/** Pages whose filters can be saved. */
export const VIEW_PAGES = ['overview', 'tasks', 'spend'] as const;
export const ViewPage = z.enum(VIEW_PAGES);
export type ViewPage = z.infer<typeof ViewPage>;

/** Filters that a person has saved under a name. */
export const SavedView = z
  .object({
    id: Id,
    page: ViewPage,
    name: z.string(),
    search: z.string().describe('Filters as in the page’s address, without the question mark'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewList = z.object({ views: z.array(SavedView) }).meta({ id: 'SavedViewList' });
export type SavedViewList = z.infer<typeof SavedViewList>;

/** Saves filters, in place of those of the same name on the same page. */
export const NewSavedView = z
  .strictObject({
    page: ViewPage,
    name: text(100).pipe(z.string().trim().min(1)),
    search: text(2_000).transform((value) => new URLSearchParams(value).toString().slice(0, 2_000)),
  })
  .meta({ id: 'NewSavedView' });
export type NewSavedView = z.infer<typeof NewSavedView>;
