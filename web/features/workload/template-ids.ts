/** The workloads that a reader can start with. Loads with the page, unlike their names. */
export const templateIds: readonly string[] = [
  'one-mutex',
  'readers-and-a-writer',
  'sharded-counter',
  'connection-pool',
  'nested-latch-convoy',
  'false-sharing',
  'mysql-72829',
];

export const FIRST_TEMPLATE = templateIds[0]!;
