import type { Look } from './look';

const LEFT = 50;
const RIGHT = 545;

type DrawHead = (look: Look, dueInHead: boolean) => number;

interface Meta {
  readonly label: string;
  readonly value: string;
}

/** What stands in the head besides names: number and dates, among others that must not be taken for them. */
function metaOf({ pack, random, data, date }: Look, dueInHead: boolean): Meta[] {
  const meta: Meta[] = [
    { label: random.pick(pack.number), value: data.number },
    { label: random.pick(pack.date), value: date(data.date) },
  ];
  if (random.chance(0.5))
    meta.push({ label: random.pick(pack.customerNumber), value: String(random.int(1000, 99_999)) });
  if (random.chance(0.4))
    meta.push({ label: random.pick(pack.orderNumber), value: `B-${random.int(1000, 9999)}` });
  if (random.chance(0.3)) meta.push({ label: random.pick(pack.deliveryDate), value: date(shift(data.date)) });
  if (data.due && dueInHead) meta.push({ label: random.pick(pack.due), value: date(data.due) });
  return random.chance(0.3) ? [meta[1] as Meta, meta[0] as Meta, ...meta.slice(2)] : meta;
}

function shift(iso: string): string {
  const day = Number(iso.slice(8)) > 4 ? Number(iso.slice(8)) - 3 : 1;
  return `${iso.slice(0, 8)}${String(day).padStart(2, '0')}`;
}

function address(look: Look, x: number, y: number, name: string, bold: boolean): number {
  const { pack, random, sheet, size } = look;
  sheet.text(x, y, name, { bold, size });
  sheet.text(x, y + 13, random.pick(pack.streets), { size });
  sheet.text(x, y + 26, random.pick(pack.towns), { size });
  if (random.chance(0.4)) {
    sheet.text(x, y + 39, pack.country, { size });
    return y + 39;
  }
  return y + 26;
}

function contact(look: Look, x: number, y: number): void {
  const { pack, random, sheet } = look;
  const domain = look.data.seller
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, 12);
  sheet.text(x, y, `Tel. +${random.int(31, 49)} ${random.int(100, 999)} ${random.int(10_000, 99_999)}`, {
    size: 8,
  });
  sheet.text(x, y + 11, `info@${domain}.example`, { size: 8 });
  if (random.chance(0.6)) sheet.text(x, y + 22, random.pick(pack.taxId), { size: 8 });
}

function titleOf({ pack, random, data }: Look): string {
  return random.pick(data.isCredit ? pack.creditTitle : pack.title);
}

/** Label and value on one line, values in a column of their own or straight behind. */
function metaBlock(look: Look, x: number, y: number, meta: readonly Meta[]): number {
  const { sheet, colon, random, size } = look;
  const how = random.pick(['behind', 'column', 'right'] as const);
  for (const [index, { label, value }] of meta.entries()) {
    const at = y + index * 14;
    if (how === 'behind') sheet.text(x, at, `${label}${colon || ':'} ${value}`, { size });
    else {
      sheet.text(x, at, `${label}${colon}`, { size });
      if (how === 'column') sheet.text(x + 105, at, value, { size });
      else sheet.text(RIGHT, at, value, { size, align: 'right' });
    }
  }
  return y + meta.length * 14;
}

/** Company on top, addressee below it, number and dates on the right. */
const letterhead: DrawHead = (look, dueInHead) => {
  const { sheet, data, random, pack } = look;
  sheet.text(LEFT, 60, data.seller, { size: 16, bold: true });
  sheet.text(LEFT, 76, `${random.pick(pack.streets)}, ${random.pick(pack.towns)}`, { size: 8 });
  contact(look, LEFT, 90);
  sheet.text(RIGHT, 60, titleOf(look), { size: 18, bold: true, align: 'right' });
  const heading = random.pick(pack.billTo);
  sheet.text(LEFT, 150, `${heading}${look.colon}`, { bold: true, size: 9 });
  const end = address(look, LEFT, 165, data.buyer, false);
  return Math.max(end, metaBlock(look, 340, 110, metaOf(look, dueInHead)));
};

/** Two blocks side by side with headings, as in office templates. */
const columnsOfParties: DrawHead = (look, dueInHead) => {
  const { sheet, data, random, pack } = look;
  sheet.text(LEFT, 60, titleOf(look), { size: 20, bold: true });
  const metaEnd = metaBlock(look, 340, 60, metaOf(look, dueInHead));
  const top = Math.max(metaEnd + 25, 150);
  sheet.text(LEFT, top, `${random.pick(pack.from)}${look.colon}`, { bold: true });
  sheet.text(310, top, `${random.pick(pack.billTo)}${look.colon}`, { bold: true });
  const left = address(look, LEFT, top + 16, data.seller, random.chance(0.5));
  const right = address(look, 310, top + 16, data.buyer, random.chance(0.5));
  contact(look, LEFT, left + 13);
  return Math.max(left + 40, right);
};

/** A letter for a window envelope: a small sender line above the addressee, who has no heading. */
const windowLetter: DrawHead = (look, dueInHead) => {
  const { sheet, data, random, pack } = look;
  sheet.text(RIGHT, 60, data.seller, { size: 14, bold: true, align: 'right' });
  const mark = random.pick([' \u2022 ', ' - ', ' | ', ', ', ' \u00b7 ']);
  sheet.text(LEFT, 125, [data.seller, random.pick(pack.streets), random.pick(pack.towns)].join(mark), {
    size: 7,
  });
  const end = address(look, LEFT, 142, data.buyer, false);
  contact(look, 400, 90);
  const meta = metaOf(look, dueInHead);
  sheet.text(LEFT, end + 50, `${titleOf(look)}`, { size: 14, bold: true });
  return metaBlock(look, LEFT, end + 70, meta);
};

/** Labels in a row with the values below them. */
const metaRow: DrawHead = (look, dueInHead) => {
  const { sheet, data, random, pack, size } = look;
  sheet.text(297, 55, data.seller, { size: 15, bold: true, align: 'center' });
  sheet.text(297, 70, `${random.pick(pack.streets)} - ${random.pick(pack.towns)}`, {
    size: 8,
    align: 'center',
  });
  contact(look, 250, 84);
  sheet.text(LEFT, 140, random.pick(pack.billTo), { bold: true, size: 9 });
  const end = address(look, LEFT, 154, data.buyer, false);
  sheet.text(RIGHT, 140, titleOf(look), { size: 16, bold: true, align: 'right' });
  const meta = metaOf(look, dueInHead).slice(0, 5);
  const width = (RIGHT - LEFT) / meta.length;
  for (const [index, { label, value }] of meta.entries()) {
    sheet.text(LEFT + index * width, end + 40, label, { size: 8, bold: true });
    sheet.text(LEFT + index * width, end + 53, value, { size: Math.min(size, 9) });
  }
  return end + 55;
};

export const HEADS: readonly DrawHead[] = [letterhead, columnsOfParties, windowLetter, metaRow];

/** Terms, bank and registration below the totals. */
export function drawFooter(look: Look, from: number, dueInHead: boolean, symbol: string): void {
  const { sheet, data, random, pack, date } = look;
  let y = from;
  if (y > 740) {
    sheet.nextPage();
    y = 70;
  }
  if (data.due && !dueInHead)
    sheet.text(LEFT, y, random.pick(pack.dueSentence).replace('{date}', date(data.due)));
  else if (!data.due) sheet.text(LEFT, y, random.pick(pack.termsWithoutDate));
  if (random.chance(0.5)) sheet.text(LEFT, y + 16, random.pick(pack.greeting));
  sheet.text(LEFT, 790, `${data.seller} \u00b7 IBAN DE12 5001 0517 0648 4898 90 \u00b7 BIC INGDDEFF`, {
    size: 7,
  });
  sheet.text(LEFT, 800, random.pick(pack.taxId), { size: 7 });
  sheet.text(RIGHT, 800, symbol.length === 1 ? `Total ${symbol}` : symbol, { size: 7, align: 'right' });
}
