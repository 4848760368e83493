import type { PageSize } from './use-pdf-document';

/** Between pages and around them, in CSS pixels. */
export const GAP = 12;

/** A page is never drawn wider than this when it fits: more would be blurred scans and tired eyes. */
const MAX_FIT_SCALE = 2;

/** The scale at which a page is as wide as its frame. */
export function fitScale(frameWidth: number, page: PageSize): number {
  return Math.min(MAX_FIT_SCALE, Math.max(0.1, (frameWidth - 2 * GAP) / page.width));
}

/** Where the top of a page (from 1) stands in the scrolled content, in CSS pixels. */
export function pageTop(number: number, sizeOf: (number: number) => PageSize, scale: number): number {
  let top = GAP;
  for (let page = 1; page < number; page += 1) top += sizeOf(page).height * scale + GAP;
  return top;
}
