import { beforeAll, describe, expect, it } from 'vitest';
import { InvoiceFields } from '@/lib/contract/fields';
import { answer } from './answer';
import { makeInvoice } from './made/made-invoice';
import { PACKS } from './made/packs';
import { type Fonts, loadFonts } from './made/sheet';

const FIELDS = Object.keys(InvoiceFields.shape).map((name) => ({ name, isList: name === 'line_items' }));
const SEEDS = 12;

/** Values by field, with the count of positions. */
function read(pages: string): Record<string, unknown> {
  const got = answer({ task: 'extract', documentType: 'invoice', fields: FIELDS, pages });
  const values = Object.fromEntries(
    Object.entries(got).map(([name, field]) => [name, (field as { value: unknown }).value]),
  );
  return { ...values, line_count: Array.isArray(values.line_items) ? values.line_items.length : null };
}

describe('made invoices', () => {
  let fonts: Fonts;
  beforeAll(async () => {
    fonts = await loadFonts();
  });

  it.each(PACKS.map((pack) => [pack.language, pack] as const))(
    'come out right in the main (%s)',
    (_, pack) => {
      let right = 0;
      let total = 0;
      const mistakes: string[] = [];
      for (let seed = 1; seed <= SEEDS; seed++) {
        const made = makeInvoice(pack, seed * 7919 + pack.language.length, fonts);
        const values = read(made.text);
        for (const [field, wanted] of Object.entries(made.expected)) {
          total++;
          if (values[field] === wanted) right++;
          else mistakes.push(`${seed} ${field}: ${String(values[field])}, not ${String(wanted)}`);
        }
      }
      expect(right / total, mistakes.join('\n')).toBeGreaterThan(0.97);
    },
  );
});
