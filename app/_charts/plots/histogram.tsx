'use client';

import { Bar, BarChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { AXIS_LINE, MARGIN, TICK, Y_WIDTH } from './axes';
import { PointCard } from './point-card';

interface HistogramProps {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly bars: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly color: string;
  readonly edge: (value: number) => string;
  readonly count: (value: number) => string;
  /** Values that are marked, such as the median. */
  readonly marks: readonly { readonly label: string; readonly value: number }[];
}

/** How many values fall between which edges. */
export function Histogram({ width, height, title, bars, color, edge, count, marks }: HistogramProps) {
  const named = bars.map((bar) => ({ ...bar, name: edge(bar.from) }));
  const placeOf = (value: number) =>
    named.find(({ from, to }) => value >= from && value < to)?.name ?? named.at(-1)?.name;
  return (
    <BarChart
      width={width}
      height={height}
      data={named}
      margin={{ ...MARGIN, top: 20 }}
      barCategoryGap={1}
      title={title}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis dataKey="name" tick={TICK} tickLine={false} axisLine={AXIS_LINE} minTickGap={18} />
      <YAxis
        width={Y_WIDTH}
        allowDecimals={false}
        tickFormatter={count}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        cursor={{ fill: 'var(--hover)' }}
        isAnimationActive={false}
        content={({ payload }) => {
          const bar = payload?.[0]?.payload as (typeof named)[number] | undefined;
          if (!bar) return null;
          return (
            <PointCard
              title={`${edge(bar.from)} – ${edge(bar.to)}`}
              lines={[{ label: 'Tasks', value: count(bar.count) }]}
            />
          );
        }}
      />
      <Bar dataKey="count" fill={color} isAnimationActive={false} />
      {marks.map(({ label, value }) => (
        <ReferenceLine
          key={label}
          x={placeOf(value)}
          stroke="var(--text)"
          strokeDasharray="3 3"
          label={<MarkLabel text={label} width={width} />}
        />
      ))}
    </BarChart>
  );
}

interface MarkLabelProps {
  readonly text: string;
  /** Of the whole chart. */
  readonly width: number;
  /** Given by the drawing library. */
  readonly viewBox?: { readonly x?: number };
}

const CHAR_PX = 6;

/** The name of a mark above its line; near an edge it is written inwards, so that none of it is cut off. */
function MarkLabel({ text, width, viewBox }: MarkLabelProps) {
  const x = viewBox?.x ?? 0;
  const half = (text.length * CHAR_PX) / 2;
  const anchor = x + half > width ? 'end' : x - half < 0 ? 'start' : 'middle';
  return (
    <text x={x} y={13} textAnchor={anchor} fill="var(--muted)" fontSize={11}>
      {text}
    </text>
  );
}
