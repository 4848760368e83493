/** Signs and words that stand beside amounts; what a sign means is decided by {@link currencyOf}. */
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₪': 'ILS',
  '₩': 'KRW',
  zł: 'PLN',
  Kč: 'CZK',
};

const WORDS: Record<string, string> = {
  euro: 'EUR',
  euros: 'EUR',
  rm: 'MYR',
  us$: 'USD',
  a$: 'AUD',
  au$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  s$: 'SGD',
  hk$: 'HKD',
  nz$: 'NZD',
  r$: 'BRL',
  sfr: 'CHF',
  'fr.': 'CHF',
  'rs.': 'INR',
  rs: 'INR',
};

/** Currencies that are recognised by their code; others would be found in too many ordinary words. */
export const CURRENCY_CODES = new Set(
  'EUR USD GBP CHF SEK NOK DKK PLN CZK HUF RON BGN JPY CNY HKD SGD MYR THB INR IDR PHP AUD NZD CAD MXN BRL ARS CLP COP ZAR TRY ILS AED SAR RUB UAH ISK KRW TWD'.split(
    ' ',
  ),
);

/** The ISO code that a sign or word beside an amount stands for; `$` alone is left open (`'$'`); null for none. */
export function currencyOf(text: string): string | null {
  const word = text.trim();
  if (word === '$') return '$';
  const sign = SIGNS[word];
  if (sign) return sign;
  if (CURRENCY_CODES.has(word.toUpperCase())) {
    return word === word.toUpperCase() || word.toLowerCase() === 'eur' ? word.toUpperCase() : null;
  }
  return WORDS[word.toLowerCase()] ?? null;
}

/** Matches one currency sign, code or word; used before and after an amount. */
export const CURRENCY_PATTERN =
  '(?:US\\$|AU?\\$|CA?\\$|S\\$|HK\\$|NZ\\$|R\\$|[€£$¥₹₽₺₪₩]|zł|Kč|(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|JPY|CNY|HKD|SGD|MYR|THB|INR|AUD|NZD|CAD|MXN|BRL|ZAR|TRY|AED|RM|SFr|Fr\\.|Rs\\.?|Euros?|euros?|Eur|eur))';
