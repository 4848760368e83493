/** Changes that are shown at first. */
export const HISTORY_PAGE = 20;
