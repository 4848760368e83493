import type Big from 'big.js';
import type { MadeInvoice } from './invoice-data';
import type { Pack } from './packs';
import type { Random } from './random';
import type { Sheet } from './sheet';

/** How one invoice is printed: chosen once, so that a document is the same throughout. */
export interface Look {
  readonly pack: Pack;
  readonly random: Random;
  readonly sheet: Sheet;
  readonly data: MadeInvoice;
  readonly colon: string;
  readonly money: (value: Big) => string;
  readonly plain: (value: Big, decimals?: number) => string;
  readonly date: (iso: string) => string;
  readonly size: number;
}
