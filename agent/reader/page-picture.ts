import type { PageText } from './page';
import type { PageImage } from './page-image';

/** A page as a picture for a model that sees: JPEG, grey, upright. */
export interface PagePicture {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Base64. */
  readonly jpeg: string;
}

/** Models that see scale larger pictures down; A4 at 1,600 pixels is 137 dpi, enough for small print. */
const LONG_EDGE = 1_600;
const QUALITY = 80;

/** @param angle the way the page's text runs; it is turned back by this */
export async function pictureOf(
  page: number,
  image: PageImage,
  angle: PageText['textAngle'],
): Promise<PagePicture> {
  const { default: sharp } = await import('sharp');
  const raw = { width: image.width, height: image.height, channels: 1 } as const;
  const jpeg = await sharp(image.pixels, { raw })
    .rotate((360 - angle) % 360)
    .resize(LONG_EDGE, LONG_EDGE, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return { page, jpeg: jpeg.toString('base64') };
}
