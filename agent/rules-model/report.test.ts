import { describe, expect, it } from 'vitest';
import { classify } from './classify';
import { settingOf } from './language';
import { readPages } from './page-text';
import { findReportFields } from './report';

function read(text: string) {
  const document = readPages(text.trim());
  const found = Object.entries(findReportFields(document, settingOf(document)));
  return Object.fromEntries(found.map(([name, finding]) => [name, finding?.value ?? null]));
}

const GERMAN = `
                  Holzwerk Tannenberg AG
                  Jahresabschluss zum 31. Dezember 2023
Bilanz zum 31. Dezember 2023 (in TEUR)
                                   31.12.2023      31.12.2022
Umlaufvermögen                         8.120           7.655
Bilanzsumme                           20.465          19.635
Gewinn- und Verlustrechnung
                                     2023            2022
1. Umsatzerlöse                    45.678          43.210
Jahresüberschuss                    2.345           1.987`;

describe('findReportFields', () => {
  it('takes the first column, the current period, in the unit of the page', () => {
    expect(read(GERMAN)).toEqual({
      entity: 'Holzwerk Tannenberg AG',
      period_end: '2023-12-31',
      currency: 'EUR',
      revenue: '45678',
      net_income: '2345',
      total_assets: '20465',
    });
  });

  it('reads English statements and leaves numbers of notes aside', () => {
    expect(
      read(`
                       Blue Ridge Holdings Inc.
          For the fiscal year ended December 31, 2023
          CONSOLIDATED STATEMENTS OF OPERATIONS (in thousands of U.S. dollars)
                                        Note        2023        2022
Net sales                                  3      82,959      81,434
Net income                                       (1,442)      21,744
          CONSOLIDATED BALANCE SHEETS
Total assets                                  $  336,309  $  351,002`),
    ).toMatchObject({
      entity: 'Blue Ridge Holdings Inc.',
      period_end: '2023-12-31',
      currency: 'USD',
      revenue: '82959',
      net_income: '-1442',
      total_assets: '336309',
    });
  });
});

describe('classify', () => {
  const kinds = ['invoice', 'contract', 'financial-report', 'general'];
  const kindOf = (text: string) => classify(readPages(text), kinds).documentType;

  it('tells the kinds apart', () => {
    expect(kindOf(GERMAN)).toBe('financial-report');
    expect(
      kindOf(
        'SERVICES AGREEMENT\nThis Agreement is made by and between A Ltd and B Ltd.\nWHEREAS the parties hereby agree',
      ),
    ).toBe('contract');
    expect(
      kindOf(
        'Factura Nº 12\nFecha: 01/02/2024\nConcepto   Cantidad   Precio   Importe\nBase imponible  100,00\nIVA 21%  21,00\nTotal factura  121,00',
      ),
    ).toBe('invoice');
    expect(kindOf('Dear neighbours, the garden party is on Sunday.')).toBe('general');
  });

  it('chooses only among the kinds that it is given', () => {
    expect(classify(readPages(GERMAN), ['invoice', 'general']).documentType).toBe('general');
  });
});
