import type { LessonPlace } from '../contract/lesson';

/** Titles of the places that a lesson points at. */
export const lessonPlaceTitles: Record<LessonPlace, string> = {
  design: 'lock design',
  tiles: 'metrics',
  throughput: 'throughput',
  latency: 'latency',
  time: 'client time',
  lanes: 'thread lanes',
  actions: 'actions',
  log: 'log',
  'evidence.latches': 'latches',
  'evidence.stacks': 'stacks',
  'evidence.blocked_stack': 'blocked threads',
  'evidence.cpu': 'CPU time',
  'evidence.sysbench': 'sysbench lines',
  'evidence.server_log': 'server log',
  'evidence.counters': 'counters',
  'evidence.flame': 'flame graph',
  'evidence.source': 'source',
  'evidence.reported': 'reported values',
  'evidence.chain': 'explanation',
  'chain.states': 'transaction states',
  'chain.whole': 'whole chain',
  result: 'whole run',
};
