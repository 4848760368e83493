/** What a label on an invoice can announce. */
export type Concept =
  | 'invoiceNumber'
  /** Numbers that are no invoice number: customer, order, delivery, tax and bank numbers. */
  | 'otherNumber'
  | 'issueDate'
  | 'dueDate'
  | 'otherDate'
  | 'net'
  | 'tax'
  | 'gross'
  | 'due'
  | 'prepaid'
  /** Sum of the positions: before or after tax, before or after discounts. */
  | 'subtotal'
  /** A total of which the words don't say whether tax is in it. */
  | 'total'
  | 'discount'
  | 'charge'
  | 'carryOver'
  | 'rounding'
  | 'payment'
  | 'seller'
  | 'buyer'
  | 'shipTo'
  | 'otherHeading'
  | 'name'
  | 'title'
  | 'currency'
  | 'terms'
  | 'contact'
  | 'taxId'
  | 'bank';

/** What the head of a column of a table of positions can say. */
export type ColumnConcept =
  | 'position'
  | 'sku'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'unitPrice'
  | 'discount'
  | 'taxRate'
  | 'taxAmount'
  | 'date'
  | 'amount';

/** The label phrases of one language. Case, accents, spaces and punctuation between words do not matter. */
export interface LabelDictionary {
  readonly language: Language;
  readonly labels: Partial<Record<Concept, readonly string[]>>;
  readonly columns: Partial<Record<ColumnConcept, readonly string[]>>;
  /** Frequent words that tell the language apart, folded. */
  readonly stopWords: readonly string[];
}

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl';
