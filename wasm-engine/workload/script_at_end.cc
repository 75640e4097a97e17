#include <algorithm>
#include <map>

#include "workload/script_body.h"

namespace latchscope::workload {

namespace {

// The checks of the body: each is an invariant. Several in one line are one.
class AtEnd {
 public:
  AtEnd(ScriptWorld& world, const ScriptGroup& group)
      : world_(world), program_(world.program()), pc_(group.begin) {
    registers_[kScriptThreads] = world.clients();
    for (uint32_t place = group.begin; place < group.end; ++place) {
      if (program_.code[place].op == ScriptOp::check) details_[program_.source_lines[place]];
    }
  }

  std::vector<Invariant> checks() {
    while (runs_on()) {
    }
    std::vector<Invariant> invariants;
    invariants.reserve(details_.size());
    for (const auto& [line, detail] : details_)
      invariants.push_back({"line " + std::to_string(line) + " at the end", detail.empty(), detail});
    return invariants;
  }

 private:
  // Returns false at the end of the body.
  bool runs_on() {
    const ScriptStop stop = run_until_effect(program_, world_.conditions(), random_, pc_, registers_);
    if (stop.wrong == ScriptWrong::check_failed) return fails(*stop.at, "its check failed");
    if (stop.wrong != ScriptWrong::nothing) return !fails(*stop.at, describe(stop.wrong));
    switch (stop.at->op) {
      case ScriptOp::counted:
        registers_[stop.at->target] = counted(stop.at->immediate);
        return true;
      case ScriptOp::load:
        return load(*stop.at);
      default:
        return false;
    }
  }

  bool fails(const ScriptInstruction& at, std::string detail) {
    details_[program_.source_lines[static_cast<size_t>(&at - program_.code.data())]] = std::move(detail);
    return true;
  }

  bool load(const ScriptInstruction& at) {
    const uint64_t element = at.index() == kScriptNoIndex ? 0 : registers_[at.index()];
    lab::LatchWords::Word* word = world_.word(at.word(), element);
    if (word == nullptr) return !fails(at, describe(ScriptWrong::no_such_word));
    registers_[at.target] = word->load();
    return true;
  }

  static uint64_t counted(uint32_t counter) {
    return counter == 0 ? telemetry::counter_total(telemetry::Counter::transactions)
                        : telemetry::counter_of_script(counter - 1);
  }

  ScriptWorld& world_;
  const ScriptProgram& program_;
  platform::Random random_{0};
  ScriptRegisters registers_;
  uint32_t pc_;
  std::map<uint32_t, std::string> details_;  // by source line; empty: the check holds
};

}  // namespace

std::vector<Invariant> check_at_end(ScriptWorld& world) {
  const auto& groups = world.program().groups;
  const auto group = std::ranges::find(groups, ScriptRuns::at_end, &ScriptGroup::runs);
  if (group == groups.end()) return {};
  // What a cut has left half done need not fit together.
  if (world.is_cut()) return {};
  return AtEnd(world, *group).checks();
}

}  // namespace latchscope::workload
