// Checks of bug #117533: the latches acquired to reach an undo record. No reader may miss history,
// no row may be wrong, and every undo page and purge latch must be accounted for.
#pragma once

#include "workload/checks.h"
#include "workload/undo_read_117533_server.h"

namespace latchscope::workload {

// Latches acquired to reach undo records, and the operations that acquired them.
struct UndoReadTotals {
  uint64_t undo_reads = 0;
  uint64_t refused = 0;
  uint64_t purge_latch_s = 0;
  uint64_t end_latch_s = 0;
  uint64_t shard_mutex = 0;
  uint64_t shard_rw_lock_s = 0;
  uint64_t undo_page_s = 0;
  uint64_t purge_batches = 0;
  uint64_t purge_latch_x = 0;
};

class UndoReadChecks final : public Checks<UndoReadTotals> {
 public:
  UndoReadChecks(const ScenarioManifest& manifest, UndoReadServer& server)
      : manifest_(manifest), server_(server) {}

 private:
  UndoReadTotals totals() const override;
  void check_lock_path(const UndoReadTotals& phase) override;
  void check_end() override;

  void expect_count(const std::string& what, uint64_t count, uint64_t expected_min, uint64_t expected_max,
                    const std::string& of);
  void check_reads();
  void check_purge();
  void check_what_is_left();
  std::string verify_table();
  std::string verify_space_ids();
  std::string probe_purged_history();

  const ScenarioManifest& manifest_;
  UndoReadServer& server_;
};

}  // namespace latchscope::workload
