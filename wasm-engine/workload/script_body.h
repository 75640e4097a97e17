// A body of a workload file on its thread, and what the bodies of a run share.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/lab_latch.h"
#include "lab/your_latch.h"
#include "latch/latch_environment.h"
#include "telemetry/telemetry.h"
#include "workload/client_gate.h"
#include "workload/script_interpreter.h"
#include "workload/script_latches.h"
#include "workload/script_program.h"
#include "workload/workload.h"

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
  ScriptWorld(const WorkloadConfig& config, uint32_t threads);

  const ScriptProgram& program() const { return program_; }
  const ScriptConditions& conditions() const { return conditions_; }
  uint32_t clients() const { return clients_; }
  uint32_t threads() const { return static_cast<uint32_t>(acquisitions_.size()); }
  uint64_t seed() const { return seed_; }

  // REQUIRES (all): no body runs.
  // Builds all words and latches.
  void use(const std::vector<uint32_t>& design);
  // Builds the latches whose kind the knob selects, and places the words whose lines it selects.
  void set_knob(uint32_t knob, uint32_t variant);

  // Returns null if there are not so many latches of this name.
  LatchOfScript* latch(uint32_t name, uint64_t index) const {
    const auto& latches = latches_[name];
    return index < latches.size() ? latches[static_cast<size_t>(index)].get() : nullptr;
  }
  ScriptKind kind_of(uint32_t name) const;
  // Returns null if the word has not so many elements.
  lab::LatchWords::Word* word(uint32_t number, uint64_t element) {
    lab::LatchWords& words = words_->words;
    return element < words.elements_of(number) ? &words.at(number, static_cast<uint32_t>(element)) : nullptr;
  }
  // Returns the site at which an instruction sleeps, and the number of a word on which threads sleep.
  const telemetry::LatchSite& event_site(const ScriptInstruction& at) const {
    return *event_sites_[place_of(at.word(), at.site())];
  }
  uint32_t event(uint32_t word, uint64_t element) const {
    return events_[word][static_cast<size_t>(element)];
  }
  platform::Device& device(uint32_t number) { return devices_[number]; }
  // Wakes all threads that sleep on a word, which they may be for no reason.
  void wake_sleepers();
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

  // Returns when the next request of the clients arrives, on the clock of arrivals, and moves on to
  // the one after it. Any thread.
  uint64_t take_arrival(uint64_t interval_ps, bool is_exponential);
  // Returns the time on the clock of arrivals, which stops with the clients.
  uint64_t arrivals_ps() const { return platform::now_ps() - stood_still_ps_.read(); }
  // REQUIRES: the clients stand still.
  void stood_still(uint64_t duration_ps) { stood_still_ps_.set(stood_still_ps_.read() + duration_ps); }

  // The instruction at which a thread was last, for messages.
  void note_place(uint32_t thread, const ScriptInstruction& at) {
    places_[thread - 1].set(static_cast<uint32_t>(&at - program_.code.data()));
  }
  uint32_t line_of(uint32_t thread) const { return program_.source_lines[places_[thread - 1].read()]; }
  // Returns such as "client 3".
  std::string name_of(uint32_t thread) const;

  // Any thread may report why it cannot continue; the first report is kept.
  void report(const ScriptTrouble& trouble);
  // Reports a thread that is not parked. Prefers threads that wait for no latch.
  void report_slowest();
  // Returns it as a sentence, or "".
  std::string trouble() const;
  // Watches the latches that are written in the lab's language. Coordinator only, every few
  // milliseconds.
  void watch_latches();

  // From now on each body ends at its next instruction with an effect.
  void cut() { cut_.set_release(1); }
  bool is_cut() const { return cut_.read_acquire() != 0; }
  void note_cut(uint32_t thread) { cut_in_[thread - 1].set(1); }
  // Returns as a sentence which transactions were cut, or "".
  // REQUIRES: no thread runs.
  std::string what_was_cut() const;
  // Returns such as "client 3 waited for jobs in line 12".
  std::string where_was(uint32_t thread) const;

  // Whether the engine waits until all clients have stopped.
  void awaits_clients(bool does) { awaits_clients_.set_release(does ? 1 : 0); }
  bool awaits_clients() const { return awaits_clients_.read_acquire() != 0; }

 private:
  void take_variant(uint32_t knob, uint32_t variant);
  void build(uint32_t name);
  void build_words();
  size_t place_of(uint32_t word, uint32_t site) const { return word * program_.names.size() + site; }

  struct Words {
    Words(std::vector<lab::WordDeclaration> placed, uint32_t threads)
        : declared(std::move(placed)), words(declared, threads, {}) {}

    const std::vector<lab::WordDeclaration> declared;
    lab::LatchWords words;
  };

  static constexpr uint32_t kNone = 0, kIsBeingReported = 1, kIsKnown = 2;

  const ScriptProgram& program_;
  const uint32_t clients_;
  const uint64_t seed_;
  latch::LatchEnvironment environment_;
  ScriptConditions conditions_;
  std::unique_ptr<Words> words_;
  std::vector<std::optional<telemetry::LatchSite>> event_sites_;  // where threads sleep
  std::vector<std::vector<uint32_t>> events_;                     // by word and element
  std::deque<platform::Device> devices_;
  std::vector<std::unique_ptr<lab::LatchPlace>> kinds_;               // by kind of the program
  std::vector<std::vector<std::unique_ptr<LatchOfScript>>> latches_;  // by name
  std::vector<telemetry::LatchSite> sites_;                           // by hold
  std::vector<telemetry::Function> parts_;                            // by name
  std::vector<telemetry::Function> groups_;
  std::unique_ptr<platform::Published<uint32_t>[]> places_;  // instruction, by thread
  std::unique_ptr<platform::Published<uint32_t>[]> cut_in_;  // 1 if cut in a transaction, by thread
  platform::Published<uint32_t> awaits_clients_;
  std::vector<std::vector<uint64_t>> acquisitions_;  // by thread and hold
  platform::Published<uint32_t> arrivals_are_locked_;
  platform::Random arrivals_;
  std::optional<uint64_t> last_arrival_ps_;
  platform::Published<uint64_t> stood_still_ps_;
  platform::Published<uint32_t> cut_;
  platform::Published<uint32_t> reported_;
  std::string stopped_latch_;  // why
  ScriptTrouble trouble_;      // written once, before reported_ is kIsKnown
};

class ScriptBody {
 public:
  // `thread`: its number over all threads, from 1. `index`: its place in the group.
  ScriptBody(ScriptWorld& world, uint32_t group, uint32_t index, uint32_t thread);

  // Runs on, behind the next instruction with this operation. Returns false if the body has ended
  // for good, or the gate was closed for good. A body that waits stops at a closed gate.
  bool run_through(ScriptOp last, ClientGate& gate);
  bool is_over() const { return is_over_; }
  bool is_at_transaction() const { return world_.program().code[pc_].op == ScriptOp::transaction_begin; }
  // Returns when the request of the next transaction arrived, or 0.
  uint64_t arrived_ps() const { return arrived_ps_; }

 private:
  struct Held {
    LatchOfScript* latch;
    uint32_t key;
    bool is_shared;
    uint32_t hold;
    uint64_t index;
  };

  bool perform(const ScriptInstruction& at, ClientGate& gate);
  bool may_go_on(ClientGate& gate);
  bool work(uint64_t duration_ps);
  bool io(platform::Device& device, uint64_t bytes);
  bool sleep(uint64_t duration_ps, ClientGate& gate, bool has_slack);
  bool arrive(uint64_t interval_ps, bool is_exponential, ClientGate& gate);
  bool access(const ScriptInstruction& at, ClientGate& gate);
  bool wait(const ScriptInstruction& at, const lab::LatchWords::Word& word, ClientGate& gate);
  void sleep_on(const ScriptInstruction& at, const lab::LatchWords::Word& word, uint32_t expected);
  uint64_t index_of(const ScriptInstruction& at) const {
    return at.index() == kScriptNoIndex ? 0 : registers_[at.index()];
  }
  void is_led_by(uint64_t leader);
  void end_transaction();
  bool enter(const ScriptInstruction& at);
  bool try_enter(const ScriptInstruction& at);
  LatchOfScript* latch_of(const ScriptInstruction& at);
  bool shares(const LatchOfScript& latch, uint32_t hold) const;
  void enter(LatchOfScript& latch, uint32_t hold, uint64_t index);
  void holds(const Held& held);
  void leave();
  void begin_again();
  bool stop_for(ScriptWrong wrong);
  bool end();
  bool look();

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
  uint32_t looks_awaited_ = 0;
  uint64_t arrived_ps_ = 0;
  bool is_in_transaction_ = false;
  bool is_led_ = false;
  bool is_over_ = false;
};

// Runs the body that checks a run at its end. Returns each of its checks as an invariant.
std::vector<Invariant> check_at_end(ScriptWorld& world);

// Threads that wait for each other for good, as far as telemetry knows holders and waiters.
struct ScriptDeadlock {
  std::vector<uint32_t> threads;  // with their latches: thread, latch, thread, latch, ...
  std::string text;
};
ScriptDeadlock find_deadlock(const ScriptWorld& world);

}  // namespace latchscope::workload
