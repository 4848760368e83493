import { expect, test } from 'vitest';
import { parseInvoiceXml } from './embedded-xml';

test('number and grand total are read from a UN/CEFACT invoice, whatever its prefixes', () => {
  const xml = `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="a" xmlns:ram="b">
    <rsm:ExchangedDocument><ram:ID>F-17</ram:ID></rsm:ExchangedDocument>
    <ram:BuyerTradeParty><ram:ID>K-1</ram:ID></ram:BuyerTradeParty>
    <ram:GrandTotalAmount>671.15</ram:GrandTotalAmount><ram:DuePayableAmount>470.15</ram:DuePayableAmount>
    </rsm:CrossIndustryInvoice>`;
  expect(parseInvoiceXml(xml)).toEqual({ invoiceNumber: 'F-17', grandTotal: '671.15' });
});

test('and from a UBL invoice', () => {
  const xml = `<Invoice xmlns:c="c"><c:ID>U-9</c:ID><c:LegalMonetaryTotal><c:TaxInclusiveAmount currencyID="EUR">12.00</c:TaxInclusiveAmount></c:LegalMonetaryTotal></Invoice>`;
  expect(parseInvoiceXml(xml)).toEqual({ invoiceNumber: 'U-9', grandTotal: '12.00' });
});

test('entities of the document are not expanded, broken XML gives nothing', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Invoice><ID>&b;</ID></Invoice>`;
  expect(parseInvoiceXml(bomb).invoiceNumber).not.toContain('aaaa');
  expect(parseInvoiceXml('<Invoice><ID>1')).toEqual({ invoiceNumber: null, grandTotal: null });
  expect(parseInvoiceXml('')).toEqual({ invoiceNumber: null, grandTotal: null });
});
