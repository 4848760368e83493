// A map: an agent may call a field `constructor`, and an object would know that name.
const WORDS = new Map([
  ['invoice_number', 'Invoice number'],
  ['tax_total', 'Tax'],
  ['net_total', 'Net total'],
  ['grand_total', 'Total'],
]);

/** A field's name for people: `effective_date` → `Effective date`. */
export function fieldLabel(name: string): string {
  const known = WORDS.get(name);
  if (known) return known;
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A plain decimal with groups of three, digits kept: `15162.50` → `15,162.50`; anything else unchanged. */
export function groupDigits(value: string): string {
  if (!/^-?\d{4,}(\.\d+)?$/.test(value)) return value;
  const [whole = '', decimals] = value.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** Fields whose plain decimals are amounts, and may be grouped; an invoice number never is. */
export function isAmountName(name: string): boolean {
  return /(total|amount|price|due$|revenue|income|assets|quantity)/.test(name) && !/date/.test(name);
}
