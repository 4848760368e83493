import type Big from 'big.js';
import { type DateStyle, printDate, printNumber } from './format';
import { drawFooter, HEADS } from './head';
import { makeInvoiceData } from './invoice-data';
import type { Look } from './look';
import type { Pack } from './packs';
import { Random } from './random';
import { type Fonts, Sheet } from './sheet';
import { drawTable, drawTotals } from './table';

export interface Made {
  readonly text: string;
  readonly expected: Record<string, string | number | null>;
}

const ISO: Record<string, string> = { '€': 'EUR', '£': 'GBP', $: 'USD' };

/** One made invoice of a language: its text as the model is shown it, and the right answers. */
export function makeInvoice(pack: Pack, seed: number, fonts: Fonts): Made {
  const random = new Random(seed);
  const data = makeInvoiceData(pack, random);
  const symbol = random.pick(pack.currency);
  const thousands = random.pick(pack.thousands);
  const dateStyle: DateStyle = random.pick(pack.dates);
  const placing = random.pick(['before', 'after', 'none'] as const);
  const plain = (value: Big, decimals = 2) => printNumber(value, pack.decimal, thousands, decimals);
  const money = (value: Big) => {
    const text = plain(value);
    if (placing === 'none') return text;
    const isBefore = pack.decimal === '.' || placing === 'before';
    if (symbol.length === 1 && isBefore && pack.decimal === '.') return `${symbol}${text}`;
    return isBefore ? `${symbol} ${text}` : `${text} ${symbol}`;
  };
  const look: Look = {
    pack,
    random,
    data,
    money,
    plain,
    sheet: new Sheet(fonts),
    colon: random.pick([':', '', ' :']),
    date: (iso) => printDate(iso, dateStyle, pack.months),
    size: random.pick([9, 10, 10, 11]),
  };
  // The due date stands in the head or in a sentence below the totals.
  const dueInHead = random.chance(0.6);
  const y = random.pick(HEADS)(look, dueInHead);
  const afterTable = drawTable(look, y + 30);
  const afterTotals = drawTotals(look, afterTable + 24, symbol);
  drawFooter(look, afterTotals + 24, dueInHead, symbol);
  const left = data.prepaid ? data.gross.minus(data.prepaid) : data.gross;
  return {
    text: look.sheet.render(),
    expected: {
      invoice_number: data.number,
      issue_date: data.date,
      due_date: data.due,
      seller: data.seller,
      buyer: data.buyer,
      currency: ISO[symbol] ?? symbol,
      net_total: data.net.toFixed(2),
      tax_total: data.tax.toFixed(2),
      grand_total: data.gross.toFixed(2),
      amount_due: left.toFixed(2),
      line_count: data.items.length,
    },
  };
}
