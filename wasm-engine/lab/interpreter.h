// Runs the code of a latch between two accesses. The caller performs the accesses: the checker has
// words of its own (checker.h), and a latch has words of the platform (lab_latch.h).
#pragma once

#include <cstdint>

#include "lab/program.h"

namespace latchscope::lab {

// The reason why a program cannot continue.
enum class Wrong : uint8_t {
  nothing,
  index_too_large,  // the word has fewer elements
  division_by_zero,
  no_access,  // more than kLocalStepsMax instructions without an access, pause or yield
  check_failed,
  no_time,  // many accesses at one moment of a modelled server
};
const char* describe(Wrong wrong);

inline constexpr uint32_t kLocalStepsMax = 10'000;

struct Registers {
  uint32_t values[kRegistersMax] = {};

  uint32_t& operator[](uint8_t number) { return values[number]; }
  uint32_t operator[](uint8_t number) const { return values[number]; }
};

struct LocalStop {
  const Instruction* at;  // the instruction that the caller performs; it is not done yet
  Wrong wrong;            // if not nothing, `at` is the faulty instruction
  uint32_t instructions;  // executed on the way
};

// Runs from `pc` to the next instruction that the caller must perform: an access, fence, pause,
// yield, random, call or give_back. Sets `pc` to the instruction after it.
//
// REQUIRES: find_fault() finds nothing in the program, and `pc` is one of its instructions.
// NOLINTNEXTLINE(readability-function-size): a case for each operation
inline LocalStop run_until_access(const Program& program, uint32_t& pc, Registers& registers) {
  const Instruction* const code = program.code.data();
  const Instruction* next = code + pc;
  const Instruction* at = next;
  const auto stop = [&](Wrong wrong, uint32_t done) {
    pc = static_cast<uint32_t>(next - code);
    return LocalStop{at, wrong, done};
  };
  for (uint32_t done = 0; done < kLocalStepsMax; ++done) {
    at = next++;
    const uint32_t a = registers[at->a & (kRegistersMax - 1)];
    const uint32_t b = registers[at->b & (kRegistersMax - 1)];
    uint32_t& target = registers.values[at->target & (kRegistersMax - 1)];
    switch (at->op) {
      case Op::constant:
        target = at->immediate;
        break;
      case Op::copy:
        target = a;
        break;
      case Op::add:
        target = a + b;
        break;
      case Op::subtract:
        target = a - b;
        break;
      case Op::multiply:
        target = a * b;
        break;
      case Op::divide:
        if (b == 0) return stop(Wrong::division_by_zero, done);
        target = a / b;
        break;
      case Op::remainder:
        if (b == 0) return stop(Wrong::division_by_zero, done);
        target = a % b;
        break;
      case Op::bit_and:
        target = a & b;
        break;
      case Op::bit_or:
        target = a | b;
        break;
      case Op::bit_xor:
        target = a ^ b;
        break;
      case Op::shift_left:
        target = b < 32 ? a << b : 0;
        break;
      case Op::shift_right:
        target = b < 32 ? a >> b : 0;
        break;
      case Op::equal:
        target = a == b ? 1 : 0;
        break;
      case Op::not_equal:
        target = a != b ? 1 : 0;
        break;
      case Op::less:
        target = a < b ? 1 : 0;
        break;
      case Op::less_or_equal:
        target = a <= b ? 1 : 0;
        break;
      case Op::jump:
        next = code + at->immediate;
        break;
      case Op::jump_if_zero:
        if (a == 0) next = code + at->immediate;
        break;
      case Op::jump_if_not_zero:
        if (a != 0) next = code + at->immediate;
        break;
      case Op::check:
        if (a == 0) return stop(Wrong::check_failed, done);
        break;
      default:
        return stop(Wrong::nothing, done);
    }
  }
  return stop(Wrong::no_access, kLocalStepsMax);
}

}  // namespace latchscope::lab
