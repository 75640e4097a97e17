#include <algorithm>

#include "workload/script_body.h"

namespace latchscope::workload {

ScriptWorld::ScriptWorld(const ScriptProgram& program, uint32_t clients, uint64_t seed, uint32_t threads)
    : program_(program),
      clients_(clients),
      seed_(seed),
      environment_(threads),
      words_(program.words, threads, platform::LatchLine{}),
      places_(std::make_unique<platform::Published<uint32_t>[]>(threads)),
      acquisitions_(threads, std::vector<uint64_t>(program.holds.size())) {
  conditions_.variants.assign(program.knobs.size(), 0);
  conditions_.knob_values.assign(program.knobs.size(), 0);
  latches_.resize(program.latches.size());
  for (const ScriptHold& hold : program.holds)
    sites_.emplace_back(program.latches[hold.latch].name.c_str(), program.names[hold.site].c_str());
  for (const std::string& name : program.names)
    parts_.emplace_back(name.c_str());
  for (const ScriptGroup& group : program.groups)
    groups_.emplace_back(group.name.c_str());
}

void ScriptWorld::use(const std::vector<uint32_t>& design) {
  for (uint32_t knob = 0; knob < design.size(); ++knob)
    take_variant(knob, design[knob]);
  for (uint32_t name = 0; name < latches_.size(); ++name)
    build(name);
}

void ScriptWorld::set_knob(uint32_t knob, uint32_t variant) {
  take_variant(knob, variant);
  for (uint32_t name = 0; name < latches_.size(); ++name) {
    if (program_.latches[name].knob == knob) build(name);
  }
}

void ScriptWorld::take_variant(uint32_t knob, uint32_t variant) {
  conditions_.variants[knob] = variant;
  conditions_.knob_values[knob] = program_.knobs[knob].variants[variant].value;
}

ScriptKind ScriptWorld::kind_of(uint32_t name) const {
  const ScriptLatch& latch = program_.latches[name];
  if (!latch.knob) return latch.kind;
  return *program_.knobs[*latch.knob].variants[conditions_.variants[*latch.knob]].kind;
}

void ScriptWorld::build(uint32_t name) {
  auto& latches = latches_[name];
  latches.clear();
  latches.reserve(program_.latches[name].elements);
  for (uint32_t i = 0; i < program_.latches[name].elements; ++i)
    latches.push_back(make_latch(kind_of(name), environment_));
}

int32_t ScriptWorld::hold_of_site(uint32_t site) const {
  const auto found = std::ranges::find(sites_, site, &telemetry::LatchSite::id);
  return found == sites_.end() ? -1 : static_cast<int32_t>(found - sites_.begin());
}

std::string ScriptWorld::first_held() const {
  for (size_t name = 0; name < latches_.size(); ++name) {
    if (!std::ranges::all_of(latches_[name], [](const auto& latch) { return latch->is_free(); }))
      return program_.latches[name].name;
  }
  return "";
}

std::string ScriptWorld::name_of(uint32_t thread) const {
  uint32_t number = thread;
  if (number <= clients_) return clients_of(program_).name + " " + std::to_string(number);
  number -= clients_;
  for (const ScriptGroup& group : program_.groups) {
    if (group.has_transaction) continue;
    if (number <= group.threads) return group.name + " " + std::to_string(number);
    number -= group.threads;
  }
  return "thread " + std::to_string(thread);
}

void ScriptWorld::report(const ScriptTrouble& trouble) {
  uint32_t expected = kNone;
  if (!reported_.compare_exchange(expected, kIsBeingReported)) return;
  trouble_ = trouble;
  reported_.set_release(kIsKnown);
}

void ScriptWorld::report_slowest() {
  for (uint32_t thread = 1; thread <= threads(); ++thread) {
    const auto state =
        static_cast<telemetry::ThreadState>(telemetry::block().threads[thread - 1].state[0].read_acquire());
    if (state == telemetry::ThreadState::absent || state == telemetry::ThreadState::parked) continue;
    report({ScriptWrong::too_slow, thread, line_of(thread)});
    return;
  }
}

std::string ScriptWorld::trouble() const {
  if (reported_.read_acquire() != kIsKnown) return "";
  return "line " + std::to_string(trouble_.source_line) + ": " + name_of(trouble_.thread) + " " +
         describe(trouble_.wrong);
}

}  // namespace latchscope::workload
