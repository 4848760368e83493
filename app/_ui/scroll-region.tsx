import type { ComponentProps } from 'react';

interface ScrollRegionProps extends ComponentProps<'section'> {
  /** The element that scrolls; one with a role of its own, such as a list, keeps it. */
  readonly as?: 'section' | 'ul' | 'pre';
  /** What is in it, for who comes to it by keyboard. */
  readonly label: string;
}

/** A part of the page that scrolls by itself, and so must be reached by a keyboard whatever is in it (WCAG 2.1.1). */
export function ScrollRegion({ as = 'section', label, ...props }: ScrollRegionProps) {
  // All three take the same attributes.
  const Element = as as 'section';
  return <Element tabIndex={0} aria-label={label} role={as === 'pre' ? 'region' : undefined} {...props} />;
}
