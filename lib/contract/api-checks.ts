import { z } from 'zod';
import { Count, Id } from './api';

const CheckedTask = z.object({
  id: Id,
  filename: z.string().nullable(),
  detail: z.string().describe('The figures, such as `12.00 + 2.00 = 14.00, not 15.00`'),
});

/** What the figures of an extraction's results say of each other, over all its documents. */
export const ExtractionChecks = z
  .object({
    documents: Count.describe('Completed documents that were looked at: the first thousand'),
    complete: z.boolean().describe('False: there are more documents than were looked at'),
    holding: Count.describe('Checks that hold'),
    unknown: Count.describe('Checks that could not be made, as a figure is missing'),
    failing: z.array(
      z.object({ label: z.string(), count: Count, tasks: z.array(CheckedTask).describe('At most five') }),
    ),
    nothingFound: z.object({ count: Count, tasks: z.array(CheckedTask) }),
  })
  .meta({ id: 'ExtractionChecks' });
export type ExtractionChecks = z.infer<typeof ExtractionChecks>;
