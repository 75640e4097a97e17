// Runs the code of a workload file up to the next instruction that has an effect. The caller
// performs it: it takes the latch, works, or sleeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "platform/random.h"
#include "workload/script_draws.h"
#include "workload/script_program.h"

namespace latchscope::workload {

// The reason why a body cannot continue.
enum class ScriptWrong : uint8_t {
  nothing,
  division_by_zero,
  check_failed,
  no_effect,      // more than kScriptLocalStepsMax instructions without an effect
  no_time,        // many effects at one moment of the modelled server
  no_such_latch,  // an index beyond the latches of a name
  no_such_word,   // an index beyond the elements of a word
  taken_twice,
  too_long,   // work, think or sleep of more than an hour
  too_large,  // an io that its device would transfer in more than 10 seconds
  too_wide,   // a lognormal distribution with a coefficient of variation beyond kVariationMax
  too_many,   // a zipf distribution over more than kScriptZipfMax numbers
  too_slow,   // a transaction while the clients had to stand still
};
// Returns what a thread did, without its subject.
const char* describe(ScriptWrong wrong);

inline constexpr uint32_t kScriptLocalStepsMax = 1'000'000;

// What code reads of a run. Parameters are in picoseconds, bytes or 1. The variants of the knobs
// change only while no body runs.
struct ScriptConditions {
  std::vector<uint64_t> parameters;
  std::vector<uint32_t> variants;     // in force, by knob
  std::vector<uint32_t> knob_values;  // of these variants
  std::vector<ZipfTable> zipf;        // with all exponents of the program

  const ZipfTable& zipf_of(uint64_t exponent) const {
    return *std::ranges::find(zipf, exponent, &ZipfTable::exponent);
  }
};

struct ScriptRegisters {
  uint64_t values[kScriptRegistersMax] = {};

  uint64_t& operator[](uint8_t number) { return values[number]; }
  uint64_t operator[](uint8_t number) const { return values[number]; }
};

struct ScriptStop {
  const ScriptInstruction* at;  // the instruction with an effect; it is not done yet
  ScriptWrong wrong;            // if not nothing, `at` is the faulty instruction
};

namespace script {

inline constexpr uint64_t kWideMax = std::numeric_limits<uint64_t>::max();

constexpr uint64_t number(uint64_t value) {
  return static_cast<uint32_t>(value);
}
constexpr uint64_t add_wide(uint64_t a, uint64_t b) {
  return a > kWideMax - b ? kWideMax : a + b;
}
constexpr uint64_t multiply_wide(uint64_t a, uint64_t b) {
  return b != 0 && a > kWideMax / b ? kWideMax : a * b;
}

}  // namespace script

// Runs from `pc` to the next instruction with an effect. Sets `pc` to the instruction after it.
//
// REQUIRES: find_fault() finds nothing in the program, and `pc` is one of its instructions.
// NOLINTNEXTLINE(readability-function-size): a case for each operation
inline ScriptStop run_until_effect(const ScriptProgram& program, const ScriptConditions& conditions,
                                   platform::Random& random, uint32_t& pc, ScriptRegisters& registers) {
  using namespace script;
  const ScriptInstruction* const code = program.code.data();
  const ScriptInstruction* next = code + pc;
  const ScriptInstruction* at = next;
  const auto stop = [&](ScriptWrong wrong) {
    pc = static_cast<uint32_t>(next - code);
    return ScriptStop{at, wrong};
  };
  for (uint32_t done = 0; done < kScriptLocalStepsMax; ++done) {
    at = next++;
    const uint64_t a = registers[at->a & (kScriptRegistersMax - 1)];
    const uint64_t b = registers[at->b & (kScriptRegistersMax - 1)];
    uint64_t& target = registers.values[at->target & (kScriptRegistersMax - 1)];
    switch (at->op) {
      case ScriptOp::constant:
        target = program.constants[at->immediate];
        break;
      case ScriptOp::copy:
        target = a;
        break;
      case ScriptOp::add:
        target = number(a + b);
        break;
      case ScriptOp::subtract:
        target = number(a - b);
        break;
      case ScriptOp::multiply:
        target = number(a * b);
        break;
      case ScriptOp::divide:
      case ScriptOp::divide_wide:
        if (b == 0) return stop(ScriptWrong::division_by_zero);
        target = a / b;
        break;
      case ScriptOp::remainder:
        if (b == 0) return stop(ScriptWrong::division_by_zero);
        target = a % b;
        break;
      case ScriptOp::bit_and:
        target = a & b;
        break;
      case ScriptOp::bit_or:
        target = a | b;
        break;
      case ScriptOp::bit_xor:
        target = a ^ b;
        break;
      case ScriptOp::shift_left:
        target = b < 32 ? number(a << b) : 0;
        break;
      case ScriptOp::shift_right:
        target = b < 32 ? a >> b : 0;
        break;
      case ScriptOp::add_wide:
        target = add_wide(a, b);
        break;
      case ScriptOp::subtract_wide:
        target = a < b ? 0 : a - b;
        break;
      case ScriptOp::multiply_wide:
        target = multiply_wide(a, b);
        break;
      case ScriptOp::narrow:
        target = a > std::numeric_limits<uint32_t>::max() ? std::numeric_limits<uint32_t>::max() : a;
        break;
      case ScriptOp::equal:
        target = a == b ? 1 : 0;
        break;
      case ScriptOp::not_equal:
        target = a != b ? 1 : 0;
        break;
      case ScriptOp::less:
        target = a < b ? 1 : 0;
        break;
      case ScriptOp::less_or_equal:
        target = a <= b ? 1 : 0;
        break;
      case ScriptOp::jump:
        next = code + at->immediate;
        break;
      case ScriptOp::jump_if_zero:
        if (a == 0) next = code + at->immediate;
        break;
      case ScriptOp::jump_if_not_zero:
        if (a != 0) next = code + at->immediate;
        break;
      case ScriptOp::check:
        if (a == 0) return stop(ScriptWrong::check_failed);
        break;
      case ScriptOp::parameter:
        target = conditions.parameters[at->immediate];
        break;
      case ScriptOp::knob_variant:
        target = conditions.variants[at->immediate];
        break;
      case ScriptOp::knob_value:
        target = conditions.knob_values[at->immediate];
        break;
      case ScriptOp::uniform:
        target = draw_uniform(random, a);
        break;
      case ScriptOp::chance:
        target = draw_chance(random, a);
        break;
      case ScriptOp::exponential:
        target = draw_exponential(random, a);
        break;
      case ScriptOp::lognormal:
        if (b > kVariationMax) return stop(ScriptWrong::too_wide);
        target = draw_lognormal(random, a, b);
        break;
      case ScriptOp::zipf:
        if (a > kScriptZipfMax) return stop(ScriptWrong::too_many);
        target = conditions.zipf_of(program.constants[at->immediate]).draw(random, a);
        break;
      default:
        return stop(ScriptWrong::nothing);
    }
  }
  return stop(ScriptWrong::no_effect);
}

}  // namespace latchscope::workload
