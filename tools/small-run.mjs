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
