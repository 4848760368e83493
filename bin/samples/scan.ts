import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { A4 } from './sheet';

const DPI = 170;
const TILT_DEGREES = 0.7;

/** A PDF's first page as a scanner would give it: a grey, slightly tilted, slightly noisy image and no text. */
export async function scanOf(source: Uint8Array): Promise<Uint8Array> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(Buffer.from(source));
  const image = await document.getPage(0).render({
    scale: DPI / 72,
    render: async ({ data, width, height }) =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .flatten({ background: '#fdfcf8' })
        .rotate(TILT_DEGREES, { background: '#f4f2ec' })
        .resize(width, height, { fit: 'cover' })
        .grayscale()
        .linear(0.86, 22)
        .blur(0.5)
        .jpeg({ quality: 62 })
        .toBuffer(),
  });
  document.destroy();
  library.destroy();

  const pdf = await PDFDocument.create();
  const made = new Date('2026-01-01T00:00:00Z');
  pdf.setTitle('Scan');
  pdf.setProducer('Tickmark samples');
  pdf.setCreationDate(made);
  pdf.setModificationDate(made);
  const page = pdf.addPage(A4);
  page.drawImage(await pdf.embedJpg(image.data), { x: 0, y: 0, width: A4[0], height: A4[1] });
  return pdf.save();
}
