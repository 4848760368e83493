import { expect, it } from 'vitest';
import { checkFile } from './check-file';
import { findDuplicates } from './find-duplicates';

const entry = (path: string, content: string) => ({ key: path, path, file: new Blob([content]) });

it('names the first file that has the same content, whatever the names', async () => {
  const found = await findDuplicates([
    entry('a.pdf', 'one'),
    entry('b.pdf', 'two'),
    entry('c.pdf', 'one'),
    entry('d.pdf', 'three'),
  ]);
  expect([...found]).toEqual([['c.pdf', 'a.pdf']]);
});

it.each([
  ['empty.pdf', '', 'empty_file'],
  ['big.pdf', '%PDF-1.7 and much more', 'too_large'],
  ['letter.docx', 'PK', 'not_a_pdf'],
  ['no-extension', '%PDF-1.7', null],
  ['broken.pdf', 'nothing of', null],
])('tells before sending what is wrong with %s', async (name, content, code) => {
  expect((await checkFile(new File([content], name), 20))?.code ?? null).toBe(code);
});
