import type { ResultField } from '@/lib/contract/result';

/** Fields that are amounts in the agents of this house: numbers in a spreadsheet, where anything else stays text. */
const AMOUNT_FIELDS = new Set([
  'net_total',
  'tax_total',
  'grand_total',
  'amount_due',
  'revenue',
  'net_income',
  'total_assets',
  'quantity',
  'unit_price',
  'amount',
]);

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** A value as text: lists and objects as JSON, null as nothing. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('; ');
  return JSON.stringify(value);
}

/**
 * Text that no spreadsheet program takes for a formula: documents are written by strangers, and `=HYPERLINK(…)` in an
 * invoice must not run on an auditor's machine. A plain number keeps its sign.
 */
export function guardFormula(text: string): string {
  if (PLAIN_NUMBER.test(text)) return text;
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}

/** A spreadsheet cell: a number where it is an amount that a double holds exactly, else text. */
export function cellValue(name: string, value: unknown): string | number {
  const text = cellText(value);
  const digits = text.replace(/\D/g, '').length;
  return AMOUNT_FIELDS.has(name) && PLAIN_NUMBER.test(text) && digits <= 15 ? Number(text) : text;
}

/** The value of a field by its name; undefined where the document's kind has no such field. */
export function fieldValue(fields: readonly ResultField[], name: string): unknown {
  return fields.find((field) => field.name === name)?.value;
}
