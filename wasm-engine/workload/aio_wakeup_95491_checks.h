// Checks of bug #95491: how often each thread acquires AIO::m_mutex and Fil_shard::m_mutex, and
// that no request is forgotten.
#pragma once

#include "server/aio/os_aio.h"
#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "workload/checks.h"

namespace latchscope::workload {

struct AioPathTotals {
  uint64_t reserve = 0, wake = 0, handler = 0, shard = 0;  // acquisitions
  uint64_t posted = 0, completed = 0, groups = 0, idle_rounds = 0, slot_waits = 0;
  uint64_t leaf_reads = 0, other_reads = 0, read_ahead_checks = 0, read_aheads = 0;
};

class AioWakeupChecks final : public Checks<AioPathTotals> {
 public:
  AioWakeupChecks(const ScenarioManifest& manifest, server::aio::OsAio& os_aio,
                  server::fil::FilSystem& fil_system, server::buf::BufPool& buffer_pool)
      : manifest_(manifest), os_aio_(os_aio), fil_system_(fil_system), buffer_pool_(buffer_pool) {}

  // Counts a drain in which the handlers became idle only after an extra wake-up.
  void note_forgotten_requests() { ++drains_with_forgotten_requests_; }

 private:
  AioPathTotals totals() const override;
  void check_lock_path(const AioPathTotals& phase) override;
  void check_end() override;
  // Returns true if the variant explains the number of acquisitions that wake handlers.
  bool woke_whom_it_should(const AioPathTotals& phase) const;
  void check_requests();
  void check_pages_and_rows();

  const ScenarioManifest& manifest_;
  server::aio::OsAio& os_aio_;
  server::fil::FilSystem& fil_system_;
  server::buf::BufPool& buffer_pool_;
  uint32_t drains_with_forgotten_requests_ = 0;
};

}  // namespace latchscope::workload
