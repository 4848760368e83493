import type { Box } from '@/lib/contract/result';
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

/** Quarter turns clockwise, beyond how the page is meant to be shown. */
export type Turns = 0 | 1 | 2 | 3;

export function turnSize({ width, height }: PageSize, turns: Turns): PageSize {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Where a place of an upright page of that size stands once it was turned; in the same units. */
export function turnBox([x0, y0, x1, y1]: Box, { width, height }: PageSize, turns: Turns): Box {
  switch (turns) {
    case 0:
      return [x0, y0, x1, y1];
    case 1:
      return [height - y1, x0, height - y0, x1];
    case 2:
      return [width - x1, height - y1, width - x0, height - y0];
    case 3:
      return [y0, width - x1, y1, width - x0];
  }
}

/** As CSS, of an upright page of that size in CSS pixels, turned about its top left corner and moved back into view. */
export function turnTransform({ width, height }: PageSize, turns: Turns): string | undefined {
  if (turns === 0) return undefined;
  const [x, y] = [
    turns === 3 ? 0 : turns === 1 ? height : width,
    turns === 1 ? 0 : turns === 3 ? width : height,
  ];
  return `translate(${x}px, ${y}px) rotate(${turns * 90}deg)`;
}
