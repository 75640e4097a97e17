// Generated from wasm-engine/latch/latch_class.h by the build. Do not edit.
export const latch_classes = [
  { name: 'TTASEventMutex', words: ['lock_word', 'waiters', ] },
  { name: 'RwLock', words: ['lock_word', 'waiters', 'writer_thread', 'reader_thread', 'last_s_site', ] },
  { name: 'OsMutex', words: ['word', ] },
  { name: 'LabLatch', words: [] },
] as const;
export const rw_lock_x_lock_decr = 536870912;
