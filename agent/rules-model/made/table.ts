import type Big from 'big.js';
import type { MadeItem } from './invoice-data';
import type { Look } from './look';

const LEFT = 50;
const RIGHT = 545;
const BOTTOM = 730;

interface Column {
  readonly head: string;
  readonly x: number;
  readonly align: 'left' | 'right';
  readonly cell: (item: MadeItem, index: number) => string;
}

/** The columns of the table, in one of the orders that are in use. */
function columnsOf(look: Look): { columns: Column[]; descriptionX: number } {
  const { pack, random, plain, money } = look;
  const withPosition = random.chance(0.45);
  const withRate = random.chance(0.5);
  const withUnit = random.chance(0.3);
  const cell = random.chance(0.5) ? money : plain;
  const quantityFirst = random.chance(0.25);
  const unit = random.pick(['Stk', 'h', 'pcs', 'kg', 'm²']);
  const quantity = (item: MadeItem) => {
    const decimals = item.quantity.eq(item.quantity.round(0)) ? random.pick([0]) : 2;
    return `${plain(item.quantity, decimals)}${withUnit ? ` ${unit}` : ''}`;
  };
  const columns: Column[] = [];
  let x = LEFT;
  if (withPosition) {
    columns.push({
      head: random.pick(pack.columns.position),
      x,
      align: 'left',
      cell: (_, index) => String(index + 1),
    });
    x += 35;
  }
  if (quantityFirst) {
    columns.push({ head: random.pick(pack.columns.quantity), x, align: 'left', cell: quantity });
    x += 60;
  }
  const descriptionX = x;
  columns.push({
    head: random.pick(pack.columns.description),
    x,
    align: 'left',
    cell: (item) => item.description,
  });
  if (!quantityFirst)
    columns.push({ head: random.pick(pack.columns.quantity), x: 335, align: 'right', cell: quantity });
  columns.push({
    head: random.pick(pack.columns.unitPrice),
    x: 415,
    align: 'right',
    cell: (item) => cell(item.unitPrice),
  });
  if (withRate)
    columns.push({
      head: random.pick(pack.columns.rate),
      x: 465,
      align: 'right',
      cell: (item) => `${plain(toBig(item.rate, item), Number.isInteger(item.rate) ? 0 : 2)}%`,
    });
  columns.push({
    head: random.pick(pack.columns.amount),
    x: RIGHT,
    align: 'right',
    cell: (item) => cell(item.amount),
  });
  return { columns, descriptionX };
}

function toBig(rate: number, item: MadeItem): Big {
  return item.amount.minus(item.amount).plus(rate);
}

export function drawTable(look: Look, from: number): number {
  const { sheet, data, random, pack, size, money } = look;
  const { columns, descriptionX } = columnsOf(look);
  const drawHead = (y: number) => {
    for (const { head, x, align } of columns)
      sheet.text(x, y, head, { size: Math.min(size, 9), bold: true, align });
  };
  const carry = random.chance(0.6) ? random.pick(pack.carry) : null;
  const repeatsHead = random.chance(0.7);
  let y = from;
  drawHead(y);
  y += 20;
  let sum = data.net.minus(data.net);
  for (const [index, item] of data.items.entries()) {
    if (y > BOTTOM) {
      if (carry) {
        sheet.text(descriptionX, y, carry[0], { size });
        sheet.text(RIGHT, y, money(sum), { size, align: 'right' });
      }
      sheet.nextPage();
      y = 60;
      if (repeatsHead) {
        drawHead(y);
        y += 20;
      }
      if (carry) {
        sheet.text(descriptionX, y, carry[1], { size });
        sheet.text(RIGHT, y, money(sum), { size, align: 'right' });
        y += 16;
      }
    }
    for (const { x, align, cell } of columns) sheet.text(x, y, cell(item, index), { size, align });
    if (item.more) {
      y += 12;
      sheet.text(descriptionX, y, item.more, { size });
    }
    sum = sum.plus(item.amount);
    y += 17;
  }
  return y;
}

export function drawTotals(look: Look, from: number, symbol: string): number {
  const { sheet, data, random, pack, size, money, plain } = look;
  let y = from;
  if (y > 650) {
    sheet.nextPage();
    y = 70;
  }
  const labelX = random.pick([350, 330, 300]);
  const asTable = random.chance(0.25);
  const row = (label: string, value: string, bold = false) => {
    sheet.text(labelX, y, label, { size, bold });
    sheet.text(RIGHT, y, value, { size, bold, align: 'right' });
    y += 15;
  };
  const colon = random.pick(['', ':']);
  row(`${random.pick(pack.net)}${colon}`, money(data.net));
  const taxLabel = random.pick(pack.tax);
  for (const { rate, tax } of data.taxes) {
    const printed = plain(
      data.net.minus(data.net).plus(rate),
      Number.isInteger(rate) ? 0 : rate === 8.25 ? 2 : 1,
    );
    row(`${taxLabel.replace('{rate}', printed)}${colon}`, money(tax));
  }
  const code = symbol.length > 1 && random.chance(0.3) ? ` ${symbol}` : '';
  row(`${random.pick(pack.gross)}${code}${colon}`, money(data.gross), true);
  if (data.prepaid) {
    row(`${random.pick(pack.prepaid)}${colon}`, money(data.prepaid.times(random.chance(0.5) ? -1 : 1)));
    row(`${random.pick(pack.amountDue)}${colon}`, money(data.gross.minus(data.prepaid)), true);
  } else if (random.chance(0.25)) row(`${random.pick(pack.amountDue)}${colon}`, money(data.gross), true);
  if (asTable) y = drawTaxTable(look, y + 10);
  return y;
}

/** The breakdown by rate below the totals. */
function drawTaxTable({ sheet, data, plain, pack, random, size }: Look, from: number): number {
  let y = from;
  sheet.text(LEFT, y, random.pick(pack.columns.rate), { size, bold: true });
  sheet.text(LEFT + 150, y, random.pick(pack.net), { size, bold: true, align: 'right' });
  sheet.text(LEFT + 250, y, random.pick(pack.columns.rate).replace('%', '').trim(), {
    size,
    bold: true,
    align: 'right',
  });
  for (const { rate, base, tax } of data.taxes) {
    y += 14;
    sheet.text(LEFT, y, `${rate}%`, { size });
    sheet.text(LEFT + 150, y, plain(base), { size, align: 'right' });
    sheet.text(LEFT + 250, y, plain(tax), { size, align: 'right' });
  }
  return y + 14;
}
