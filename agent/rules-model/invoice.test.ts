import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInvoiceFields } from './invoice';
import { settingOf } from './language';
import { readPages } from './page-text';

function read(text: string) {
  const document = readPages(text.replace(/^\n/, ''));
  const { line_items, ...fields } = findInvoiceFields(document, settingOf(document));
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, finding]) => [name, finding?.value ?? null]),
  );
  return { ...values, line_items: line_items.map((item) => item.value) };
}

describe('findInvoiceFields', () => {
  it('sums the taxes of the rates where no total of tax is printed', () => {
    expect(
      read(`
Rechnungssumme netto                                 473,00
USt. 7% auf 275,00                                    19,25
USt. 19% auf 198,00                                   37,62
Rechnungssumme brutto                                529,87`),
    ).toMatchObject({ net_total: '473.00', tax_total: '56.87', grand_total: '529.87', amount_due: '529.87' });
  });

  it('keeps total and amount due apart when something was paid before', () => {
    expect(
      read(`
Total HT          624,90 €
Total taxes        46,25 €
Total TTC         671,15 €
Acompte versé     201,00 €
Solde à payer     470,15 €`),
    ).toMatchObject({ grand_total: '671.15', amount_due: '470.15' });
  });

  it('knows the sides of a short invoice, whose last lines reach up to the addressee', () => {
    for (const head of ['Bill to\nMoorland Estates plc', 'Bill to: Moorland Estates plc']) {
      expect(
        read(`
Harrow Surveying Ltd
12 Quay Street, Bristol BS1 4QA

Invoice                              Invoice number: HS-2291
${head}

Description                         Qty     Unit price     Amount
Survey of the east wing               1       1,200.00   1,200.00

                                         Total           1,200.00`),
      ).toMatchObject({ seller: 'Harrow Surveying Ltd', buyer: 'Moorland Estates plc' });
    }
  });

  it('reads totals that stand below their labels', () => {
    expect(
      read(`
                         Imponibile        IVA 22%        Totale fattura
                           1.000,00         220,00              1.220,00`),
    ).toMatchObject({ net_total: '1000.00', tax_total: '220.00', grand_total: '1220.00' });
  });

  it('finds the total behind a label it does not know when the arithmetic gives it', () => {
    expect(
      read(`
SUBTOTAL                     1440
LESS REBATE OF MARCH         1436
SALES TAX                  100.52
BALANCE DUE             $1,536.52`),
    ).toMatchObject({
      net_total: '1436',
      tax_total: '100.52',
      grand_total: '1536.52',
      amount_due: '1536.52',
    });
  });

  it('gives null, never a guess, for what is not on the page', () => {
    expect(read('Nothing here but words and 12 numbers, such as 3.50 and 4711.')).toMatchObject({
      invoice_number: null,
      issue_date: null,
      due_date: null,
      seller: null,
      buyer: null,
      net_total: null,
      tax_total: null,
      grand_total: null,
      amount_due: null,
      line_items: [],
    });
  });

  it('takes "net 30 days" for no date and a date of discount for no due date', () => {
    expect(
      read(`
Rechnungsdatum 05.03.2024
Zahlbar innerhalb 30 Tagen netto, 3% Skonto bis 15.03.2024`),
    ).toMatchObject({ issue_date: '2024-03-05', due_date: null });
  });

  it('keeps the number of the invoice that a credit note corrects apart', () => {
    expect(
      read(`
Gutschrift Nr. G-77
zu Rechnung Nr. R-1234 vom 01.02.2024
Datum: 05.03.2024`),
    ).toMatchObject({ invoice_number: 'G-77', issue_date: '2024-03-05' });
  });

  it('goes on with the table on the next page and counts no carry-over', () => {
    const page = (number: number, rows: string) => `=== page ${number} of 2 ===\n${rows}`;
    const rows = (lines: string[], page_: number) =>
      lines.map((line, index) => `${page_}:${index + 1}| ${line}`).join('\n');
    const { line_items } = read(
      [
        page(
          1,
          rows(
            [
              'Description          Qty     Unit Price     Amount',
              'Oak shelf              2          10.00      20.00',
              'Carried forward                              20.00',
            ],
            1,
          ),
        ),
        page(
          2,
          rows(
            [
              'Description          Qty     Unit Price     Amount',
              'Brought forward                              20.00',
              'Ring binder            3           5.00      15.00',
              'Total                                        35.00',
            ],
            2,
          ),
        ),
      ].join('\n'),
    );
    expect(line_items).toEqual([
      { description: 'Oak shelf', quantity: '2', unit_price: '10.00', amount: '20.00' },
      { description: 'Ring binder', quantity: '3', unit_price: '5.00', amount: '15.00' },
    ]);
  });

  it('reads a receipt whose lines add up to its total', () => {
    expect(
      read(`
          REWE Markt GmbH
          Bahnhofstraße 12
          50667 Köln
BIO MILCH 1L                       1,19 B
VOLLKORNBROT                       2,49 B
  2 Stk x 0,79
JOGHURT                            1,58 B
SUMME                EUR           5,26
Geg. BAR             EUR          10,26
Rückgeld BAR         EUR           5,00
Kassenbon 23.05.2024     17:43    Bon-Nr.: 4711`),
    ).toMatchObject({
      seller: 'REWE Markt GmbH',
      buyer: null,
      issue_date: '2024-05-23',
      currency: 'EUR',
      grand_total: '5.26',
      amount_due: null,
      line_items: [
        { description: 'BIO MILCH 1L', amount: '1.19' },
        { description: 'VOLLKORNBROT', amount: '2.49' },
        { description: 'JOGHURT', quantity: '2', unit_price: '0.79', amount: '1.58' },
      ],
    });
  });

  it('takes any text without failing', () => {
    const words = fc.constantFrom(
      'Total',
      'Invoice',
      'Nr.',
      '12,50',
      '€',
      'GmbH',
      '01.02.2024',
      '19 %',
      '  ',
      '\n',
      'Qty',
      'Price',
      'Amount',
      '80331 München',
      '=== page 2 of 3 ===\n',
      '2:1| ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string({ unit: 'binary' })), { maxLength: 60 }),
        (parts) => void read(parts.join(' ')),
      ),
    );
  });
});
