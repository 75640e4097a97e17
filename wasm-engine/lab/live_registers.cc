#include "lab/live_registers.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace latchscope::lab {

namespace {

constexpr uint64_t bit_of(uint32_t number) {
  return uint64_t{1} << (number & (kRegistersMax - 1));
}
// All registers but those that no instruction writes.
constexpr uint64_t kOwnRegisters = ~uint64_t{0} << kFirstFreeRegister;

class LiveRegisters {
 public:
  LiveRegisters(const Program& program, Liveness liveness)
      : program_(program),
        is_across_calls_(liveness == Liveness::across_calls),
        live_(program.code.size() + 1, 0) {}
  std::vector<uint64_t> find();

 private:
  uint64_t live_behind(uint32_t place) const;

  const Program& program_;
  const bool is_across_calls_;
  std::vector<uint64_t> live_;
};

// The targets of a call and of give_back do not depend on the caller: everything that may follow
// counts.
uint64_t LiveRegisters::live_behind(uint32_t place) const {
  const Instruction& instruction = program_.code[place];
  const auto live_in = [&](const FunctionRange& function) {
    return function.is_there() ? live_[function.begin] : 0;
  };
  switch (instruction.op) {
    case Op::jump:
      return live_[instruction.immediate];
    case Op::jump_if_zero:
    case Op::jump_if_not_zero:
      return live_[instruction.immediate] | live_[place + 1];
    case Op::call:
      if (!is_across_calls_) return live_[place + 1];
      return live_in(program_.functions[instruction.immediate]);
    case Op::give_back: {
      if (!is_across_calls_) return 0;
      uint64_t live = 0;
      for (const FunctionRange& function : program_.functions)
        live |= live_in(function);
      for (uint32_t caller = 0; caller < program_.code.size(); ++caller) {
        const bool may_be_called =
            program_.code[caller].op == Op::call && (program_.function_of(caller) == FunctionName::client ||
                                                     program_.function_of(caller) == FunctionName::at_end);
        if (may_be_called) live |= live_[caller + 1];
      }
      return live;
    }
    default:
      return live_[place + 1];
  }
}

std::vector<uint64_t> LiveRegisters::find() {
  // Instructions outside all functions never run, and find_fault() does not check them.
  std::vector<uint32_t> places;
  for (const FunctionRange& function : program_.functions) {
    for (uint32_t place = function.begin; place < function.end; ++place)
      places.push_back(place);
  }
  std::ranges::sort(places, std::greater<>());
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t place : places) {
      const Instruction& instruction = program_.code[place];
      const Operands operands = operands_of(instruction.op);
      uint64_t live = live_behind(place);
      if (operands.target) live &= ~bit_of(instruction.target);
      if (operands.a) live |= bit_of(instruction.a);
      if (operands.b) live |= bit_of(instruction.b);
      if (has_word(instruction.op) && instruction.index() != kNoIndex) live |= bit_of(instruction.index());
      live &= kOwnRegisters;
      changed |= live != live_[place];
      live_[place] = live;
    }
  }
  return std::move(live_);
}

}  // namespace

std::vector<uint64_t> live_registers(const Program& program, Liveness liveness) {
  return LiveRegisters(program, liveness).find();
}

}  // namespace latchscope::lab
