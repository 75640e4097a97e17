#include "lab/check_state.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "platform/random.h"

namespace latchscope::lab {

namespace {

constexpr uint64_t kOwnRegisters = ~uint64_t{0} << kFirstFreeRegister;

uint64_t bit_of(uint8_t number) {
  return uint64_t{1} << (number & (kRegistersMax - 1));
}

}  // namespace

std::string Configuration::roles_text() const {
  std::string text;
  for (uint32_t thread = 0; thread < threads; ++thread)
    text += roles[thread] == Role::shared ? 'S' : 'X';
  return text;
}

// --- what is computed once ------------------------------------------------------------------------------------------

CheckedProgram::CheckedProgram(Program program) : program_(std::move(program)) {
  find_live_registers();
}

FunctionName CheckedProgram::function_of(uint32_t place) const {
  for (uint32_t i = 0; i < kFunctions; ++i) {
    const FunctionRange& function = program_.functions[i];
    if (place >= function.begin && place < function.end) return static_cast<FunctionName>(i);
  }
  return FunctionName::enter;
}

uint64_t CheckedProgram::elements_for(uint32_t threads) const {
  uint64_t elements = 0;
  for (const WordDeclaration& word : program_.words)
    elements += word.elements_for(threads);
  return elements;
}

uint32_t CheckedProgram::threads_max() const {
  const uint32_t declared = program_.threads_max;
  return declared == 0 ? kCheckedThreadsMax : std::min(declared, kCheckedThreadsMax);
}

// Where a call leads to, and where give_back does, is not told apart by who called: whatever may follow counts.
uint64_t CheckedProgram::live_behind(uint32_t place) const {
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
      return live_in(program_.functions[instruction.immediate]);
    case Op::give_back: {
      uint64_t live = 0;
      for (const FunctionRange& function : program_.functions)
        live |= live_in(function);
      for (uint32_t caller = 0; caller < program_.code.size(); ++caller) {
        const bool may_be_called =
            program_.code[caller].op == Op::call &&
            (function_of(caller) == FunctionName::client || function_of(caller) == FunctionName::at_end);
        if (may_be_called) live |= live_[caller + 1];
      }
      return live;
    }
    default:
      return live_[place + 1];
  }
}

void CheckedProgram::find_live_registers() {
  live_.assign(program_.code.size() + 1, 0);
  // Instructions outside all functions are not carried out, and nobody has checked them.
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
}

ElementLayout::ElementLayout(const Program& program, uint32_t threads) {
  for (size_t word = 0; word < program.words.size(); ++word) {
    first_[word] = elements_;
    elements_ += program.words[word].elements_for(threads);
    first_[word + 1] = elements_;
  }
}

uint32_t ElementLayout::word_of(uint32_t element) const {
  uint32_t word = 0;
  while (word + 1 < kWordsMax && first_[word + 1] <= element)
    ++word;
  return word;
}

// --- packing --------------------------------------------------------------------------------------------------------

StatePacking::StatePacking(const CheckedProgram& program, uint32_t threads)
    : program_(program), threads_(threads), elements_(static_cast<uint32_t>(program.elements_for(threads))) {}

uint64_t StatePacking::live_registers(const MachineState& state, uint32_t thread) const {
  const ThreadState& it = state.threads[thread];
  if (it.status != Status::ended) return program_.live_at(it.pc);
  const FunctionRange& at_end = program_.program().function(FunctionName::at_end);
  const bool will_go_on = thread == 0 && state.stage == Stage::clients && at_end.is_there();
  return will_go_on ? program_.live_at(at_end.begin) : 0;
}

void StatePacking::pack(const MachineState& state, std::vector<uint32_t>& packed) const {
  packed.insert(packed.end(), state.elements.begin(), state.elements.begin() + elements_);
  packed.push_back(static_cast<uint32_t>(state.stage));
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    const ThreadState& it = state.threads[thread];
    packed.push_back(it.pc | it.return_to << 16);
    packed.push_back(static_cast<uint32_t>(it.phase) | static_cast<uint32_t>(it.is_shared) << 2 |
                     static_cast<uint32_t>(it.calls_exit) << 3 | static_cast<uint32_t>(it.status) << 4 |
                     it.sleep_order << 6 | it.stores << 9 | it.sleeps_on << 12 | it.rounds_left << 21);
    for (uint32_t store = 0; store < it.stores; ++store) {
      packed.push_back(it.buffer[store].element);
      packed.push_back(it.buffer[store].value);
    }
    for (uint64_t live = live_registers(state, thread); live != 0; live &= live - 1)
      packed.push_back(it.registers[static_cast<uint8_t>(std::countr_zero(live))]);
  }
}

size_t StatePacking::unpack(const uint32_t* packed, MachineState& state) const {
  const uint32_t* next = packed;
  std::copy(next, next + elements_, state.elements.begin());
  next += elements_;
  state.stage = static_cast<Stage>(*next++);
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    ThreadState& it = state.threads[thread];
    it.pc = *next & 0xffff;
    it.return_to = *next++ >> 16;
    const uint32_t rest = *next++;
    it.phase = static_cast<Phase>(rest & 3);
    it.is_shared = (rest >> 2 & 1) != 0;
    it.calls_exit = (rest >> 3 & 1) != 0;
    it.status = static_cast<Status>(rest >> 4 & 3);
    it.sleep_order = rest >> 6 & 7;
    it.stores = rest >> 9 & 7;
    it.sleeps_on = rest >> 12 & 0x1ff;
    it.rounds_left = rest >> 21;
    for (uint32_t store = 0; store < it.stores; ++store, next += 2)
      it.buffer[store] = {next[0], next[1], 0};
    std::fill_n(it.registers.values, program_.program().registers, 0);
    it.registers.values[kThreadNumber] = thread + 1;
    it.registers.values[kThreads] = threads_;
    for (uint64_t live = live_registers(state, thread); live != 0; live &= live - 1)
      it.registers.values[std::countr_zero(live)] = *next++;
  }
  return static_cast<size_t>(next - packed);
}

Fingerprint StatePacking::fingerprint(const uint32_t* packed, size_t size) {
  uint64_t high = 0x9ae16a3b2f90404full ^ size, low = 0xc949c7defebe6f9full + size;
  for (size_t i = 0; i < size; ++i) {
    const uint64_t word = packed[i];
    high = std::rotl((high ^ word) * 0x9e3779b97f4a7c15ull, 29);
    low = (low + word) * 0xd6e8feb86659fd93ull;
    low ^= low >> 32;
  }
  return {platform::split_mix_64(high), platform::split_mix_64(low ^ std::rotl(high, 17))};
}

}  // namespace latchscope::lab
