import { GREY, MARGIN, newDocument } from './sheet';

const WIDTH = 595.28 - 2 * MARGIN;

const CLAUSES: readonly (readonly [string, string])[] = [
  [
    '1. Services',
    'The Supplier shall provide warehousing, order picking and dispatch services at its site in Leeds, as described in Schedule A. The Supplier shall perform the services with reasonable skill and care and in accordance with the service levels in Schedule B.',
  ],
  [
    '2. Term',
    'This Agreement takes effect on 1 April 2026 (the "Effective Date") and continues until 31 March 2029 (the "Expiration Date"), unless it is terminated earlier in accordance with clause 7.',
  ],
  [
    '3. Charges and payment',
    'The Customer shall pay the charges set out in Schedule C. Invoices are issued monthly in arrears and fall due 30 days after the date of the invoice. All amounts are exclusive of value added tax.',
  ],
  [
    '4. Stock and risk',
    'Title to the goods remains with the Customer at all times. Risk of loss or damage passes to the Supplier when the goods are received at the site and returns to the Customer when they are handed to the carrier.',
  ],
  [
    '5. Confidentiality',
    'Each party shall keep confidential all information of the other party that is marked as confidential or is confidential by its nature, and shall use it only for the purposes of this Agreement.',
  ],
  [
    '6. Liability',
    "Nothing in this Agreement limits liability that cannot be limited by law. Subject to that, each party's total liability in any contract year shall not exceed 120% of the charges paid in that year.",
  ],
  [
    '7. Termination',
    "Either party may terminate this Agreement on six months' written notice, or at once if the other party commits a material breach and fails to remedy it within 30 days of a written request.",
  ],
  [
    '8. Governing law',
    'This Agreement is governed by the laws of England and Wales, and the courts of England and Wales have exclusive jurisdiction.',
  ],
];

/** Two pages of an agreement between two companies. */
export async function makeContract(): Promise<Uint8Array> {
  const { pdf, addSheet } = await newDocument('Services Agreement');
  let sheet = addSheet();
  sheet.text('Services Agreement', MARGIN, 96, { bold: true, size: 20 });
  sheet.rule(112);
  let y = sheet.paragraph(
    'This Services Agreement is made on 16 March 2026 between Fernhill Logistics plc, a company registered in England with its office at 220 Mill Lane, Leeds (the "Supplier"), and Harbour Cloud Services Ltd, a company registered in England with its office at 3 Quay House, Bristol (the "Customer").',
    MARGIN,
    140,
    WIDTH,
    { size: 10.5 },
  );
  y += 14;
  CLAUSES.forEach(([heading, body], index) => {
    if (index === 5) {
      sheet.text('Page 1 of 2', MARGIN, 795, { size: 8, color: GREY });
      sheet = addSheet();
      y = 84;
    }
    sheet.text(heading, MARGIN, y, { bold: true, size: 11 });
    y = sheet.paragraph(body, MARGIN, y + 18, WIDTH, { size: 10.5 }) + 14;
  });
  sheet.text('Signed for the parties', MARGIN, y + 24, { bold: true, size: 11 });
  sheet.rule(y + 84, MARGIN, MARGIN + 200);
  sheet.rule(y + 84, 340, 595.28 - MARGIN);
  sheet.text('Fernhill Logistics plc', MARGIN, y + 98, { size: 9 });
  sheet.text('Harbour Cloud Services Ltd', 340, y + 98, { size: 9 });
  sheet.text('Page 2 of 2 · Sample document', MARGIN, 795, { size: 8, color: GREY });
  return pdf.save();
}
