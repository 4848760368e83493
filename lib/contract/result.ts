import { z } from 'zod';
import { storableJson, text } from './text';

/** A confidence between 0 and 1. */
export const Confidence = z.number().min(0).max(1);

/**
 * Where a value stands on its page: `[x0, y0, x1, y1]` in PDF points (1/72 inch), origin at the top left of the page
 * as displayed (crop box and rotation applied), y downwards.
 */
export const Box = z.tuple([
  z.number().min(-100_000).max(100_000),
  z.number().min(-100_000).max(100_000),
  z.number().min(-100_000).max(100_000),
  z.number().min(-100_000).max(100_000),
]);
export type Box = z.infer<typeof Box>;

const Page = z.number().int().min(1).max(100_000);

/** One place of one element of a value that is an array (`places[i]` belongs to `value[i]`). */
export const Place = z.object({ page: Page, box: Box.nullable() });

/** One extracted field. `value` is `null` when the document does not show it: never a guess. */
export const ResultField = z.object({
  name: text(200).pipe(z.string().min(1)),
  value: z.unknown().transform(storableJson),
  confidence: Confidence.nullable().default(null),
  page: Page.nullable().default(null),
  box: Box.nullable().default(null),
  places: z.array(Place.nullable()).max(10_000).optional(),
});
export type ResultField = z.infer<typeof ResultField>;

export const Warning = z.object({ code: text(100), message: text(2_000).default('') });
export type Warning = z.infer<typeof Warning>;

/** What an agent found in one document. */
export const Result = z.object({
  documentType: text(100).nullable().default(null),
  confidence: Confidence.nullable().default(null),
  warnings: z.array(Warning).max(1_000).default([]),
  fields: z.array(ResultField).max(5_000).default([]),
});
export type Result = z.infer<typeof Result>;
