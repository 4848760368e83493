/** What became of an action. */
export interface Message {
  readonly id: number;
  readonly tone: 'done' | 'problem';
  readonly title: string;
  readonly detail?: string;
  /** What can be done about it, such as taking it back; the message then stays longer. */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}
