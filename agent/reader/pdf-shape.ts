import { ReadError } from './read-error';

/** How the bytes of a file look before any parser sees them; `repairs` says in words what a reader has to put right. */
export interface PdfShape {
  readonly repairs: readonly string[];
  readonly hasHeader: boolean;
}

/** Readers accept a header that starts within the first kilobyte. */
const HEADER_SEARCH = 1024;

/**
 * Checks that bytes are a PDF at all and what is broken at its ends.
 * @throws ReadError `empty_file` or `not_a_pdf`
 */
export function pdfShape(bytes: Buffer): PdfShape {
  if (bytes.length === 0) throw new ReadError('empty_file');
  const repairs: string[] = [];
  const header = bytes.subarray(0, HEADER_SEARCH).indexOf('%PDF-');
  if (header === -1) {
    if (!hasPdfObjects(bytes)) throw new ReadError('not_a_pdf', notAPdf(bytes));
    repairs.push('the PDF header is missing');
  } else if (bytes.subarray(0, header).some((byte) => !isSpaceOrBom(byte))) {
    repairs.push('there is other data before the PDF header');
  }
  if (!endsWithXref(bytes, Math.max(0, header)))
    repairs.push('the index of its objects (xref) is missing or wrong');
  return { repairs, hasHeader: header !== -1 };
}

function hasPdfObjects(bytes: Buffer): boolean {
  return (
    bytes.includes('endobj') && /\d+\s+\d+\s+obj\b/.test(bytes.subarray(0, 1_000_000).toString('latin1'))
  );
}

function isSpaceOrBom(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** Whether `startxref` near the end leads to a cross-reference table or stream. */
function endsWithXref(bytes: Buffer, headerOffset: number): boolean {
  const tail = bytes.subarray(-2048).toString('latin1');
  const found = [...tail.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
  if (found === undefined) return false;
  // Offsets count from the header or from the first byte; both are seen.
  return [0, headerOffset].some((shift) => {
    const at = Number(found) + shift;
    const target = bytes.subarray(at, at + 32).toString('latin1');
    return /^\s*(xref|\d+\s+\d+\s+obj)/.test(target);
  });
}

const KINDS: readonly (readonly [string, string])[] = [
  ['ffd8ff', 'a JPEG image'],
  ['89504e47', 'a PNG image'],
  ['47494638', 'a GIF image'],
  ['49492a00', 'a TIFF image'],
  ['4d4d002a', 'a TIFF image'],
  ['504b0304', 'a ZIP archive or an Office document'],
  ['d0cf11e0', 'an old Office document'],
  ['7b5c727466', 'a rich text document'],
];

/** Says what the file is instead, where that is plain from its first bytes. */
function notAPdf(bytes: Buffer): string {
  const start = bytes.subarray(0, 8).toString('hex');
  const kind = KINDS.find(([magic]) => start.startsWith(magic))?.[1];
  const what = kind === undefined ? 'not a PDF' : `${kind}, not a PDF`;
  return `The file is ${what}. Save or print it as a PDF and upload that.`;
}
