import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'tesseract.js';
import { packageFolder } from './package-path';
import type { PageText, Word } from './page';
import type { PageImage } from './page-image';
import { visibleText } from './words';

/** Languages whose recognition data comes with the dependencies, by the code of the language detector. */
const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'eng',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  nl: 'nld',
};
const ALL = Object.values(LANGUAGES);

/** Words the recogniser itself doubts more than this are noise: dust, lines of a table, parts of a logo. */
const MIN_WORD_CONFIDENCE = 25;
/** Below this mean a page may be lying on its side. */
const DOUBTFUL = 60;
/** A side way round must be this much surer to be taken. */
const TURN_GAIN = 15;

interface Recognised {
  /** Points that a line sinks per point to the right, in the turned image. */
  readonly skew: number;
  readonly words: readonly Word[];
  readonly confidence: number;
}

/** Reads words from page images with Tesseract; no network, no cache on disk. One instance serves a whole document. */
export class Recogniser {
  private worker: Worker | null = null;
  private languages: readonly string[] = [];

  /**
   * @param hint text of the same document, if any, to tell its language by; else the first page is read in English
   * first, which is enough to tell the language, and then again in that language
   */
  async read(
    image: PageImage,
    page: { number: number; width: number; height: number },
    hint: string,
  ): Promise<PageText> {
    if (this.worker === null) await this.chooseLanguages(image, hint);
    let best: Recognised & { angle: PageText['textAngle'] } = {
      ...(await this.recognise(image, 0)),
      angle: 0,
    };
    if (best.confidence < DOUBTFUL) {
      for (const angle of [90, 270, 180] as const) {
        const turned = await this.recognise(image, angle);
        if (turned.confidence > best.confidence + TURN_GAIN && turned.words.length >= best.words.length / 2) {
          best = { ...turned, angle };
        }
      }
    }
    return {
      page: page.number,
      width: page.width,
      height: page.height,
      source: 'ocr',
      confidence: best.confidence / 100,
      textAngle: best.angle,
      skew: best.skew,
      words: best.words,
    };
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
    this.worker = null;
  }

  private async chooseLanguages(image: PageImage, hint: string): Promise<void> {
    let text = hint;
    if (text.length < 200) {
      await this.start(['eng']);
      text = (await this.recognise(image, 0)).words.map((word) => word.text).join(' ');
    }
    const { eld } = await import('eld/extrasmall');
    const found = LANGUAGES[eld.detect(text).language];
    // A few words on a page tell no language. One language alone is read better than two: each knows plain Latin words.
    const languages = found === undefined || text.length < 80 ? ALL : [found];
    if (languages.join() !== this.languages.join()) await this.start(languages);
  }

  private async start(languages: readonly string[]): Promise<void> {
    await this.close();
    const { createWorker, OEM } = await import('tesseract.js');
    // Tesseract wants all its data in one folder; each language is a package of its own.
    const folder = await mkdtemp(join(tmpdir(), 'tickmark-ocr-'));
    try {
      for (const code of languages) {
        const file = `${code}.traineddata.gz`;
        await copyFile(
          join(packageFolder(`@tesseract.js-data/${code}`), '4.0.0_best_int', file),
          join(folder, file),
        );
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
    this.languages = languages;
  }

  /** @param angle how the page's text runs: the image is turned back by it before reading */
  private async recognise(image: PageImage, angle: PageText['textAngle']): Promise<Recognised> {
    if (this.worker === null) throw new Error('the recogniser has not been started');
    const { default: sharp } = await import('sharp');
    const png = await sharp(image.pixels, { raw: { width: image.width, height: image.height, channels: 1 } })
      .rotate((360 - angle) % 360)
      .png({ compressionLevel: 1 })
      .toBuffer();
    const { data } = await this.worker.recognize(png, {}, { blocks: true, text: false });
    const words: Word[] = [];
    const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((p) => p.lines));
    for (const line of lines) {
      for (const word of line.words) {
        const text = visibleText(word.text).trim();
        if (text === '' || word.confidence < MIN_WORD_CONFIDENCE) continue;
        words.push({ text, ...toPage(word.bbox, image, angle) });
      }
    }
    return { words, confidence: data.confidence, skew: medianSlope(lines.map((line) => line.baseline)) };
  }
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

/** A box in the turned image as points of the page. */
function toPage(
  box: { x0: number; y0: number; x1: number; y1: number },
  image: PageImage,
  angle: PageText['textAngle'],
): Omit<Word, 'text'> {
  const { width, height, scale } = image;
  const { x0, y0, x1, y1 } = box;
  const turned =
    angle === 0
      ? { x0, y0, x1, y1 }
      : angle === 180
        ? { x0: width - x1, x1: width - x0, y0: height - y1, y1: height - y0 }
        : angle === 90
          ? { x0: width - y1, x1: width - y0, y0: x0, y1: x1 }
          : { x0: y0, x1: y1, y0: height - x1, y1: height - x0 };
  return { x0: turned.x0 / scale, y0: turned.y0 / scale, x1: turned.x1 / scale, y1: turned.y1 / scale };
}
