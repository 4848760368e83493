import type { Mark } from './marks';

/** What links a field with its place: one selection and one hover for both sides. */
export interface Linking {
  readonly marks: ReadonlyMap<string, Mark>;
  readonly activeKey: string | null;
  readonly hoverKey: string | null;
  readonly onHover: (key: string | null) => void;
  readonly onSelect: (key: string) => void;
}
