'use client';

import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import type { Series } from '../chart';
import { AXIS_LINE, MARGIN, TICK, Y_WIDTH } from './axes';
import { PointCard } from './point-card';

/** One bar; `values` by the key of a series. */
export interface BarPoint {
  readonly at: string;
  readonly values: Readonly<Record<string, number>>;
}

interface StackedBarsProps {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly points: readonly BarPoint[];
  /** From the bottom up. */
  readonly series: readonly Series[];
  readonly nameOf: (at: string, length: 'short' | 'long') => string;
  readonly tick: (value: number) => string;
  /** A value in full; of a point, since its exact amount may be known otherwise. */
  readonly exact: (key: string, point: BarPoint) => string;
  readonly whole?: boolean;
}

/** Parts of a whole over time. */
export function StackedBars(props: StackedBarsProps) {
  const { width, height, title, points, series, nameOf, tick, exact, whole = false } = props;
  return (
    <BarChart
      width={width}
      height={height}
      data={[...points]}
      margin={MARGIN}
      barCategoryGap="14%"
      title={title}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="at"
        tickFormatter={(at: string) => nameOf(at, 'short')}
        tick={TICK}
        tickLine={false}
        axisLine={AXIS_LINE}
        minTickGap={28}
      />
      <YAxis
        width={Y_WIDTH}
        allowDecimals={!whole}
        tickFormatter={tick}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        cursor={{ fill: 'var(--hover)' }}
        isAnimationActive={false}
        content={({ payload }) => {
          const point = payload?.[0]?.payload as BarPoint | undefined;
          if (!point) return null;
          const lines = series
            .filter(({ key }) => (point.values[key] ?? 0) > 0)
            .map(({ key, label, color }) => ({ label, color, value: exact(key, point) }));
          return <PointCard title={nameOf(point.at, 'long')} lines={lines} />;
        }}
      />
      {series.map(({ key, color }) => (
        <Bar
          key={key}
          dataKey={(point: BarPoint) => point.values[key] ?? 0}
          stackId="all"
          fill={color}
          stroke="var(--bg)"
          strokeWidth={points.length > 100 ? 0 : 0.5}
          maxBarSize={36}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  );
}
