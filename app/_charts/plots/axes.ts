/** How axes look in every chart. */
export const TICK = { fill: 'var(--muted)', fontSize: 11 };
export const AXIS_LINE = { stroke: 'var(--line)' };
export const MARGIN = { top: 8, right: 4, bottom: 0, left: 0 };
export const Y_WIDTH = 52;
