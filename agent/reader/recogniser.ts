import { OcrEngine, type Recognised } from './ocr-engine';
import type { PageText } from './page';
import type { PageImage } from './page-image';

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

/**
 * Measured: a page on its side or head has at most 0.04 of its letters in words read for sure, the worst upright
 * receipt 0.09, a good scan over 0.7.
 */
const LYING = 0.07;
const POOR = 0.5;
/** Half a degree: below it a line stays within its height over the width of a page. */
const ASKEW = 0.008;
/** Characters that tell a language. */
const ENOUGH_TO_TELL = 60;

type Angle = PageText['textAngle'];

/** Reads the words of page images, in the document's own language and the right way up. One serves a whole document. */
export class Recogniser {
  private readonly engine = new OcrEngine();
  /** The way the last page lay: a stack is mostly scanned one way. */
  private angle: Angle = 0;

  /** @param hint text of the same document, if any, to tell its language by */
  async read(
    image: PageImage,
    page: { number: number; width: number; height: number },
    hint: string,
  ): Promise<PageText> {
    if (!this.engine.isStarted) await this.chooseLanguages(image, hint);
    const best = await this.readBest(image);
    return {
      page: page.number,
      width: page.width,
      height: page.height,
      source: 'ocr',
      confidence: best.confidence,
      textAngle: best.angle,
      skew: best.skew,
      words: best.words,
    };
  }

  close(): Promise<void> {
    return this.engine.stop();
  }

  private async readBest(image: PageImage): Promise<Recognised> {
    let best = await this.engine.recognise(image, { angle: this.angle });
    if (best.sureShare < LYING && (await this.turn(image))) {
      best = await this.engine.recognise(image, { angle: this.angle });
    }
    if (Math.abs(best.skew) > ASKEW) {
      best = surer(best, await this.engine.recognise(image, { angle: this.angle, skew: best.skew }));
    }
    if (best.sureShare >= POOR) return best;
    // Dot matrix and fax: without their specks they are read better.
    return surer(best, await this.engine.recognise(image, { angle: this.angle, smooth: true }));
  }

  /**
   * Without a hint the page is first read in English, which is enough to tell the language. One language alone is read
   * better than two: each knows plain Latin words.
   */
  private async chooseLanguages(image: PageImage, hint: string): Promise<void> {
    let text = hint;
    if (text.length < ENOUGH_TO_TELL) {
      await this.engine.start(['eng']);
      let first = await this.engine.recognise(image, { angle: 0 });
      if (first.sureShare < LYING && (await this.turn(image))) {
        first = await this.engine.recognise(image, { angle: this.angle });
      }
      text = first.words.map((word) => word.text).join(' ');
    }
    // Only now: its tables take 100 MB.
    const { eld } = await import('eld/extrasmall');
    const found = LANGUAGES[eld.detect(text).language];
    await this.engine.start(found === undefined || text.length < ENOUGH_TO_TELL ? ALL : [found]);
  }

  /** Looks for the way in which the page reads best, at half the size; false when no other way is better. */
  private async turn(image: PageImage): Promise<boolean> {
    let best: { angle: Angle; share: number } = { angle: this.angle, share: LYING };
    for (const angle of [0, 90, 270, 180] as const) {
      if (angle === this.angle) continue;
      const { sureShare } = await this.engine.recognise(image, { angle, half: true });
      if (sureShare > best.share) best = { angle, share: sureShare };
      if (sureShare > POOR) break;
    }
    const turned = best.angle !== this.angle;
    this.angle = best.angle;
    return turned;
  }
}

function surer(one: Recognised, other: Recognised): Recognised {
  return other.sureShare > one.sureShare ? other : one;
}
