/** The checkout's folder, without a slash at the end. */
export const root: string;
