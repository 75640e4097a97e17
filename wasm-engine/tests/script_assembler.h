// Builds workload programs for tests, instruction by instruction.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "run/engine.h"
#include "run/run_spec.h"
#include "workload/script_program.h"
#include "workload/script_scenario.h"

namespace latchscope::tests {

inline constexpr uint64_t kUs = 1'000'000;  // in picoseconds

class ScriptAssembler {
 public:
  using Op = workload::ScriptOp;
  using Kind = workload::ScriptLatchKind;

  ScriptAssembler() {
    program_.title = "test";
    program_.unit = "transactions";
    program_.designs.push_back({"original", {}});
    program_.names.emplace_back("part");
  }

  // Declare a latch and return its number.
  uint32_t latch(const char* name, workload::ScriptKind kind, uint32_t elements = 1) {
    program_.latches.push_back({name, elements, std::nullopt, kind, 1});
    return static_cast<uint32_t>(program_.latches.size() - 1);
  }
  // Its kind is chosen by a knob of this name, with the variants v0, v1, ...
  uint32_t latch_of_knob(const char* name, const std::vector<workload::ScriptKind>& kinds) {
    workload::ScriptKnob knob{name, "which kind?", {}};
    for (const workload::ScriptKind& kind : kinds)
      knob.variants.push_back({"v" + std::to_string(knob.variants.size()), "", kind, 0});
    program_.knobs.push_back(std::move(knob));
    program_.designs[0].variants.push_back(0);
    const uint32_t number = latch(name, {});
    program_.latches[number].knob = static_cast<uint32_t>(program_.knobs.size() - 1);
    return number;
  }

  // Declares a word on a line of its own and returns its number.
  uint32_t word(const char* name, uint32_t elements = 1, uint32_t initial = 0) {
    lab::WordDeclaration word;
    word.name = name;
    word.line = static_cast<uint32_t>(program_.words.size());
    word.elements = elements;
    word.initial = initial;
    program_.words.push_back(word);
    return word.line;
  }
  uint32_t change(Op op, uint32_t word, uint8_t target, uint8_t a, uint8_t b = 0,
                  uint8_t index = workload::kScriptNoIndex) {
    return add(op, target, a, b, word | uint32_t{index} << 16);
  }
  uint8_t take_register() { return next_register_++; }

  // Declares a latch written in the lab's language, and returns its kind.
  workload::ScriptKind kind(const char* name, lab::Program program) {
    program_.kinds.push_back({name, std::make_shared<const lab::Program>(std::move(program))});
    return {Kind::lab_latch, 0, static_cast<uint32_t>(program_.kinds.size() - 1)};
  }
  // Declares words that share a line while the knob's second variant is in force.
  void shared_line(const char* knob, std::vector<uint32_t> words) {
    program_.knobs.push_back({knob, "one line?", {{"apart", "", {}, 0}, {"together", "", {}, 1}}});
    program_.designs[0].variants.push_back(0);
    program_.shared_lines.push_back({std::move(words), static_cast<uint32_t>(program_.knobs.size() - 1), 1});
  }
  // Declares a counter and returns its number in instructions.
  uint32_t counter(const char* name) {
    program_.counters.emplace_back(name);
    return static_cast<uint32_t>(program_.counters.size());
  }
  void count(uint32_t counter) { add(Op::count, 0, constant(1), 0, counter); }
  uint32_t device(const char* name, workload::ScriptDeviceKind kind, uint64_t latency_ps = 0) {
    program_.devices.push_back({name, kind, latency_ps});
    return static_cast<uint32_t>(program_.devices.size() - 1);
  }

  void group(const char* name, uint32_t threads, bool has_transaction = true) {
    end_group();
    workload::ScriptGroup group;
    group.name = name;
    group.threads = threads;
    group.has_transaction = has_transaction;
    group.begin = here();
    program_.groups.push_back(std::move(group));
  }
  // Begins a group without a transaction.
  void thread(const char* name, workload::ScriptRuns runs, uint64_t period_ps = 0) {
    group(name, 1, false);
    program_.groups.back().runs = runs;
    program_.groups.back().period_ps = period_ps;
    if (runs == workload::ScriptRuns::on_action) program_.groups.back().title = "An action";
  }
  void transaction_begin() { add(Op::transaction_begin); }
  void transaction_end() { add(Op::transaction_end); }

  // Write to a new register and return it.
  uint8_t constant(uint64_t value) {
    program_.constants.push_back(value);
    const uint8_t target = next_register_++;
    add(Op::constant, target, 0, 0, static_cast<uint32_t>(program_.constants.size() - 1));
    return target;
  }
  uint8_t compute(Op op, uint8_t a, uint8_t b = 0) {
    const uint8_t target = next_register_++;
    add(op, target, a, b);
    return target;
  }
  void spend(Op op, uint64_t ps) { add(op, 0, constant(ps)); }
  void spend_exponential(Op op, uint64_t mean_ps) { add(op, 0, compute(Op::exponential, constant(mean_ps))); }
  void enter(uint32_t latch, bool is_shared = false, uint8_t index = workload::kScriptNoIndex) {
    add(Op::enter, 0, 0, 0, hold_of(latch, is_shared) | uint32_t{index} << 16);
  }
  // Tries to take the latch. Returns the jump that a failed try takes.
  uint32_t try_enter(uint32_t latch, bool is_shared = false) {
    const uint8_t target = next_register_++;
    add(Op::try_enter, target, 0, 0, hold_of(latch, is_shared) | uint32_t{workload::kScriptNoIndex} << 16);
    return add(Op::jump_if_zero, 0, target);
  }
  void leave() { add(Op::leave); }
  uint32_t jump(uint32_t to = 0) { return add(Op::jump, 0, 0, 0, to); }
  uint32_t jump_if_zero(uint8_t a) { return add(Op::jump_if_zero, 0, a); }
  void lands_here(uint32_t jump) { program_.code[jump].immediate = here(); }
  uint32_t here() const { return static_cast<uint32_t>(program_.code.size()); }
  uint32_t add(Op op, uint8_t target = 0, uint8_t a = 0, uint8_t b = 0, uint32_t immediate = 0) {
    program_.code.push_back({op, target, a, b, immediate});
    program_.source_lines.push_back(here());
    return here() - 1;
  }

  workload::ScriptProgram program() {
    end_group();
    program_.registers = next_register_;
    const auto fault = workload::find_fault(program_);
    EXPECT_FALSE(fault) << fault->field << " " << fault->value << " " << fault->allowed;
    return program_;
  }

 private:
  void end_group() {
    if (program_.groups.empty() || program_.groups.back().end != 0) return;
    add(Op::give_back);
    program_.groups.back().end = here();
  }

  uint32_t hold_of(uint32_t latch, bool is_shared) {
    program_.holds.push_back({latch, is_shared, 0});
    return static_cast<uint32_t>(program_.holds.size() - 1);
  }

  workload::ScriptProgram program_;
  uint8_t next_register_ = workload::kScriptFirstFreeRegister;
};

// Returns the run of a program that begins as the fields say.
inline run::RunSpec spec_of(workload::ScriptProgram program, const std::string& fields) {
  // Any valid spec; then the program takes the place of its scenario.
  auto script = std::make_shared<const workload::ScriptScenario>(std::move(program));
  auto parsed = run::parse_run_spec(R"({"version":1,"scenario":"fil-mutex-69276")" +
                                    (fields.empty() ? "" : "," + fields) + "}");
  EXPECT_TRUE(parsed.spec) << run::to_json(parsed.errors);
  run::RunSpec spec = *std::move(parsed.spec);
  spec.config.manifest = &script->manifest();
  spec.config.design = script->program().designs[0].variants;
  spec.config.parameters.clear();
  for (const auto& parameter : script->manifest().parameters)
    spec.config.parameters.push_back(parameter.default_value);
  spec.config.script = std::move(script);
  return spec;
}

}  // namespace latchscope::tests
