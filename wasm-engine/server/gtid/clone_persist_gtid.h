// Clone_persist_gtid: the thread that carries GTIDs from undo headers to mysql.gtid_executed (source:
// MySQL 8.0.21 clone0repl).
//
// Two lists, by list number & 1: sessions add to the active one, the persister writes the other. The numbers
// lie on one cache line, next to each other as in the server:
//
//   m_active_number         the list that takes GTIDs now; from 1
//   m_flush_number          all lists up to this one are in the table
//   m_flush_request_number  somebody waits for this one
//   m_num_gtid_mem          GTIDs in the active list
//
// A flush: under trx_sys->mutex the oldest transaction that is still committing is read and, if there are
// GTIDs, the lists are switched; without it the list is written in a transaction of its own; then
// m_flush_number is published.
//
// request_immediate_flush asks for the active list, or for the one before if no GTID is in memory. So a
// caller waits for whatever others have added a moment ago, even if its own GTID has been in the table for
// long.
//
// Invariants
//   1. A GTID is in undo, then in a list, then in the table, where it ends up exactly once.
//   2. It is added after it is in undo and before its transaction leaves the serialisation list; the oldest
//      transaction is read under the same hold of the mutex as the list switch.
//   3. Undo is not purged until its GTID is in the table: only below oldest_trx_no().
//   4. A prepare GTID is overwritten only after it was persisted, unless it has a slot of its own.
//   5. Recovery adds again what undo has and the table has not.
//   6. m_flush_number only grows, and is published after the write; at most two lists live.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "latch/mysql_mutex.h"
#include "latch/os_event.h"
#include "server/gtid/gtid_executed_table.h"
#include "server/gtid/trx_undo_gtid.h"

namespace latchscope::server::gtid {

// How a waiter waits: Clone_Sys::wait, or a condition variable.
enum class WaitKind : uint8_t { poll_1ms, spin, condition_variable };

class ClonePersistGtid {
 public:
  static constexpr uint64_t kGtidThreshold = 1'024;  // s_gtid_threshold: an addition beyond wakes the thread
  static constexpr uint32_t kCompressionThreshold = 50;   // s_compression_threshold, flushes
  static constexpr uint64_t kThreadWaitNs = 100'000'000;  // s_time_threshold
  static constexpr uint64_t kPollSleepNs = 1'000'000;
  static constexpr uint64_t kAlertPolls = 5'000;      // "5 seconds", counted in loops of 1 ms
  static constexpr uint64_t kTimeoutPolls = 300'000;  // "5 minutes"
  static constexpr uint64_t kEarlyTimeoutPolls = 1'000;
  static constexpr uint32_t kUtDelayUnits = 10;  // the report's ut_delay(10)

  // Names a step that a simulated crash may follow.
  using CrashProbe = std::function<void(const char* step)>;

  ClonePersistGtid(latch::LatchEnvironment& latches, TrxSys& trx_sys, GtidExecutedTable& table)
      : latches_(latches), trx_sys_(trx_sys), table_(table) {}

  // Returns the number of the list that took it.
  uint64_t add(TrxSys& trx_sys, uint64_t gno) REQUIRES(trx_sys.mutex);

  // Asks for an immediate flush and returns the list number to wait for.
  uint64_t request_immediate_flush(bool compress);
  // The same for a list whose number the caller knows.
  void request_flush_of(uint64_t list_number);
  bool check_flushed(uint64_t list_number) const { return numbers_.flush.load() >= list_number; }

  // XA COMMIT: waits until the list is in the table.
  void wait_for(uint64_t list_number, WaitKind kind);
  // wait_flush with early timeout, as rotation and purge call it: about a second at most.
  void wait_flush(bool compress);

  // The thread: flushes every 100 ms, or when asked, until request_stop().
  void run();
  void request_stop();
  // One round of the thread; for shutdown and tests.
  void flush_gtids();

  // Undo of transactions with a smaller number may be purged.
  uint64_t oldest_trx_no() const { return numbers_.gtid_trx_no.load(); }
  uint64_t flush_number() const { return numbers_.flush.load(); }
  uint64_t active_number() const;
  bool all_lists_are_empty();

  void set_crash_probe(CrashProbe probe) { crash_probe_ = std::move(probe); }
  void crash_may_follow(const char* step) {
    if (crash_probe_) crash_probe_(step);
  }

 private:
  bool flush_is_requested() const { return numbers_.flush_request.load() > numbers_.flush.load(); }
  void wait_thread(uint64_t list_number, WaitKind kind, uint64_t polls_max, bool counts_as_xa_wait);
  void clone_sys_wait(uint64_t list_number, WaitKind kind, uint64_t polls_max, bool counts_as_xa_wait);
  void wait_on_condition(uint64_t list_number);
  void publish_flushed(uint64_t list_number);
  void compress_if_due();

  latch::LatchEnvironment& latches_;
  TrxSys& trx_sys_;
  GtidExecutedTable& table_;
  latch::OsEvent event_;

  struct alignas(64) Numbers : platform::CacheLine {
    platform::Atomic<uint64_t> active{*this, 1};         // written under trx_sys->mutex
    platform::Atomic<uint64_t> flush{*this, 0};          // written by the persister
    platform::Atomic<uint64_t> flush_request{*this, 0};  // written under trx_sys->mutex
    platform::Atomic<uint64_t> num_gtid_mem{*this, 0};   // written under trx_sys->mutex
    platform::Atomic<uint64_t> gtid_trx_no{*this, 0};    // written by the persister
    platform::Atomic<uint32_t> compress{*this, 0};
    platform::Atomic<uint32_t> stop{*this, 0};
  };
  Numbers numbers_;
  // The active list is guarded by trx_sys->mutex, the other one belongs to the persister.
  std::vector<uint64_t> lists_[2];
  uint32_t flushes_since_compression_ = 0;

  latch::MysqlMutex flushed_mutex_;
  latch::MysqlCond flushed_cond_;
  CrashProbe crash_probe_;
};

}  // namespace latchscope::server::gtid
