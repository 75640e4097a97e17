import { expect, test } from 'vitest';

import type { NotedEvent } from '../../contract/going-back';
import { eventInWords } from './branch-diff-view';

const event = (rest: Partial<NotedEvent>): NotedEvent => ({
  ...{ event: 1, run_ns: 0, thread: 'client 3', kind: 'goes_on' },
  ...rest,
});
const LATCH = 'buf_pool->mutex';

test.each([
  [event({ stack: ['row_search_mvcc', 'fil_io'] }), 'client 3 ends a unit of work, in fil_io'],
  [event({ thread: '' }), 'an unknown thread ends a unit of work'],
  [event({ kind: 'timer', thread: 'coordinator', stack: [] }), 'coordinator wakes by its timer'],
  [event({ kind: 'wakes' }), 'client 3 is woken'],
  [event({ kind: 'polls', latch: LATCH }), `client 3 spins on ${LATCH}`],
  [event({ kind: 'access' }), 'client 3 accesses a word'],
  [event({ kind: 'store' }), 'client 3 has a store take effect'],
  [
    event({ kind: 'store', latch: LATCH, word: 'lock_word' }),
    `client 3 has a store to lock_word of ${LATCH} take effect`,
  ],
  [
    event({ kind: 'access', latch: LATCH, access: 'read_modify_write', word: 'lock_word' }),
    `client 3 changes lock_word of ${LATCH}`,
  ],
  [
    event({ kind: 'access', latch: LATCH, access: 'failed_compare_exchange' }),
    `client 3 fails to change ${LATCH}`,
  ],
])('%j', (noted, words) => {
  expect(eventInWords(noted)).toBe(words);
});
