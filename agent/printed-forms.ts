/** How a value may be printed: as it is, an amount with the separators of several countries, a date in figures. */
export function printedForms(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (date) return [value, ...printedDates(date[1] ?? '', date[2] ?? '', date[3] ?? '')];
  const amount = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  return amount ? printedAmounts(amount) : [value];
}

function printedDates(year: string, month: string, day: string): string[] {
  const short = (part: string) => String(Number(part));
  const pairs = [
    [day, month],
    [month, day],
    [short(day), short(month)],
    [short(month), short(day)],
  ];
  return ['.', '/', '-'].flatMap((dot) =>
    pairs.flatMap(([first, second]) => [year, year.slice(2)].map((y) => `${first}${dot}${second}${dot}${y}`)),
  );
}

function printedAmounts(amount: RegExpExecArray): string[] {
  const [, sign = '', whole = '', fraction] = amount;
  const grouped = (separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
  const tail = (point: string) => (fraction === undefined ? '' : point + fraction);
  const forms = [
    whole + tail(','),
    whole + tail('.'),
    grouped('.') + tail(','),
    grouped(',') + tail('.'),
    grouped("'") + tail('.'),
    grouped('’') + tail('.'),
    ...(fraction !== undefined && /^0+$/.test(fraction) ? [grouped('.'), grouped(','), whole] : []),
  ];
  return [...new Set(forms)].flatMap((form) => (sign === '' ? [form] : [sign + form, `(${form})`, form]));
}
