import type { Box } from '@/lib/contract/result';

/** A piece of text as pdf.js hands it out, placed on the upright page. */
export interface TextPiece {
  readonly text: string;
  readonly endsLine: boolean;
  /** Where its baseline begins, in points from the top left. */
  readonly x: number;
  readonly y: number;
  /** Along the baseline, and above it. */
  readonly width: number;
  readonly height: number;
  /** Of the baseline, in radians clockwise. */
  readonly angle: number;
}

/** A page's text for searching: each character with the piece that it comes from. */
export interface FoldedPage {
  readonly text: string;
  readonly from: readonly { readonly piece: number; readonly share: number; readonly end: number }[];
  readonly pieces: readonly TextPiece[];
}

/** Letters are compared without case and accents, and any room between words is one space. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

export function foldPage(pieces: readonly TextPiece[]): FoldedPage {
  let text = '';
  const from: { piece: number; share: number; end: number }[] = [];
  const add = (folded: string, piece: number, share: number, end: number) => {
    for (const letter of folded) {
      const isRoom = /\s/.test(letter);
      if (isRoom && (text === '' || text.endsWith(' '))) continue;
      text += isRoom ? ' ' : letter;
      for (let unit = 0; unit < letter.length; unit += 1) from.push({ piece, share, end });
    }
  };
  pieces.forEach((piece, index) => {
    const letters = [...piece.text];
    letters.forEach((letter, n) => {
      add(fold(letter), index, n / letters.length, (n + 1) / letters.length);
    });
    if (piece.endsLine) add(' ', index, 1, 1);
  });
  return { text, from, pieces };
}

/** Where a text stands on a page: for each time, the boxes that cover it, one per piece. */
export function findInPage(page: FoldedPage, query: string): Box[][] {
  const wanted = fold(query).replace(/\s+/g, ' ').trim();
  if (wanted === '') return [];
  const found: Box[][] = [];
  for (let at = page.text.indexOf(wanted); at >= 0; at = page.text.indexOf(wanted, at + wanted.length)) {
    found.push(boxesOf(page, at, at + wanted.length));
  }
  return found;
}

function boxesOf({ from, pieces }: FoldedPage, start: number, end: number): Box[] {
  const parts = new Map<number, { share: number; end: number }>();
  for (const { piece, share, end: until } of from.slice(start, end)) {
    const known = parts.get(piece);
    parts.set(piece, { share: known?.share ?? share, end: until });
  }
  return [...parts].flatMap(([index, part]) => {
    const piece = pieces[index];
    return piece && piece.text.trim() !== '' ? [boxOf(piece, part.share, part.end)] : [];
  });
}

/** Letters are taken for equally wide: near enough to see where to look. */
function boxOf({ x, y, width, height, angle }: TextPiece, share: number, end: number): Box {
  const [along, up] = [
    [Math.cos(angle), Math.sin(angle)],
    [Math.sin(angle), -Math.cos(angle)],
  ] as const;
  // A little below the baseline too, where letters such as g and p go.
  const corners = [share, end].flatMap((part) =>
    [-0.2, 1].map((above) => [
      x + along[0] * width * part + up[0] * height * above,
      y + along[1] * width * part + up[1] * height * above,
    ]),
  );
  const xs = corners.map(([at = 0]) => at);
  const ys = corners.map(([, at = 0]) => at);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
