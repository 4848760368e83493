import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanFilename } from './filename';

test.each([
  ['Rechnung Müller & Söhne 🧾.pdf', 'Rechnung Müller & Söhne 🧾.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\a\\scan.pdf', 'scan.pdf'],
  ['folder/sub/', 'sub'],
  ['nul\0byte.pdf', 'nulbyte.pdf'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['\u2066hidden\u2069.pdf', 'hidden.pdf'],
  ['line\r\nbreak.pdf', 'linebreak.pdf'],
  ['..', 'document.pdf'],
  ['', 'document.pdf'],
  ['   ', 'document.pdf'],
  ['/', 'document.pdf'],
  ['half \ud83d emoji.pdf', 'half \ufffd emoji.pdf'],
  ['عقد.pdf', 'عقد.pdf'],
])('%j is kept as %j', (raw, kept) => {
  expect(cleanFilename(raw)).toBe(kept);
});

test('a long name is cut to 255 units and keeps its extension', () => {
  const name = cleanFilename(`${'long '.repeat(100)}.pdf`);
  expect(name.length).toBeLessThanOrEqual(255);
  expect(name).toMatch(/….pdf$/u);
  const emoji = cleanFilename(`${'👩‍👩‍👧'.repeat(60)}.pdf`);
  expect(emoji.length).toBeLessThanOrEqual(255);
  expect(emoji.isWellFormed()).toBe(true);
});

test('B43: whatever the name, what is kept can be stored and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
      const name = cleanFilename(raw);
      expect(name.length).toBeGreaterThan(0);
      expect(name.length).toBeLessThanOrEqual(255);
      expect(name.isWellFormed()).toBe(true);
      expect(name).not.toMatch(/[\0/\\]/);
      expect(cleanFilename(name)).toBe(name);
    }),
  );
});
