#include "lab/check_random.h"

#include <algorithm>
#include <bit>

#include "lab/check_search.h"

namespace latchscope::lab {

namespace {

using platform::Candidate;

constexpr uint32_t kLongRun = 8;
constexpr uint32_t kEndSearchStatesMax = 100'000;
constexpr uint32_t kEndSearchesMax = 20;  // each takes long

// The kinds of moves that a thread can make.
constexpr uint8_t kSteps = 1, kStores = 2, kDraws = 4;

}  // namespace

RandomSchedules::RandomSchedules(const CheckedProgram& program, const RandomLimits& limits)
    : program_(program), limits_(limits) {}

// Kinds of schedules, numbers of threads, memory models and roles rotate.
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

void RandomSchedules::keep(const CheckedMachine& machine, FaultKind kind) {
  found_ = Found{machine.configuration(), {moves_, kNoCircle}, kind};
}

// --- possible moves ------------------------------------------------------------------------------

uint8_t RandomSchedules::ways_of(const CheckedMachine& machine, const ThreadState& thread) {
  if (machine.is_choice(thread)) return kDraws;
  return static_cast<uint8_t>((machine.can_step(thread) ? kSteps : 0) | (thread.stores > 0 ? kStores : 0));
}

// A store may take effect at any time, as a timer may end. Treated as timers, stores are late more
// often than not.
void RandomSchedules::look_what_is_ready(const CheckedMachine& machine) {
  ready_.count = ready_.timers = 0;
  ready_.draws = false;
  if (state_.stage == Stage::done) return;
  const auto add = [&](uint32_t candidate, Candidate::Kind candidate_kind, uint32_t thread, Move::Kind kind) {
    ready_.candidates[ready_.count] = {candidate, candidate_kind};
    ready_.moves[ready_.count++] = {thread, kind, 0};
  };
  for (uint32_t thread = 0; thread < machine.configuration().threads; ++thread) {
    const uint8_t ways = ready_.ways[thread] = ways_of(machine, state_.threads[thread]);
    if (ways == kDraws) {
      ready_.draws = true;
      ready_.count = 1;
      ready_.moves[0] = {thread, Move::Kind::choice, 0};
      return;
    }
    ready_.first[thread] = static_cast<uint8_t>(ready_.count);
    if ((ways & kSteps) != 0) {
      const bool waits = watches_[thread].waits;
      add(thread + 1, waits ? Candidate::Kind::retry : Candidate::Kind::step, thread, Move::Kind::step);
    }
    if ((ways & kStores) != 0) {
      add(thread + 1 + kCheckedThreadsMax, Candidate::Kind::timer, thread, Move::Kind::takes_effect);
      ++ready_.timers;
    }
  }
}

// Returns whether the other candidates are unchanged. If so, updates whether this thread waits.
bool RandomSchedules::is_ready_as_before(const CheckedMachine& machine, const Happening& happening) {
  const uint32_t thread = happening.thread;
  if (ready_.draws || happening.others_go_on) return false;
  const uint8_t ways = ways_of(machine, state_.threads[thread]);
  if (ways != ready_.ways[thread]) return false;
  if ((ways & kSteps) != 0) {
    ready_.candidates[ready_.first[thread]].kind =
        watches_[thread].waits ? Candidate::Kind::retry : Candidate::Kind::step;
  }
  return true;
}

Move RandomSchedules::draw(const CheckedMachine& machine, platform::Random& random) const {
  const ThreadState& thread = state_.threads[ready_.moves[0].thread];
  const Instruction& instruction = machine.program().program().code[thread.pc];
  return {ready_.moves[0].thread, Move::Kind::choice, random.below(thread.registers[instruction.a])};
}

// --- polling threads -----------------------------------------------------------------------------

void RandomSchedules::watch(const CheckedMachine& machine, const Happening& happening) {
  if (happening.changed_words) ++version_;
  if (happening.what == Happening::What::takes_effect) return;
  Watch& it = watches_[happening.thread];
  const ThreadState& thread = state_.threads[happening.thread];
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
  it.has_come_back = it.place == place;
  it.waits = happening.has_waited || it.has_come_back;
  if (++it.moves < it.renewed) return;
  it.place = place;
  it.moves = 0;
  it.renewed *= 2;
}

// Detects a read, or a read-modify-write that changes nothing, that leads back to itself. It will
// do so again until a word changes.
void RandomSchedules::watch_whether_it_stands(const CheckedMachine& machine, const Happening& happening,
                                              uint32_t pc) {
  Watch& it = watches_[happening.thread];
  const ThreadState& thread = state_.threads[happening.thread];
  Registers& stood_with = stood_with_[happening.thread];
  const Program& program = machine.program().program();
  const Op op = program.code[pc].op;
  const bool stands = happening.what == Happening::What::access && thread.pc == pc &&
                      (op == Op::load || is_read_modify_write(op)) && !happening.changed_words &&
                      !happening.got_in && happening.phase_before == thread.phase;
  if (stands) {
    const bool has_stood =
        it.stands &&
        std::equal(thread.registers.values, thread.registers.values + program.registers, stood_with.values);
    if (has_stood && it.has_come_back) it.polls_at = version_;
    if (!has_stood) std::copy_n(thread.registers.values, program.registers, stood_with.values);
  }
  it.stands = stands;
}

void RandomSchedules::poll_again(Watch& it) const {
  if (++it.moves < it.renewed) return;
  it.moves = 0;
  it.renewed *= 2;
}

// --- one schedule --------------------------------------------------------------------------------

Happening RandomSchedules::carry_out(const CheckedMachine& machine, const Move& move) {
  const uint32_t pc = state_.threads[move.thread].pc;
  const Happening happening = machine.carry_out(state_, move);
  if (happening.fault != FaultKind::none) return happening;
  watch(machine, happening);
  watch_whether_it_stands(machine, happening, pc);
  return happening;
}

bool RandomSchedules::is_trapped(const CheckedMachine& machine) {
  return without_end_ < kEndSearchesMax && can_end(machine, state_, kEndSearchStatesMax) == CanEnd::no;
}

template <class Picks>
void RandomSchedules::run_with(Picks picks, const CheckedMachine& machine, uint32_t number) {
  platform::Random random(number, /*stream=*/1);
  look_what_is_ready(machine);
  while (moves_.size() < kRandomStepsMax && ready_.count > 0) {
    const Move move = ready_.draws
                          ? draw(machine, random)
                          : ready_.moves[picks.pick({ready_.candidates.data(), ready_.count}, ready_.timers)];
    moves_.push_back(move);
    ++steps_;
    Watch& watch = watches_[move.thread];
    if (move.kind == Move::Kind::step && watch.polls_at == version_) {
      poll_again(watch);
      continue;
    }
    const Happening happening = carry_out(machine, move);
    if (happening.fault != FaultKind::none) return keep(machine, happening.fault);
    if (!is_ready_as_before(machine, happening)) look_what_is_ready(machine);
  }
  if (ready_.count == 0) {
    const FaultKind fault = machine.fault_at_the_end(state_);
    if (fault != FaultKind::none) keep(machine, fault);
    return;
  }
  // A search of all later states shows whether an end was only unlucky.
  if (is_trapped(machine)) return keep(machine, FaultKind::no_end);
  ++without_end_;
}

void RandomSchedules::run(uint32_t number) {
  const CheckedMachine& machine = machine_of(number);
  const uint32_t length = expected_steps();
  configuration_ = machine.configuration();
  moves_.clear();
  watches_ = {};
  version_ = 1;
  ++schedules_;
  const Happening begun = machine.begin(state_);
  if (begun.fault != FaultKind::none) return keep(machine, begun.fault);
  switch (number % 4) {
    case 0:
      return run_with(platform::RandomPicks(number, /*run_length=*/1), machine, number);
    case 1:
      return run_with(platform::RandomPicks(number, kLongRun), machine, number);
    default:
      return run_with(platform::PctPicks(number, /*depth=*/2 + number / 4 % 3, length), machine, number);
  }
}

}  // namespace latchscope::lab
