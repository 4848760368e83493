import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOrderEvidence, findDates } from './dates';
import { printDate } from './made/format';
import { PACKS } from './made/packs';

const first = (text: string, order: 'day-first' | 'month-first' = 'day-first') =>
  findDates(text, order)[0]?.iso;

describe('findDates', () => {
  it.each([
    ['31.12.2024', '2024-12-31'],
    ['31. Dezember 2024', '2024-12-31'],
    ['1 Dezember 2019', '2019-12-01'],
    ['31 décembre 2024', '2024-12-31'],
    ['1er février 2024', '2024-02-01'],
    ['15 de marzo de 2024', '2024-03-15'],
    ['3 agosto 2023', '2023-08-03'],
    ['19 april 2014', '2014-04-19'],
    ['Dec 31, 2024', '2024-12-31'],
    ['August 3 , 2014', '2014-08-03'],
    ['October 18th, 2018', '2018-10-18'],
    ['18-Oct-2018', '2018-10-18'],
    ['2024-12-31', '2024-12-31'],
    ['2024/12/31', '2024-12-31'],
    ['31/12/24', '2024-12-31'],
    ['08-05-2023', '2023-05-08'],
  ])('reads %s as %s', (text, expected) => {
    expect(first(text)).toBe(expected);
  });

  it('goes by the order of the document where day and month could be swapped', () => {
    expect(first('03/04/2024', 'day-first')).toBe('2024-04-03');
    expect(first('03/04/2024', 'month-first')).toBe('2024-03-04');
    expect(first('10/18/18', 'day-first')).toBe('2018-10-18');
    expect(findDates('03/04/2024', 'day-first')[0]?.isAmbiguous).toBe(true);
  });

  it('knows no 31st of February and takes no part of a longer number', () => {
    expect(first('31.02.2024')).toBeUndefined();
    expect(first('1.2.3.2024')).toBeUndefined();
    expect(first('DE89 3704 0044 0532 0130 00')).toBeUndefined();
  });

  it('says where in the original text the date stands', () => {
    const text = 'Fällig am 31. März 2024, danach Verzug';
    const [date] = findDates(text, 'day-first');
    expect(text.slice(date?.start, date?.end)).toBe('31. März 2024');
  });

  it('reads back every day in every style of the languages', () => {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2060-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.constantFrom(...PACKS), fc.nat(), (date, pack, pick) => {
        const iso = date.toISOString().slice(0, 10);
        const style = pack.dates[pick % pack.dates.length] ?? 'y-m-d';
        const order = style === 'm/d/y' ? 'month-first' : 'day-first';
        expect(first(printDate(iso, style, pack.months), order)).toBe(iso);
      }),
    );
  });
});

describe('dateOrderEvidence', () => {
  it('goes by dates that can only be read one way', () => {
    expect(dateOrderEvidence(['due 12/17/18', '10/05/18'])).toBe('month-first');
    expect(dateOrderEvidence(['13/11/2017', '05/11/2017'])).toBe('day-first');
    expect(dateOrderEvidence(['01/02/2017'])).toBeNull();
  });
});
