// The mutexes of a buffer pool instance: the knob `buffer_pool_mutex`.
//
//   variant         latches                                    versions
//   one_mutex       buf_pool->mutex guards both lists          MySQL 5.6 (counted in 5.6.24), 5.7
//   split_mutexes   LRU_list_mutex, free_list_mutex            MySQL 8.0 to 9.7 (counted in 9.7.4)
//
// Latches acquired to read one page when no frame is free, so that the client itself evicts a page.
// M = buf_pool->mutex, L = LRU_list_mutex, F = free_list_mutex, X and S = page-hash cell, log =
// log_sys->mutex:
//
//   step                                                         one_mutex   split_mutexes
//   buf_page_get_gen, the second lookup                          S           S
//   buf_LRU_get_free_block: no frame is free                     M           F
//     evict the oldest page                                      same M, X   L, X
//     put its frame into the free list                           M           F
//     take the frame from the free list                          M           F
//   buf_page_init_for_read                                       M, X        L, X
//   buf_page_io_complete: is the page corrupt (log_peek_lsn)     log         -
//     the bits of the change buffer's bitmap page                S           S
//     the read ends                                              M           -
//   total                                                        5 M         2 L, 3 F
//                                                                4 (X, S)    4 (X, S)
//
// Additional acquisitions:
//   - Linear read-ahead checks an area when one of its two border pages was read (M in 5.6, and
//     about ten S).
//   - Pages far down the LRU list are made young (M or L).
//   - The page cleaner evicts some pages (M or L).
//
// Counted on servers, in addition to a select in memory:
//    5.6.24: M 5.26, page hash 4.34 to 4.65, log 1.00
//    9.7.4: L 2.14, F 3.00, page hash 4.31
// The engine acquires the page hash 4.19 to 4.26 times in the same experiment.
#pragma once

#include <cstdint>

#include "latch/ttas_event_mutex.h"

namespace latchscope::server::buf {

enum class PoolMutexVariant : uint8_t { one_mutex, split_mutexes };

// A function that acquires a mutex of the buffer pool: one latch site per variant.
struct PoolSite {
  PoolSite(const char* function_of_5_6, const char* latch, const char* function)
      : one("buf_pool->mutex", function_of_5_6), split(latch, function) {}
  const telemetry::LatchSite one, split;
};
struct LruSite : PoolSite {
  explicit LruSite(const char* function) : LruSite(function, function) {}
  LruSite(const char* function_of_5_6, const char* function)
      : PoolSite(function_of_5_6, "buf_pool->LRU_list_mutex", function) {}
};
struct FreeSite : PoolSite {
  FreeSite(const char* function_of_5_6, const char* function)
      : PoolSite(function_of_5_6, "buf_pool->free_list_mutex", function) {}
};

// The mutex that guards a list: its own, or that of the whole instance. Under one_mutex both lists
// have the same mutex, so a thread must not enter one while it holds the other.
class CAPABILITY("mutex") PoolListMutex {
 public:
  PoolListMutex(latch::LatchEnvironment& latches, latch::TTASEventMutex& mutex_of_instance)
      : own_(latches), of_instance_(mutex_of_instance) {}
  PoolListMutex(const PoolListMutex&) = delete;
  PoolListMutex& operator=(const PoolListMutex&) = delete;

  void enter(const PoolSite& site) ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
    if (is_shared_) {
      of_instance_.enter(site.one);
    } else {
      own_.enter(site.split);
    }
  }
  void exit() RELEASE() NO_THREAD_SAFETY_ANALYSIS { (is_shared_ ? of_instance_ : own_).exit(); }

  // REQUIRES: no thread holds the mutex.
  void use(PoolMutexVariant variant) { is_shared_ = variant == PoolMutexVariant::one_mutex; }
  // REQUIRES: the caller holds the mutex of the instance, which also guards this list.
  void assert_shared() const ASSERT_CAPABILITY(this) {
    LATCHSCOPE_ASSERT(is_shared_, "one mutex guards both lists only under one_mutex");
  }

 private:
  bool is_shared_ = false;
  latch::TTASEventMutex own_;
  latch::TTASEventMutex& of_instance_;
};

class SCOPED_CAPABILITY PoolListGuard {
 public:
  PoolListGuard(PoolListMutex& mutex, const PoolSite& site) ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.enter(site);
  }
  ~PoolListGuard() RELEASE() { mutex_.exit(); }
  PoolListGuard(const PoolListGuard&) = delete;
  PoolListGuard& operator=(const PoolListGuard&) = delete;

 private:
  PoolListMutex& mutex_;
};

}  // namespace latchscope::server::buf
