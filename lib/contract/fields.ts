import { z } from 'zod';

/**
 * The fields of the agents that come with Tickmark. A value that the document does not show is `null`, never a guess.
 * Dates are ISO 8601 (`2024-12-31`), amounts plain decimal strings with a point (`1234.50`), currencies ISO 4217.
 */
const IsoDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .nullable();
const Amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .nullable();
const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .nullable();
const Words = z.string().min(1).nullable();

export const LineItem = z.object({
  description: Words.describe('What was delivered or done, as printed'),
  quantity: Amount,
  unit_price: Amount.describe('Price of one unit, without currency sign'),
  amount: Amount.describe('Total of the line, without currency sign'),
});

export const InvoiceFields = z.object({
  invoice_number: Words.describe('Number of the invoice, credit note or receipt, as printed'),
  issue_date: IsoDate.describe('Date of the document'),
  due_date: IsoDate.describe('Date by which payment is due, if printed'),
  seller: Words.describe('Name of the company or person that sends the invoice'),
  buyer: Words.describe('Name of the company or person that is billed'),
  currency: Currency,
  net_total: Amount.describe('Total before tax'),
  tax_total: Amount.describe('Sum of all taxes'),
  grand_total: Amount.describe('Total including tax, before prepayments'),
  amount_due: Amount.describe('What is left to pay after prepayments'),
  line_items: z.array(LineItem).describe('The positions in the order of the page'),
});

export const ContractFields = z.object({
  title: Words,
  parties: z.array(z.string().min(1)).nullable().describe('Names of the contracting parties'),
  effective_date: IsoDate,
  expiration_date: IsoDate.describe('Only if a date is printed; a term such as "10 years" is not a date'),
  governing_law: Words.describe('State or country whose law governs'),
});

export const FinancialReportFields = z.object({
  entity: Words.describe('The organisation that the report is about'),
  period_end: IsoDate.describe('Last day of the reporting period'),
  currency: Currency,
  revenue: Amount.describe(
    'Total revenue or net sales of the period, as printed, in the unit of the page (thousands, millions)',
  ),
  net_income: Amount,
  total_assets: Amount,
});

export const GeneralFields = z.object({
  title: Words,
  document_date: IsoDate,
  parties: z
    .array(z.string().min(1))
    .nullable()
    .describe('Persons and organisations named as sender, recipient or party'),
  amounts: z
    .array(z.object({ label: Words, amount: z.string().regex(/^-?\d+(\.\d+)?$/), currency: Currency }))
    .nullable()
    .describe('Amounts of money with the words beside them'),
});

export const FIELDS_BY_DOCUMENT_TYPE = {
  invoice: InvoiceFields,
  contract: ContractFields,
  'financial-report': FinancialReportFields,
  general: GeneralFields,
} as const;
export type DocumentType = keyof typeof FIELDS_BY_DOCUMENT_TYPE;
