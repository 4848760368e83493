/** Header of answers that pages ask for again and again: how many milliseconds they should wait before they do. */
export const REFETCH_AFTER_HEADER = 'tickmark-refetch-after';
