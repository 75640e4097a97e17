// A body of a workload file on its thread, and what the bodies of a run share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/lab_latch.h"
#include "latch/latch_environment.h"
#include "telemetry/telemetry.h"
#include "workload/client_gate.h"
#include "workload/script_interpreter.h"
#include "workload/script_latches.h"
#include "workload/script_program.h"

namespace latchscope::workload {

// Returns the generator of a repetition of a body.
platform::Random random_of(uint64_t seed, uint32_t group, uint32_t index, uint64_t repetition);

// Why the threads of a run had to stop.
struct ScriptTrouble {
  ScriptWrong wrong = ScriptWrong::nothing;
  uint32_t thread = 0;  // from 1
  uint32_t source_line = 0;
};

// Latches, names and conditions of a run.
class ScriptWorld {
 public:
  ScriptWorld(const ScriptProgram& program, uint32_t clients, uint64_t seed, uint32_t threads);

  const ScriptProgram& program() const { return program_; }
  const ScriptConditions& conditions() const { return conditions_; }
  uint32_t clients() const { return clients_; }
  uint32_t threads() const { return static_cast<uint32_t>(acquisitions_.size()); }
  uint64_t seed() const { return seed_; }

  // REQUIRES (all): no body runs.
  void set_parameters(std::vector<uint64_t> values) { conditions_.parameters = std::move(values); }
  // Builds all latches.
  void use(const std::vector<uint32_t>& design);
  // Builds the latches whose kind the knob selects.
  void set_knob(uint32_t knob, uint32_t variant);

  // Returns null if there are not so many latches of this name.
  LatchOfScript* latch(uint32_t name, uint64_t index) const {
    const auto& latches = latches_[name];
    return index < latches.size() ? latches[static_cast<size_t>(index)].get() : nullptr;
  }
  ScriptKind kind_of(uint32_t name) const;
  // Returns null if the word has not so many elements.
  lab::LatchWords::Word* word(uint32_t number, uint64_t element) {
    return element < words_.elements_of(number) ? &words_.at(number, static_cast<uint32_t>(element))
                                                : nullptr;
  }
  const telemetry::LatchSite& site(uint32_t hold) const { return sites_[hold]; }
  // Returns a hold of this latch site, or -1.
  int32_t hold_of_site(uint32_t site) const;
  const telemetry::Function& part(uint32_t name) const { return parts_[name]; }
  const telemetry::Function& group(uint32_t number) const { return groups_[number]; }
  // Returns the name of the first latch that is not free, or "".
  std::string first_held() const;

  // Returns the acquisitions that the latches should have counted for a thread, by hold. Written
  // by the thread alone.
  std::vector<uint64_t>& acquisitions(uint32_t thread) { return acquisitions_[thread - 1]; }
  const std::vector<std::vector<uint64_t>>& acquisitions() const { return acquisitions_; }

  // The instruction at which a thread was last, for messages.
  void note_place(uint32_t thread, const ScriptInstruction& at) {
    places_[thread - 1].set(static_cast<uint32_t>(&at - program_.code.data()));
  }
  uint32_t line_of(uint32_t thread) const { return program_.source_lines[places_[thread - 1].read()]; }
  // Returns such as "client 3".
  std::string name_of(uint32_t thread) const;

  // Any thread may report why it cannot continue; the first report is kept.
  void report(const ScriptTrouble& trouble);
  // Reports a thread that is not parked.
  void report_slowest();
  // Returns it as a sentence, or "".
  std::string trouble() const;

  // From now on each body ends at its next instruction with an effect.
  void cut() { cut_.set_release(1); }
  bool is_cut() const { return cut_.read_acquire() != 0; }

 private:
  void take_variant(uint32_t knob, uint32_t variant);
  void build(uint32_t name);

  static constexpr uint32_t kNone = 0, kIsBeingReported = 1, kIsKnown = 2;

  const ScriptProgram& program_;
  const uint32_t clients_;
  const uint64_t seed_;
  latch::LatchEnvironment environment_;
  ScriptConditions conditions_;
  lab::LatchWords words_;
  std::vector<std::vector<std::unique_ptr<LatchOfScript>>> latches_;  // by name
  std::vector<telemetry::LatchSite> sites_;                           // by hold
  std::vector<telemetry::Function> parts_;                            // by name
  std::vector<telemetry::Function> groups_;
  std::unique_ptr<platform::Published<uint32_t>[]> places_;  // instruction, by thread
  std::vector<std::vector<uint64_t>> acquisitions_;          // by thread and hold
  platform::Published<uint32_t> cut_;
  platform::Published<uint32_t> reported_;
  ScriptTrouble trouble_;  // written once, before reported_ is kIsKnown
};

class ScriptBody {
 public:
  // `thread`: its number over all threads, from 1. `index`: its place in the group.
  ScriptBody(ScriptWorld& world, uint32_t group, uint32_t index, uint32_t thread);

  // Runs on, behind the next instruction with this operation. Returns false if the body has ended
  // for good, or the gate was closed for good. `gate`: the gate at which a think waits; null inside a
  // transaction.
  bool run_through(ScriptOp last, ClientGate* gate);
  bool is_over() const { return is_over_; }

 private:
  struct Held {
    LatchOfScript* latch;
    uint32_t key;
    bool is_shared;
  };

  bool perform(const ScriptInstruction& at, ClientGate* gate);
  bool work(uint64_t duration_ps);
  bool sleep(uint64_t duration_ps, ClientGate* gate, bool has_slack);
  bool access(const ScriptInstruction& at);
  bool enter(const ScriptInstruction& at);
  bool try_enter(const ScriptInstruction& at);
  LatchOfScript* latch_of(const ScriptInstruction& at);
  void holds(LatchOfScript& latch, uint32_t hold, uint32_t key);
  void leave();
  void begin_again();
  bool stop_for(ScriptWrong wrong);
  bool end();
  bool advances_in_time();

  ScriptWorld& world_;
  const uint32_t group_;
  const uint32_t index_;
  const uint32_t thread_;
  const telemetry::Frame frame_;
  uint64_t repetition_ = 0;
  platform::Random random_;
  ScriptRegisters registers_;
  uint32_t pc_;
  std::array<Held, kScriptHeldMax> held_;
  uint32_t held_count_ = 0;
  uint32_t frames_ = 0;
  std::vector<uint64_t>& acquisitions_;  // by hold
  uint32_t effects_until_look_;
  uint64_t looked_ps_ = 0;
  uint32_t looks_at_one_time_ = 0;
  bool is_over_ = false;
};

// Threads that wait for each other for good, as far as telemetry knows holders and waiters.
struct ScriptDeadlock {
  std::vector<uint32_t> threads;  // with their latches: thread, latch, thread, latch, ...
  std::string text;
};
ScriptDeadlock find_deadlock(const ScriptWorld& world);

}  // namespace latchscope::workload
