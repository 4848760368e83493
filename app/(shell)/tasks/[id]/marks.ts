import type { Box, Result } from '@/lib/contract/result';

/** A place on a page that belongs to a field, or to one element of it. */
export interface Mark {
  /** `grand_total`, or `line_items.2` for an element. */
  readonly key: string;
  readonly label: string;
  readonly page: number;
  /** In PDF points from the top left of the page as displayed; null = the page alone is known. */
  readonly box: Box | null;
}

/** Every place that a result names. */
export function marksOf(result: Result, label: (name: string) => string): Mark[] {
  return result.fields.flatMap((field) => {
    const places = field.places ?? [];
    const own: Mark[] =
      field.page !== null && (places.length === 0 || field.box !== null)
        ? [{ key: field.name, label: label(field.name), page: field.page, box: field.box }]
        : [];
    const elements = places.flatMap((place, index) =>
      place
        ? [
            {
              key: `${field.name}.${index}`,
              label: `${label(field.name)} ${index + 1}`,
              page: place.page,
              box: place.box,
            },
          ]
        : [],
    );
    return [...own, ...elements];
  });
}
