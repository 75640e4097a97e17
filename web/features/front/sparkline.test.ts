import { describe, expect, it } from 'vitest';

import { drawSparkline } from './sparkline';

const size = { width: 100, height: 50 };

describe('drawSparkline', () => {
  it('draws steps, each up to where its interval ends, from zero on', () => {
    const { curves, tSMax, tpsMax } = drawSparkline(
      [
        [
          { t_s: 1, tps: 20 },
          { t_s: 2, tps: 5 },
        ],
      ],
      size,
    );
    expect([tSMax, tpsMax]).toEqual([2, 20]);
    expect(curves[0]!.line).toBe('M0,0L0,0L50,0L50,37.5L100,37.5');
    expect(curves[0]!.area).toMatch(/^M0,0.*L100,50.*L0,50Z$/);
  });

  it('draws several runs on the same axes', () => {
    const { curves, placeOf } = drawSparkline([[{ t_s: 1, tps: 10 }], [{ t_s: 4, tps: 40 }]], size);
    expect(curves[0]!.line).toBe('M0,37.5L0,37.5L25,37.5');
    expect(curves[1]!.line).toBe('M0,0L0,0L100,0');
    expect(placeOf(1)).toBe(0.25);
  });

  it('has a logarithmic axis where a fast part would flatten all else, from a power of ten on', () => {
    const tps = [100_000, 1000, 2000, 0, 100_000];
    const { curves, ...axis } = drawSparkline([tps.map((rate, i) => ({ t_s: i + 1, tps: rate }))], size);
    expect(axis).toMatchObject({ rateScale: 'log', tpsMin: 1000, tpsMax: 100_000 });
    const heights = curves[0]!.line.split('L').map((point) => Number(point.split(',')[1]));
    expect(Math.min(...heights)).toBe(0);
    // A stalled run is on the axis, and a doubling is still visible.
    expect(Math.max(...heights)).toBe(50);
    expect(heights).toContainEqual(expect.closeTo(50 * (1 - Math.log10(2) / 2), 2));
  });

  it('draws nothing where nothing ran', () => {
    expect(drawSparkline([[]], size)).toMatchObject({ tSMax: 0, tpsMax: 0 });
  });
});
