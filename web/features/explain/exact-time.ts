// Exact times, as the command line writes them. Picoseconds of a run fit a double for an hour and a half of run time.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Picoseconds as 574,152.343600 µs */
export const formatExact = (ps: number): string =>
  `${whole.format(Math.floor(ps / 1e6))}.${String(ps % 1e6).padStart(6, '0')} µs`;
