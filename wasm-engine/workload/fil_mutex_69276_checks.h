// Checks of bug #69276: the mutex acquisitions of a block read, and the state that must survive
// dropping, growing and shrinking.
#pragma once

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "workload/checks.h"

namespace latchscope::workload {

struct ReadPathTotals {
  uint64_t acquisitions = 0;
  uint64_t leaf_reads = 0;
  uint64_t other_reads = 0;  // pages for which the change buffer has bits
  uint64_t no_ibuf_reads = 0;
  uint64_t read_ahead_checks = 0;
  uint64_t lost_races = 0;
  uint64_t refusals = 0;
  uint64_t ibuf_refusals = 0;
};

class FilMutexChecks final : public Checks<ReadPathTotals> {
 public:
  FilMutexChecks(const ScenarioManifest& manifest, server::fil::FilSystem& fil_system,
                 server::buf::BufPool& buffer_pool)
      : manifest_(manifest), fil_system_(fil_system), buffer_pool_(buffer_pool) {}

 private:
  ReadPathTotals totals() const override;
  void check_lock_path(const ReadPathTotals& phase) override;
  void check_end() override;

  const ScenarioManifest& manifest_;
  server::fil::FilSystem& fil_system_;
  server::buf::BufPool& buffer_pool_;
};

}  // namespace latchscope::workload
