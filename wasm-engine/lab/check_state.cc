#include "lab/check_state.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "lab/program.h"
#include "platform/random.h"

namespace latchscope::lab {

std::string Configuration::roles_text() const {
  std::string text;
  for (uint32_t thread = 0; thread < threads; ++thread)
    text += roles[thread] == Role::shared ? 'S' : 'X';
  return text;
}

// --- facts computed once -------------------------------------------------------------------------

CheckedProgram::CheckedProgram(Program program)
    : program_(std::move(program)),
      live_(live_registers(program_, Liveness::across_calls)),
      rising_(find_rising_numbers(program_, live_)) {}

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

// --- packing -------------------------------------------------------------------------------------

StatePacking::StatePacking(const CheckedProgram& program, uint32_t threads, Shifts shifts)
    : program_(program),
      threads_(threads),
      elements_(static_cast<uint32_t>(program.elements_for(threads))),
      layout_(program.program(), threads),
      leaves_out_shifts_(shifts == Shifts::leaves_out && !program.rising_numbers().empty()) {}

uint64_t StatePacking::live_registers(const MachineState& state, uint32_t thread) const {
  const ThreadState& it = state.threads[thread];
  if (it.status != Status::ended) return program_.live_at(it.pc);
  const FunctionRange& at_end = program_.program().function(FunctionName::at_end);
  const bool will_go_on = thread == 0 && state.stage == Stage::clients && at_end.is_there();
  return will_go_on ? program_.live_at(at_end.begin) : 0;
}

void StatePacking::pack(const MachineState& state, std::vector<uint32_t>& packed) const {
  if (!leaves_out_shifts_) return pack_as_it_is(state, packed);
  MachineState shifted = state;
  for (const RisingNumbers& set : program_.rising_numbers())
    leave_out_shift(set, shifted);
  pack_as_it_is(shifted, packed);
}

void StatePacking::leave_out_shift(const RisingNumbers& set, MachineState& state) const {
  uint32_t& measure = state.elements[layout_.first_of(set.measured_by)];
  const uint32_t shift = measure & ~(set.multiple_of - 1);
  for (uint32_t words = set.words; words != 0; words &= words - 1) {
    const auto word = static_cast<uint32_t>(std::countr_zero(words));
    for (uint32_t index = 0; index < layout_.count_of(word); ++index)
      state.elements[layout_.first_of(word) + index] -= shift;
  }
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    ThreadState& it = state.threads[thread];
    for (uint64_t registers = set.registers[it.pc]; registers != 0; registers &= registers - 1)
      it.registers.values[std::countr_zero(registers)] -= shift;
    for (uint64_t expected = set.expected[it.pc]; expected != 0; expected &= expected - 1) {
      uint32_t& value = it.registers.values[std::countr_zero(expected)];
      if (value != measure) value = measure - 1;
    }
  }
}

void StatePacking::pack_as_it_is(const MachineState& state, std::vector<uint32_t>& packed) const {
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
