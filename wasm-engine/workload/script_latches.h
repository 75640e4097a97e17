// The latches of a workload file: one interface to all kinds that it can name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lab/your_latch.h"
#include "latch/latch_environment.h"
#include "telemetry/telemetry.h"
#include "workload/script_program.h"

namespace latchscope::workload {

class LatchOfScript {
 public:
  virtual ~LatchOfScript() = default;

  // Take the latch. They return a key, with which the same thread releases it. try_enter returns
  // nothing if the latch is not free.
  // REQUIRES: !is_shared || can_be_shared()
  virtual uint32_t enter(const telemetry::LatchSite& site, bool is_shared) = 0;
  virtual std::optional<uint32_t> try_enter(const telemetry::LatchSite& site, bool is_shared) = 0;
  virtual void leave(uint32_t key, bool is_shared) = 0;

  // Returns how many acquisitions one call of enter counts.
  virtual uint32_t acquisitions(bool is_shared) const = 0;
  virtual bool can_be_shared() const { return false; }
  // Returns whether a thread may take it although it holds it.
  virtual bool can_be_taken_again() const = 0;
  // REQUIRES: no thread takes or releases it meanwhile.
  virtual bool is_free() const = 0;
};

// `place`: of a lab_latch; otherwise null.
std::unique_ptr<LatchOfScript> make_latch(const ScriptKind& kind, latch::LatchEnvironment& environment,
                                          lab::LatchPlace* place);

}  // namespace latchscope::workload
