// Describes the workloads that a reader can start with. Loads with the editor, as their sources do
// (templates.ts).
export interface TemplateName {
  id: string;
  /** The title that the source declares. */
  title: string;
  /** What it shows. */
  sentence: string;
}

export const templateNames: readonly TemplateName[] = [
  {
    id: 'one-mutex',
    title: 'One mutex',
    sentence: 'Every request takes it. Do less under it, and throughput rises.',
  },
  {
    id: 'readers-and-a-writer',
    title: 'Readers and a writer',
    sentence: 'Readers share a lock, and still wait for its cache line.',
  },
  {
    id: 'sharded-counter',
    title: 'Sharded counter',
    sentence: 'A statistics counter under one mutex, or under several.',
  },
  {
    id: 'connection-pool',
    title: 'Connection pool',
    sentence: 'A semaphore of 8 or 32 connections limits throughput.',
  },
  {
    id: 'nested-latch-convoy',
    title: 'Convoy under a nested latch',
    sentence: 'A wait for an inner latch stops all that need the outer one.',
  },
  {
    id: 'open-arrivals',
    title: 'Open arrivals',
    sentence: 'Requests come at their own rate, and queue for a latch that is almost always busy.',
  },
  {
    id: 'bounded-queue',
    title: 'Bounded queue',
    sentence: 'A slow writer fills its queue, and all requests wait for the disk.',
  },
  {
    id: 'group-commit',
    title: 'Group commit',
    sentence: 'One write to disk serves all that wait for it, led by the first.',
  },
  {
    id: 'thundering-herd',
    title: 'Thundering herd',
    sentence: 'Each connection wakes all workers, or one.',
  },
  {
    id: 'cache-stampede',
    title: 'Cache stampede',
    sentence: 'An entry expires, and every request asks the database, or one does.',
  },
  {
    id: 'false-sharing',
    title: 'False sharing',
    sentence: 'Counters of different threads disturb each other on one cache line.',
  },
  {
    id: 'mysql-72829',
    title: 'LOCK_grant: a read lock that bounces',
    sentence: 'MySQL bug #72829: every statement read-locks the grant tables.',
  },
];
