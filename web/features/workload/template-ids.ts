/** The workloads that a reader can start with. Loads with the page, unlike their names. */
export const templateIds: readonly string[] = [
  'one-mutex',
  'readers-and-a-writer',
  'sharded-counter',
  'connection-pool',
  'nested-latch-convoy',
  'open-arrivals',
  'bounded-queue',
  'group-commit',
  'thundering-herd',
  'cache-stampede',
  'false-sharing',
  'mysql-72829',
];

export const FIRST_TEMPLATE = templateIds[0]!;

/** Public reports that workload files model (scenarios/more-reports/). */
export const reportIds: readonly string[] = [
  'rollback-segments',
  'statistics-658',
  'trx-sys-90643',
  'read-view-119285',
  'lock-grant-72829',
  'condition-cache-80247',
  'swap-lock',
  'cpupri-line',
  'go-rwmutex-17973',
  'go-mutex-13086',
  'procarray-lock',
  'drop-table-51325',
];

/** What a link may name instead of a source. */
export const linkedIds = [...templateIds, ...reportIds];
