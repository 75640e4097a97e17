import type { LabProgram } from './latch-program.ts';
import type { WorkloadProgram } from './workload-program.ts';

/** A workload as the compiler writes it: two knobs, a parameter, and two latches. */
export const grant_program: WorkloadProgram = {
  title: 'LOCK_grant: a read lock that bounces',
  unit: 'statements',
  parameters: [
    {
      id: 'statement',
      title: 'CPU time of a statement',
      ...{ unit: 'us', scale: 1_000_000, min: 1, max: 10_000, default: 40 },
    },
  ],
  knobs: [
    {
      id: 'grant_lock',
      question: 'How does a statement protect the grant tables?',
      variants: [
        { id: 'one_rw_lock', origin: 'MySQL 5.6', kind: { kind: 'innodb_rw_lock' } },
        { id: 'partitioned', origin: 'MySQL 5.7', kind: { kind: 'sharded_rw_lock', size: 32 } },
      ],
    },
    {
      id: 'pages',
      question: 'pages',
      variants: [
        { id: 'few', origin: '', value: 1 },
        { id: 'many', origin: '', value: 8 },
      ],
    },
  ],
  designs: [
    { id: 'original', variants: [0, 0] },
    { id: 'fixed', variants: [1, 1] },
  ],
  latches: [
    { name: 'LOCK_grant', elements: 1, knob: 0, source_line: 8 },
    { name: 'LOCK_open', elements: 1, kind: { kind: 'innodb_mutex' }, source_line: 9 },
  ],
  groups: [
    { name: 'flusher', threads: 1, has_transaction: false, code: [0, 1] },
    { name: 'client', threads: 200, has_transaction: true, code: [1, 2] },
  ],
  names: ['check_grant'],
  holds: [{ latch: 0, shared: true, site: 0 }],
  registers: 4,
  constants: [],
  code: [0, 0, 0, 0],
  source_lines: [12, 14],
};

/** A latch in the latch language. */
export const lab_program: LabProgram = {
  words: [],
  registers: 2,
  functions: { enter: [0, 1], exit: [1, 2] },
  code: [22, 0, 22, 0],
  source_lines: [3, 4],
};

/** A workload with nothing to choose. */
export const plain_program: WorkloadProgram = {
  ...grant_program,
  title: 'one mutex',
  unit: 'transactions',
  parameters: [],
  knobs: [],
  designs: [{ id: 'original', variants: [] }],
  latches: [{ name: 'm', elements: 1, kind: { kind: 'pthread_mutex' }, source_line: 2 }],
};
