import { z } from 'zod';
import { Box, Confidence, Place, type Result } from './result';

/** A result as the API hands it out: `Result` after it was made storable. */
export const ResultAnswer = z
  .object({
    documentType: z.string().nullable(),
    confidence: Confidence.nullable(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    fields: z.array(
      z.object({
        name: z.string(),
        value: z.unknown().describe('null: the document does not show it'),
        confidence: Confidence.nullable(),
        page: z.number().int().nullable(),
        box: Box.nullable().describe('[x0, y0, x1, y1] in points from the top left of the page'),
        places: z.array(Place.nullable()).optional().describe('places[i] belongs to value[i]'),
      }),
    ),
  })
  .meta({ id: 'Result' }) satisfies z.ZodType<Result>;
