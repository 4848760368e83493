/** A piece of text without spaces and where it stands: PDF points, origin top left of the page as displayed, y down. */
export interface Word {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The text of one page with positions; crop box and rotation are applied. */
export interface PageText {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Size of the page as displayed, in PDF points. */
  readonly width: number;
  readonly height: number;
  readonly source: 'text' | 'ocr';
  /** How sure the reader is of the words, 0–1: 1 for a text layer, the recogniser's mean for OCR. */
  readonly confidence: number;
  /** Degrees clockwise from the usual in which most of the text runs; 90 reads downwards. */
  readonly textAngle: 0 | 90 | 180 | 270;
  /** How far text lines sink per point to the right, once turned upright: a scan that lies askew. 0 for a text layer. */
  readonly skew: number;
  readonly words: readonly Word[];
}
