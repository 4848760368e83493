import { expect, test } from 'vitest';
import { embeddedWarning, severalDocumentsWarning, totalsWarning } from './checks';

const field = (name: string, value: string | null) => ({ name, value, confidence: 1, page: 1, box: null });
const totals = (net: string | null, tax: string | null, grand: string | null) => [
  field('net_total', net),
  field('tax_total', tax),
  field('grand_total', grand),
];

test('totals that do not add up are told, a missing one or a cent of rounding is not', () => {
  expect(totalsWarning(totals('473.00', '56.87', '529.87'))).toBeNull();
  expect(totalsWarning(totals('473.00', '56.88', '529.87'))).toBeNull();
  expect(totalsWarning(totals('473.00', null, '529.87'))).toBeNull();
  expect(totalsWarning(totals('473.00', '56.87', '539.87'))).toMatchObject({
    code: 'totals_do_not_add_up',
    message: 'Net total 473 and tax 56.87 make 529.87, but the grand total is 539.87.',
  });
});

test('another number or total in the embedded invoice is told', () => {
  const fields = [field('invoice_number', 'RE-2020/508'), field('grand_total', '571.04')];
  expect(embeddedWarning(fields, null)).toBeNull();
  expect(embeddedWarning(fields, { invoiceNumber: 're 2020 508', grandTotal: '571.0400' })).toBeNull();
  expect(embeddedWarning(fields, { invoiceNumber: 'X1', grandTotal: '1.00' })?.message).toContain(
    'invoice number X1 instead of RE-2020/508 and grand total 1 instead of 571.04',
  );
  expect(embeddedWarning([], { invoiceNumber: 'X1', grandTotal: 'NaN' })).toBeNull();
});

test('numbering that starts again is several documents', () => {
  const page = (number: number, text: string) => ({
    page: number,
    lines: [{ id: `${number}:1`, page: number, text, words: [], gapAbove: false }],
  });
  expect(severalDocumentsWarning([page(1, 'Page 1 / 2'), page(2, 'Page 2 / 2')])).toBeNull();
  expect(severalDocumentsWarning([page(1, 'Seite 1 von 1'), page(2, 'Seite 1 von 1')])).toMatchObject({
    code: 'several_documents',
  });
  expect(severalDocumentsWarning([page(1, 'Page 11 of 20'), page(2, 'Page 12 of 20')])).toBeNull();
});
