#include "lab/check_random.h"

#include <bit>

#include "lab/check_search.h"

namespace latchscope::lab {

namespace {

using platform::Candidate;

constexpr uint32_t kLongRun = 8;
constexpr uint32_t kEndSearchStatesMax = 100'000;
constexpr uint32_t kEndSearchesMax = 20;  // they take long

}  // namespace

RandomSchedules::RandomSchedules(const CheckedProgram& program, const RandomLimits& limits)
    : program_(program), limits_(limits) {}

// Kinds of schedules, numbers of threads, memory models and roles take turns.
const CheckedMachine& RandomSchedules::machine_of(uint32_t number) {
  Configuration configuration;
  configuration.rounds = limits_.rounds;
  const uint32_t turn = number / 4;
  configuration.threads = limits_.threads_min + turn % (limits_.threads_max - limits_.threads_min + 1);
  const bool buffers = limits_.with_store_buffers && (!limits_.with_sequential || turn / 4 % 2 == 1);
  configuration.memory = buffers ? MemoryModel::store_buffers : MemoryModel::sequential;
  const uint64_t mixed = platform::split_mix_64(turn);
  for (uint32_t thread = 1; thread < configuration.threads && program_.program().is_rw_latch(); ++thread)
    configuration.roles[thread] = (mixed >> thread & 1) != 0 ? Role::shared : Role::exclusive;
  auto& machine = machines_[buffers ? 1 : 0][configuration.threads];
  if (machine == nullptr) machine = std::make_unique<CheckedMachine>(program_, configuration);
  machine->set_roles(configuration.roles);
  return *machine;
}

std::unique_ptr<platform::Schedule> RandomSchedules::schedule_of(uint32_t number) const {
  switch (number % 4) {
    case 0:
      return std::make_unique<platform::RandomSchedule>(number, /*run_length=*/1);
    case 1:
      return std::make_unique<platform::RandomSchedule>(number, kLongRun);
    default: {
      const auto length = static_cast<uint32_t>(steps_ / (schedules_ + 1)) + 1;
      return std::make_unique<platform::PctSchedule>(number, /*depth=*/2 + number / 4 % 3, length);
    }
  }
}

// A store may take effect at any time, as a timer may end: so they are late more often than not.
Move RandomSchedules::choose(const CheckedMachine& machine, const Moves& possible,
                             platform::Schedule& schedule, platform::Random& random) const {
  if (possible.moves[0].kind == Move::Kind::choice) {
    const ThreadState& thread = state_.threads[possible.moves[0].thread];
    const Instruction& instruction = machine.program().program().code[thread.pc];
    return {possible.moves[0].thread, Move::Kind::choice, random.below(thread.registers[instruction.a])};
  }
  std::array<Candidate, kMovesMax> candidates{};
  for (uint32_t i = 0; i < possible.count; ++i) {
    const Move& move = possible.moves[i];
    const bool is_store = move.kind == Move::Kind::takes_effect;
    candidates[i].thread = move.thread + 1 + (is_store ? kCheckedThreadsMax : 0);
    candidates[i].kind = is_store                      ? Candidate::Kind::timer
                         : watches_[move.thread].waits ? Candidate::Kind::retry
                                                       : Candidate::Kind::step;
  }
  return possible.moves[schedule.choose({candidates.data(), possible.count})];
}

void RandomSchedules::watch(const CheckedMachine& machine, const Happening& happening) {
  if (happening.changed_words) ++version_;
  if (happening.what == Happening::What::takes_effect) return;
  Watch& it = watches_[happening.thread];
  const ThreadState& thread = state_.threads[happening.thread];
  it.waits = happening.has_waited;
  if (happening.changed_words || it.version != version_) {
    it.version = version_;
    it.place = 0;
    it.moves = 0;
    it.renewed = 1;
  }
  uint64_t place = thread.pc + 1;
  for (uint64_t live = machine.program().live_at(thread.pc); live != 0; live &= live - 1)
    place = std::rotl(
        (place ^ thread.registers[static_cast<uint8_t>(std::countr_zero(live))]) * 0x9e3779b97f4a7c15ull, 29);
  it.waits |= it.place == place;
  if (++it.moves < it.renewed) return;
  it.place = place;
  it.moves = 0;
  it.renewed *= 2;
}

void RandomSchedules::keep(const CheckedMachine& machine, FaultKind kind) {
  found_ = Found{machine.configuration(), {moves_, kNoCircle}, kind};
}

void RandomSchedules::run(uint32_t number) {
  const CheckedMachine& machine = machine_of(number);
  const auto schedule = schedule_of(number);
  platform::Random random(number, /*stream=*/1);
  moves_.clear();
  watches_ = {};
  version_ = 1;
  ++schedules_;
  const Happening begun = machine.begin(state_);
  if (begun.fault != FaultKind::none) return keep(machine, begun.fault);
  for (;;) {
    const Moves possible = machine.possible(state_);
    if (possible.count == 0) {
      const FaultKind fault = machine.fault_at_the_end(state_);
      if (fault != FaultKind::none) keep(machine, fault);
      return;
    }
    if (moves_.size() == kRandomStepsMax) break;
    moves_.push_back(choose(machine, possible, *schedule, random));
    ++steps_;
    const Happening happening = machine.carry_out(state_, moves_.back());
    if (happening.fault != FaultKind::none) return keep(machine, happening.fault);
    watch(machine, happening);
  }
  // Whether it was only unlucky, all states below say.
  const bool is_trap =
      without_end_ < kEndSearchesMax && can_end(machine, state_, kEndSearchStatesMax) == CanEnd::no;
  if (is_trap) return keep(machine, FaultKind::no_end);
  ++without_end_;
}

}  // namespace latchscope::lab
