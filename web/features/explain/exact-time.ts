// Formats exact times like the command line. Picoseconds fit a double up to an hour and a half of
// run time.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Formats picoseconds, such as 574,152.343600 µs. */
export const formatExact = (ps: number): string =>
  `${whole.format(Math.floor(ps / 1e6))}.${String(ps % 1e6).padStart(6, '0')} µs`;
