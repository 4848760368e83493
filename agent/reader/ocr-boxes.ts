import type { PageText, Word } from './page';

type Box = Omit<Word, 'text'>;

/** What the picture of a page went through before it was read. */
interface Prepared {
  readonly angle: PageText['textAngle'];
  readonly half?: boolean;
  readonly skew?: number;
}

/** Takes a box of the prepared picture back to points of the page as it lies. */
export function boxMapper(
  image: { readonly width: number; readonly height: number; readonly scale: number },
  { angle, half = false, skew = 0 }: Prepared,
): (box: Box) => Box {
  const scale = half ? image.scale / 2 : image.scale;
  const width = (image.width * scale) / image.scale;
  const height = (image.height * scale) / image.scale;
  const upright = angle % 180 === 0 ? { width, height } : { width: height, height: width };
  return (box) => {
    const { x0, y0, x1, y1 } = turnBack(tiltBack(box, skew, upright), angle, { width, height });
    return { x0: x0 / scale, y0: y0 / scale, x1: x1 / scale, y1: y1 / scale };
  };
}

/** Undoes the levelling, which turned the picture about its middle and made room at its edges. */
function tiltBack(box: Box, skew: number, { width, height }: { width: number; height: number }): Box {
  if (skew === 0) return box;
  const tilt = Math.atan(skew);
  const [sin, cos] = [Math.sin(tilt), Math.cos(tilt)];
  const levelled = {
    width: width * cos + height * Math.abs(sin),
    height: height * cos + width * Math.abs(sin),
  };
  const x = (box.x0 + box.x1 - levelled.width) / 2;
  const y = (box.y0 + box.y1 - levelled.height) / 2;
  // The box keeps its size: around tilted corners it would reach into the lines above and below.
  const middle = { x: x * cos - y * sin + width / 2, y: x * sin + y * cos + height / 2 };
  const half = { x: (box.x1 - box.x0) / 2, y: (box.y1 - box.y0) / 2 };
  return { x0: middle.x - half.x, x1: middle.x + half.x, y0: middle.y - half.y, y1: middle.y + half.y };
}

function turnBack(
  { x0, y0, x1, y1 }: Box,
  angle: PageText['textAngle'],
  { width, height }: { width: number; height: number },
): Box {
  if (angle === 90) return { x0: width - y1, x1: width - y0, y0: x0, y1: x1 };
  if (angle === 180) return { x0: width - x1, x1: width - x0, y0: height - y1, y1: height - y0 };
  if (angle === 270) return { x0: y0, x1: y1, y0: height - x1, y1: height - x0 };
  return { x0, y0, x1, y1 };
}
