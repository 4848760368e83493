/** What one check found: fine, worth knowing, or in the way with what to do about it. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'problem';
  readonly text: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const note = (text: string): Finding => ({ level: 'note', text });
export const problem = (text: string): Finding => ({ level: 'problem', text });
