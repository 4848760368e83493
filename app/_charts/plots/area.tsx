'use client';

import { AreaChart, Area as AreaShape, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import type { Series } from '../chart';
import { AXIS_LINE, MARGIN, TICK, Y_WIDTH } from './axes';
import { PointCard } from './point-card';

/** Values at an instant (ms), by the key of a series. */
export interface AreaPoint {
  readonly at: number;
  readonly values: Readonly<Record<string, number>>;
}

interface AreaProps {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly points: readonly AreaPoint[];
  readonly series: readonly Series[];
  readonly nameOf: (at: number, length: 'short' | 'long') => string;
  readonly tick: (value: number) => string;
  /** Charts one above the other share a pointer. */
  readonly syncId: string;
  readonly withAxis: boolean;
}

/** So few are hardly seen as a line; each is marked. */
const FEW_POINTS = 3;

/** Values over time, each by itself. */
export function Area(props: AreaProps) {
  const { width, height, title, points, series, nameOf, tick, syncId, withAxis } = props;
  return (
    <AreaChart
      width={width}
      height={height}
      data={[...points]}
      margin={MARGIN}
      syncId={syncId}
      syncMethod="value"
      title={title}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="at"
        type="number"
        scale="time"
        domain={['dataMin', 'dataMax']}
        tickFormatter={(at: number) => nameOf(at, 'short')}
        tick={withAxis ? TICK : false}
        height={withAxis ? 24 : 4}
        tickLine={false}
        axisLine={AXIS_LINE}
        minTickGap={40}
      />
      <YAxis
        width={Y_WIDTH}
        allowDecimals={false}
        tickFormatter={tick}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        tickCount={4}
      />
      <Tooltip
        cursor={{ stroke: 'var(--line-strong)' }}
        isAnimationActive={false}
        content={({ payload }) => {
          const point = payload?.[0]?.payload as AreaPoint | undefined;
          if (!point) return null;
          const lines = series.map(({ key, label, color }) => ({
            label,
            color,
            value: tick(point.values[key] ?? 0),
          }));
          return <PointCard title={nameOf(point.at, 'long')} lines={lines} />;
        }}
      />
      {series.map(({ key, color }) => (
        <AreaShape
          key={key}
          type="stepAfter"
          dataKey={(point: AreaPoint) => point.values[key] ?? 0}
          stroke={color}
          strokeWidth={1.5}
          fill={color}
          fillOpacity={0.12}
          isAnimationActive={false}
          dot={points.length <= FEW_POINTS}
        />
      ))}
    </AreaChart>
  );
}
