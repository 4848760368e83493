import Big from 'big.js';
import { addDays } from './format';
import type { Pack } from './packs';
import type { Random } from './random';

export interface MadeItem {
  readonly description: string;
  readonly more: string | null;
  readonly quantity: Big;
  readonly unitPrice: Big;
  readonly amount: Big;
  readonly rate: number;
}

/** What a made invoice says. */
export interface MadeInvoice {
  readonly isCredit: boolean;
  readonly number: string;
  readonly date: string;
  readonly due: string | null;
  readonly seller: string;
  readonly buyer: string;
  readonly items: readonly MadeItem[];
  readonly taxes: readonly { readonly rate: number; readonly base: Big; readonly tax: Big }[];
  readonly net: Big;
  readonly tax: Big;
  readonly gross: Big;
  readonly prepaid: Big | null;
}

const NUMBERS: readonly ((random: Random, year: string) => string)[] = [
  (r, y) => `${y}-${String(r.int(1, 9999)).padStart(4, '0')}`,
  (r) => String(r.int(100_000, 99_999_999)),
  (r, y) => `RE-${y}/${r.int(100, 999)}`,
  (r) => `F${r.int(10_000_000, 99_999_999)}`,
  (r, y) => `INV-${y}-${r.int(10, 9999)}`,
  (r) => `${r.int(1000, 99_999)}`,
  (r, y) => `${r.pick(['A', 'FA', 'VR', 'C'])}/${y.slice(2)}/${String(r.int(1, 999)).padStart(5, '0')}`,
];

export function makeInvoiceData(pack: Pack, random: Random): MadeInvoice {
  const date = `${random.int(2019, 2026)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`;
  const isCredit = random.chance(0.1);
  const manyRates = random.chance(0.35) && pack.rates.length > 1;
  const [firstRate = 0] = pack.rates;
  const count = random.chance(0.12) ? random.int(26, 60) : random.int(1, 9);
  const items = Array.from({ length: count }, (): MadeItem => {
    const quantity = new Big(random.chance(0.2) ? random.int(1, 40) / 4 : random.int(1, 30));
    const unitPrice = new Big(random.int(150, random.chance(0.2) ? 400_000 : 20_000)).div(100);
    return {
      description: random.pick(pack.goods),
      more: random.chance(0.25) ? random.pick(pack.more) : null,
      quantity,
      unitPrice,
      amount: quantity.times(unitPrice).round(2),
      rate: manyRates ? random.pick(pack.rates) : firstRate,
    };
  });
  const rates = [...new Set(items.map((item) => item.rate))];
  const taxes = rates.map((rate) => {
    const base = items
      .filter((item) => item.rate === rate)
      .reduce((sum, item) => sum.plus(item.amount), new Big(0));
    return { rate, base, tax: base.times(rate).div(100).round(2) };
  });
  const net = taxes.reduce((sum, each) => sum.plus(each.base), new Big(0));
  const tax = taxes.reduce((sum, each) => sum.plus(each.tax), new Big(0));
  const gross = net.plus(tax);
  return {
    isCredit,
    number: random.pick(NUMBERS)(random, date.slice(0, 4)),
    date,
    due: random.chance(0.75) ? addDays(date, random.pick([10, 14, 30, 60])) : null,
    seller: random.pick(pack.sellers),
    buyer: random.pick(pack.buyers),
    items,
    taxes,
    net,
    tax,
    gross,
    prepaid: !isCredit && random.chance(0.2) ? gross.times(0.3).round(2) : null,
  };
}
