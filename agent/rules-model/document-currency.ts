import { CURRENCY_CODES, currencyOf } from './currency';
import { type Finding, finding } from './finding';
import { findLabels } from './labels/match';
import type { Setting } from './language';
import { findNumbers } from './numbers';
import type { DocumentText, Line } from './page-text';
import { spotsOf } from './values';

const DOLLARS: readonly (readonly [RegExp, string])[] = [
  [/\bcanada\b|\b(?:hst|pst|qst|tvq|tps)\b|\bCAD\b/i, 'CAD'],
  [/\baustralia\b|\babn\b|\bAUD\b/i, 'AUD'],
  [/\bnew zealand\b|\bNZD\b/i, 'NZD'],
  [/\bsingapore\b|\bSGD\b|\buen\b/i, 'SGD'],
  [/\bhong kong\b|\bHKD\b/i, 'HKD'],
];

interface Seen {
  readonly line: Line;
  readonly quote: string;
  count: number;
}

/** "in TEUR", "en milliers d'euros": how statements say their unit. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [
    /\bT ?(?:€|EUR\b)|\bMio\.? ?(?:€|EUR\b)|(?:milliers|millions|miles|millones|migliaia|milioni|thousands?|duizenden|miljoenen|tausend)\s(?:of |d['’]|de |di |van )?(?:euros?|EUR|€)/iu,
    'EUR',
  ],
  [/(?:thousands|millions|billions)\sof\s(?:U\.?S\.? )?dollars|US\$/iu, 'USD'],
  [/(?:thousands|millions)\sof\s(?:pounds|sterling)|£(?:m|000)/iu, 'GBP'],
];

/** The currency of the amounts, by label, code or sign. Null where the page shows none. */
export function findCurrency(document: DocumentText, setting: Setting): Finding<string> | null {
  for (const match of findLabels(document.lines, 'currency')) {
    for (const spot of spotsOf(match, document)) {
      const words = spot.text.split(/[\s()/,;.]+/).slice(0, 4);
      const code = words.map((word) => currencyOf(word.trim())).find((found) => found && found !== '$');
      if (code) return finding(code, spot.line, spot.text.trim().slice(0, 40), 0.97);
    }
  }
  const seen = new Map<string, Seen>();
  const add = (code: string, line: Line, quote: string, points: number) => {
    const known = seen.get(code);
    if (known) known.count += points;
    else seen.set(code, { line, quote, count: points });
  };
  for (const line of document.lines.slice(0, 3_000)) {
    for (const token of findNumbers(line.text, setting.decimalSign)) {
      if (token.currency) add(token.currency, line, line.text.slice(token.start, token.end).trim(), 2);
    }
    const unit = UNITS.find(([pattern]) => pattern.test(line.text));
    if (unit) add(unit[1], line, unit[0].exec(line.text)?.[0] ?? '', 3);
    if (/\(RM\)/.test(line.text)) add('MYR', line, 'RM', 1);
    for (const match of line.text.matchAll(/(?<![\p{L}\d])([A-Z]{3}|[€£¥₹$]|US\$)(?![\p{L}\d])/gu)) {
      const word = match[1] ?? '';
      const code = CURRENCY_CODES.has(word) ? word : currencyOf(word);
      if (code) add(code, line, word, 1);
    }
  }
  let best: [string, Seen] | null = null;
  let total = 0;
  for (const entry of seen) {
    total += entry[1].count;
    if (!best || entry[1].count > best[1].count) best = entry;
  }
  if (!best) return null;
  const [code, { line, quote, count }] = best;
  const share = count / total;
  if (code !== '$') return finding(code, line, quote, 0.6 + share * 0.35);
  const text = document.lines
    .slice(0, 300)
    .map((each) => each.text)
    .join('\n');
  const country = DOLLARS.find(([pattern]) => pattern.test(text));
  return finding(country?.[1] ?? 'USD', line, quote, country ? 0.85 : 0.8 * share);
}
