import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'tesseract.js';
import { boxMapper } from './ocr-boxes';
import { packageFolder } from './package-path';
import type { PageText, Word } from './page';
import type { PageImage } from './page-image';
import { visibleText } from './words';

/** How an image is made ready. */
export interface Preparation {
  /** The way the page's text runs; it is turned back by this. */
  readonly angle: PageText['textAngle'];
  readonly half?: boolean;
  readonly smooth?: boolean;
  /** Slope of its lines, which are made level; the boxes are those on the page as it lies. */
  readonly skew?: number;
}

export interface Recognised {
  readonly angle: PageText['textAngle'];
  /** In points of the page as it lies. */
  readonly words: readonly Word[];
  /** Tesseract's mean, 0–1. */
  readonly confidence: number;
  /** Part of all letters that stands in whole words read for sure: tells reading from guessing. */
  readonly sureShare: number;
  /** Points that a line sinks per point to the right, in the turned image. */
  readonly skew: number;
}

/** Words the recogniser itself doubts more than this are noise: dust, lines of a table, parts of a logo. */
const MIN_WORD_CONFIDENCE = 25;
const SURE = 80;

/** Tesseract with the data that comes in packages: no network, nothing kept on disk. */
export class OcrEngine {
  private worker: Worker | null = null;
  private languages = '';

  get isStarted(): boolean {
    return this.worker !== null;
  }

  /** @param languages Tesseract's codes, such as `deu`; does nothing when it reads these already */
  async start(languages: readonly string[]): Promise<void> {
    if (this.worker !== null && languages.join() === this.languages) return;
    await this.stop();
    const { createWorker, OEM } = await import('tesseract.js');
    // Tesseract wants all its data in one folder; each language is a package of its own.
    const folder = await mkdtemp(join(tmpdir(), 'tickmark-ocr-'));
    try {
      for (const code of languages) {
        const file = `${code}.traineddata.gz`;
        const source = join(packageFolder(`@tesseract.js-data/${code}`), '4.0.0_best_int', file);
        await copyFile(source, join(folder, file));
      }
      this.worker = await createWorker([...languages], OEM.LSTM_ONLY, {
        langPath: folder,
        gzip: true,
        cacheMethod: 'none',
        // Without a handler the library throws outside of any promise.
        errorHandler: () => undefined,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await this.worker.setParameters({ user_defined_dpi: '240' });
    this.languages = languages.join();
  }

  async stop(): Promise<void> {
    await this.worker?.terminate();
    this.worker = null;
  }

  async recognise(image: PageImage, preparation: Preparation): Promise<Recognised> {
    if (this.worker === null) throw new Error('the OCR engine has not been started');
    const { angle } = preparation;
    const { data } = await this.worker.recognize(
      await prepare(image, preparation),
      {},
      { blocks: true, text: false },
    );
    const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((p) => p.lines));
    const found = lines.flatMap((line) => line.words);
    const toPage = boxMapper(image, preparation);
    const words = found
      .filter((word) => word.confidence >= MIN_WORD_CONFIDENCE)
      .map((word) => ({ text: visibleText(word.text).replaceAll(' ', ''), ...toPage(word.bbox) }))
      .filter((word) => word.text !== '');
    return {
      angle,
      words,
      confidence: data.confidence / 100,
      sureShare: sureShare(found),
      skew: preparation.skew ?? medianSlope(lines.map((line) => line.baseline)),
    };
  }
}

async function prepare(image: PageImage, preparation: Preparation): Promise<Buffer> {
  const { angle, half = false, smooth = false, skew = 0 } = preparation;
  const { default: sharp } = await import('sharp');
  let picture = sharp(image.pixels, { raw: { width: image.width, height: image.height, channels: 1 } });
  if (smooth) picture = picture.median(3);
  if (angle !== 0) picture = picture.rotate(360 - angle);
  let png = await picture.png({ compressionLevel: 1 }).toBuffer();
  // Each step on its own: sharp turns only once in a row.
  if (skew !== 0) {
    const degrees = (-Math.atan(skew) * 180) / Math.PI;
    png = await sharp(png).rotate(degrees, { background: '#fff' }).png({ compressionLevel: 1 }).toBuffer();
  }
  if (!half) return png;
  const { width = 2 } = await sharp(png).metadata();
  return sharp(png)
    .resize(Math.ceil(width / 2))
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function sureShare(words: readonly { readonly text: string; readonly confidence: number }[]): number {
  let sure = 0;
  let all = 0;
  for (const { text, confidence } of words) {
    all += text.length;
    if (confidence >= SURE && /^[\p{L}\p{N}.,:%$€()/-]{3,}$/u.test(text)) sure += text.length;
  }
  return all === 0 ? 0 : sure / all;
}

/** The middle slope of the long baselines; short ones say little. */
function medianSlope(baselines: readonly { x0: number; y0: number; x1: number; y1: number }[]): number {
  const slopes = baselines
    .filter(({ x0, x1 }) => x1 - x0 > 150)
    .map(({ x0, y0, x1, y1 }) => (y1 - y0) / (x1 - x0))
    .sort((a, b) => a - b);
  const middle = slopes[Math.floor(slopes.length / 2)] ?? 0;
  return Math.abs(middle) < 0.1 ? middle : 0;
}
