/** Arguments of a run that is small enough for tests to start it many times. */
export const SMALL_RUN = [
  '--scenario',
  'fil-mutex-69276',
  '--threads',
  '2',
  '--param',
  'tables=1',
  '--param',
  'rows_per_table=1000',
];

/** A run that lasts until it is ended. */
export const ENDLESS = ['run', ...SMALL_RUN, '--seconds', '3600', '--report-interval', '0.1'];
/** Scans on the virtual server that take many seconds of real time. A run waits for them to end. */
export const LONG_TRANSACTIONS = [
  ...['run', '--scenario', 'undo-read-117533', '--threads', '384', '--seconds', '36'],
  ...['--param', 'rows=100000', '--param', 'buffer_pool_instances=1', '--param', 'buffer_pool_mib=128'],
  ...['--report-interval', '0.001'],
];
export const INTERVAL_LINE = /^\[ .*s \] thds: /m;
/** By this time each thread of LONG_TRANSACTIONS is in the middle of its scan. */
export const MANY_INTERVAL_LINES = { test: (text) => text.split(' thds: ').length > 30 };
