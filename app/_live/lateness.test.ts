import { expect, test } from 'vitest';
import { createLatenessGauge } from './lateness';

test('B34: a bundle that was held back is told from timely events, however far the clocks are apart', () => {
  for (const skew of [-7_200_000, 0, 45_000]) {
    const gauge = createLatenessGauge();
    const late = (sent: number, received: number) => gauge.isLate(sent, received + skew);
    expect(late(0, 40)).toBe(false);
    expect(late(5_000, 5_900)).toBe(false);
    // Six heartbeats that arrive together.
    expect([10, 15, 20, 25, 30].map((second) => late(second * 1_000, 31_000))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(late(35_000, 35_050)).toBe(false);
  }
});

test('a connection of its own is measured by itself: a clock may have been set', () => {
  const gauge = createLatenessGauge();
  gauge.isLate(0, 0);
  expect(gauge.isLate(5_000, 65_000)).toBe(true);
  gauge.reset();
  expect(gauge.isLate(10_000, 70_000)).toBe(false);
});
