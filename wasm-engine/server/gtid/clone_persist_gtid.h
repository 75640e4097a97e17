// Clone_persist_gtid: the persister, the thread that copies GTIDs from undo headers to
// mysql.gtid_executed. Source: MySQL 8.0.21 clone0repl.
//
// There are two lists, selected by list number & 1: sessions add to the active list while the
// persister writes the other. The numbers are adjacent on one cache line, as in the server:
//
//    m_active_number         the list that accepts GTIDs now; from 1
//    m_flush_number          all lists up to this one are in the table
//    m_flush_request_number  a thread waits for this list
//    m_num_gtid_mem          GTIDs in the active list
//
// A flush reads the number of the oldest committing transaction under trx_sys->mutex and, if there
// are GTIDs, switches the lists. It then releases the mutex, writes the list in its own
// transaction, and publishes m_flush_number.
//
// request_immediate_flush requests the active list, or the previous one if no GTID is in memory. A
// caller therefore waits for GTIDs that others have just added, even if its own GTID has been in
// the table for a long time.
//
// Invariants
//   1. A GTID is in undo, then in a list, then in the table, where it is stored exactly once.
//   2. A GTID is added to a list after it is in undo and before its transaction leaves the
//      serialisation list. The oldest transaction is read in the critical section that switches the
//      lists.
//   3. Undo is not purged until its GTID is in the table: only below oldest_trx_no().
//   4. A prepare GTID is overwritten only after it was persisted, unless it has its own slot.
//   5. Recovery adds again the GTIDs that are in undo but not in the table.
//   6. m_flush_number only grows, and is published after the write. At most two lists exist.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "latch/mysql_mutex.h"
#include "latch/os_event.h"
#include "server/gtid/gtid_executed_table.h"
#include "server/gtid/trx_undo_gtid.h"

namespace latchscope::server::gtid {

// How a thread waits for a flush: Clone_Sys::wait, or a condition variable.
enum class WaitKind : uint8_t { poll_1ms, spin, condition_variable };

class ClonePersistGtid {
 public:
  // s_gtid_threshold: adding a GTID wakes the persister from this many on.
  static constexpr uint64_t kGtidThreshold = 1'024;
  static constexpr uint32_t kCompressionThreshold = 50;   // s_compression_threshold, in flushes
  static constexpr uint64_t kThreadWaitNs = 100'000'000;  // s_time_threshold
  static constexpr uint64_t kPollSleepNs = 1'000'000;
  static constexpr uint64_t kAlertPolls = 5'000;      // "5 seconds", counted in 1 ms polls
  static constexpr uint64_t kTimeoutPolls = 300'000;  // "5 minutes"
  static constexpr uint64_t kEarlyTimeoutPolls = 1'000;
  static constexpr uint32_t kUtDelayUnits = 10;  // ut_delay(10) of the bug report

  // Receives the name of a step after which a crash may be simulated.
  using CrashProbe = std::function<void(const char* step)>;

  ClonePersistGtid(latch::LatchEnvironment& latches, TrxSys& trx_sys, GtidExecutedTable& table)
      : latches_(latches), trx_sys_(trx_sys), table_(table) {}

  // Adds a GTID and returns the number of the list it was added to.
  uint64_t add(TrxSys& trx_sys, uint64_t gno) REQUIRES(trx_sys.mutex);

  // Requests an immediate flush and returns the list number to wait for.
  uint64_t request_immediate_flush(bool compress);
  // Requests an immediate flush of a list whose number the caller knows.
  void request_flush_of(uint64_t list_number);
  bool check_flushed(uint64_t list_number) const { return numbers_.flush.load() >= list_number; }

  // Called by XA COMMIT. Blocks until the list is in the table.
  void wait_for(uint64_t list_number, WaitKind kind);
  // wait_flush with early timeout, as called by rotation and purge. Blocks for about a second at
  // most.
  void wait_flush(bool compress);

  // Thread body: flushes every 100 ms, or on request, until request_stop().
  void run();
  void request_stop();
  // Runs one round of the thread; also used at shutdown and by tests.
  void flush_gtids();

  // Returns a limit: undo of transactions with a smaller number may be purged.
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
  // trx_sys->mutex guards the active list. The persister owns the other one.
  std::vector<uint64_t> lists_[2];
  uint32_t flushes_since_compression_ = 0;

  latch::MysqlMutex flushed_mutex_;
  latch::MysqlCond flushed_cond_;
  CrashProbe crash_probe_;
};

}  // namespace latchscope::server::gtid
