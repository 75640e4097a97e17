#include "lab/check_moves.h"

#include <algorithm>

namespace latchscope::lab {

namespace {

constexpr uint32_t kChoicesTriedMax = 4;  // of random(n)

#define LATCHSCOPE_QUOTE_FAULT(name) #name,
constexpr std::string_view kFaultNames[] = {"none", LATCHSCOPE_LAB_FAULTS(LATCHSCOPE_QUOTE_FAULT)};
#undef LATCHSCOPE_QUOTE_FAULT

FaultKind fault_of_wrong(Wrong wrong) {
  switch (wrong) {
    case Wrong::nothing:
    case Wrong::no_time:  // the checker has no clock
      return FaultKind::none;
    case Wrong::index_too_large:
      return FaultKind::index_too_large;
    case Wrong::division_by_zero:
      return FaultKind::division_by_zero;
    case Wrong::no_access:
      return FaultKind::no_access;
    case Wrong::check_failed:
      return FaultKind::check_failed;
  }
  return FaultKind::none;
}

uint32_t value_after(Op op, uint32_t before, uint32_t a, uint32_t b) {
  switch (op) {
    case Op::exchange:
      return a;
    case Op::compare_exchange:
      return before == a ? b : before;
    case Op::fetch_add:
      return before + a;
    case Op::fetch_sub:
      return before - a;
    case Op::fetch_and:
      return before & a;
    case Op::fetch_or:
      return before | a;
    default:
      return before ^ a;
  }
}

}  // namespace

std::string_view name_of(FaultKind kind) {
  return kFaultNames[static_cast<uint32_t>(kind)];
}

CheckedMachine::CheckedMachine(const CheckedProgram& program, const Configuration& configuration)
    : program_(program), configuration_(configuration), layout_(program.program(), configuration.threads) {}

// --- possible moves ------------------------------------------------------------------------------

void CheckedMachine::add_choices(const ThreadState& thread, uint32_t number, Moves& moves) const {
  const uint32_t below = thread.registers[next_of(thread).a];
  const auto add = [&](uint32_t value) { moves.add({number, Move::Kind::choice, value}); };
  if (below <= kChoicesTriedMax) {
    for (uint32_t value = 0; value < below; ++value)
      add(value);
    return;
  }
  moves.leaves_out_choices = true;
  add(0);
  add(below / 2);
  add(below - 1);
}

Moves CheckedMachine::possible(const MachineState& state) const {
  Moves moves;
  if (state.stage == Stage::done) return moves;
  for (uint32_t number = 0; number < threads(); ++number) {
    if (!is_choice(state.threads[number])) continue;
    add_choices(state.threads[number], number, moves);
    return moves;
  }
  for (uint32_t number = 0; number < threads(); ++number) {
    const ThreadState& thread = state.threads[number];
    if (can_step(thread)) moves.add({number, Move::Kind::step, 0});
    if (thread.stores > 0) moves.add({number, Move::Kind::takes_effect, 0});
  }
  return moves;
}

bool CheckedMachine::is_possible(const MachineState& state, const Move& move) const {
  const Moves moves = possible(state);
  if (move.kind == Move::Kind::choice) {
    return moves.count > 0 && moves.moves[0].kind == Move::Kind::choice &&
           moves.moves[0].thread == move.thread &&
           move.value < state.threads[move.thread].registers[next_of(state.threads[move.thread]).a];
  }
  return std::ranges::find(moves.all(), move) != moves.all().end();
}

FaultKind CheckedMachine::fault_at_the_end(const MachineState& state) const {
  if (state.stage == Stage::done) return FaultKind::none;
  const bool is_held = std::any_of(state.threads.begin(), state.threads.begin() + threads(),
                                   [](const ThreadState& thread) { return thread.phase == Phase::holding; });
  if (is_held) return FaultKind::deadlock;
  for (uint32_t number = 0; number < threads(); ++number) {
    if (has_been_in(state.threads[number])) return FaultKind::lost_wake_up;
    if (state.threads[number].status == Status::asleep && gets_in_once_woken(state, number))
      return FaultKind::lost_wake_up;
  }
  return FaultKind::deadlock;
}

bool CheckedMachine::has_been_in(const ThreadState& thread) const {
  return thread.status == Status::ended ||
         (!configuration_.runs_client(program_.program()) && thread.rounds_left < configuration_.rounds);
}

bool CheckedMachine::gets_in_once_woken(MachineState state, uint32_t number) const {
  constexpr uint32_t kMovesAlone = 300;
  ThreadState& thread = state.threads[number];
  const uint32_t slept_on = thread.sleeps_on;
  for (ThreadState& other : state.threads) {
    if (other.status == Status::asleep && other.sleeps_on == slept_on &&
        other.sleep_order > thread.sleep_order)
      --other.sleep_order;
  }
  thread.status = Status::running;
  thread.sleeps_on = thread.sleep_order = 0;
  Happening woken;
  go_on_locally(state, number, woken);
  for (uint32_t moves = 0; moves < kMovesAlone && thread.is_in_enter(); ++moves) {
    const Moves all = possible(state);
    const auto own = std::ranges::find_if(all.all(), [&](const Move& move) { return move.thread == number; });
    if (own == all.all().end()) return false;
    carry_out(state, *own);
  }
  return !thread.is_in_enter();
}

// --- calls ---------------------------------------------------------------------------------------

void CheckedMachine::accuse(FaultKind fault, uint32_t number, uint32_t place, Happening& happening) const {
  if (happening.fault != FaultKind::none) return;  // the first fault counts
  happening.fault = fault;
  happening.fault_thread = number;
  happening.fault_place = place;
}

void CheckedMachine::call_enter(ThreadState& thread, bool shared) const {
  const Program& program = program_.program();
  thread.phase = Phase::entering;
  thread.is_shared = shared;
  thread.pc = program.function(shared ? FunctionName::enter_shared : FunctionName::enter).begin;
}

void CheckedMachine::call_exit(ThreadState& thread) const {
  const Program& program = program_.program();
  thread.calls_exit = true;
  thread.pc = program.function(thread.is_shared ? FunctionName::exit_shared : FunctionName::exit).begin;
}

bool CheckedMachine::call(MachineState& state, uint32_t number, const Instruction& instruction,
                          Happening& happening) const {
  ThreadState& thread = state.threads[number];
  const auto function = static_cast<FunctionName>(instruction.immediate);
  const bool shared = function == FunctionName::enter_shared || function == FunctionName::exit_shared;
  const bool enters = function == FunctionName::enter || function == FunctionName::enter_shared;
  const bool may =
      enters ? thread.phase == Phase::outside : thread.phase == Phase::holding && thread.is_shared == shared;
  if (!may) {
    accuse(FaultKind::exit_without_enter, number, thread.pc, happening);
    return false;
  }
  thread.return_to = thread.pc + 1;
  if (enters) {
    call_enter(thread, shared);
  } else {
    call_exit(thread);
  }
  return true;
}

// Returns false if the thread has ended.
bool CheckedMachine::give_back(MachineState& state, uint32_t number, Happening& happening) const {
  ThreadState& thread = state.threads[number];
  if (thread.is_in_enter()) {
    thread.phase = Phase::holding;
    happening.got_in = true;
    if (thread.return_to == 0) call_exit(thread);
  } else if (thread.is_in_exit()) {
    thread.phase = Phase::outside;
    thread.is_shared = false;
    thread.calls_exit = false;
    if (thread.return_to == 0 && configuration_.rounds != kForEver && --thread.rounds_left == 0)
      return end(state, number, happening);
    if (thread.return_to == 0) call_enter(thread, configuration_.roles[number] == Role::shared);
  } else {
    return end(state, number, happening);
  }
  if (thread.return_to != 0) thread.pc = thread.return_to;
  thread.return_to = 0;
  return true;
}

bool CheckedMachine::end(MachineState& state, uint32_t number, Happening& happening) const {
  ThreadState& thread = state.threads[number];
  thread.status = Status::ended;
  thread.pc = 0;
  thread.return_to = 0;
  if (state.stage == Stage::at_end) {
    state.stage = Stage::done;
  } else {
    begin_at_end(state, happening);
  }
  return false;
}

// Starts at_end() if all threads have ended.
void CheckedMachine::begin_at_end(MachineState& state, Happening& happening) const {
  for (uint32_t number = 0; number < threads(); ++number) {
    if (state.threads[number].status != Status::ended || state.threads[number].stores > 0) return;
  }
  const FunctionRange& at_end = program_.program().function(FunctionName::at_end);
  state.stage = at_end.is_there() ? Stage::at_end : Stage::done;
  if (!at_end.is_there()) return;
  ThreadState& first = state.threads[0];
  first.status = Status::running;
  first.pc = at_end.begin;
  happening.others_go_on = true;
  go_on_locally(state, 0, happening);
}

// Runs the thread up to its next access or to a random() with several results. Also stops at the
// end of an exit that has touched nothing, and at the end of the thread.
void CheckedMachine::go_on_locally(MachineState& state, uint32_t number, Happening& happening) const {
  ThreadState& thread = state.threads[number];
  for (uint32_t done = 0; done < kLocalStepsMax;) {
    uint32_t pc = thread.pc;
    const LocalStop stop = run_until_access(program_.program(), pc, thread.registers);
    thread.pc = static_cast<uint32_t>(stop.at - program_.program().code.data());
    done += stop.instructions + 1;
    if (stop.wrong != Wrong::nothing) return accuse(fault_of_wrong(stop.wrong), number, thread.pc, happening);
    switch (stop.at->op) {
      case Op::pause:
      case Op::yield:
        if (number == happening.thread) happening.has_waited = true;
        ++thread.pc;
        break;
      case Op::random:
        if (thread.registers[stop.at->a] > 1) return;
        thread.registers[stop.at->target] = 0;
        ++thread.pc;
        break;
      case Op::call:
        if (!call(state, number, *stop.at, happening)) return;
        break;
      case Op::give_back:
        if (thread.calls_exit || !give_back(state, number, happening)) return;
        break;
      default:
        return;
    }
  }
  accuse(FaultKind::no_access, number, thread.pc, happening);
}

void CheckedMachine::start(MachineState& state, uint32_t number, Happening& happening) const {
  ThreadState& thread = state.threads[number];
  thread = ThreadState{};
  thread.registers[kThreadNumber] = number + 1;
  thread.registers[kThreads] = threads();
  thread.rounds_left = configuration_.rounds;
  happening.thread = number;
  if (configuration_.runs_client(program_.program())) {
    thread.rounds_left = 0;
    thread.pc = program_.program().function(FunctionName::client).begin;
  } else {
    call_enter(thread, configuration_.roles[number] == Role::shared);
  }
}

Happening CheckedMachine::begin(MachineState& state) const {
  Happening happening;
  state.stage = Stage::clients;
  const Program& program = program_.program();
  for (size_t word = 0; word < program.words.size(); ++word) {
    const auto number = static_cast<uint32_t>(word);
    for (uint32_t index = 0; index < layout_.count_of(number); ++index)
      state.elements[layout_.first_of(number) + index] =
          program.words[word].initial_is_index ? index : program.words[word].initial;
  }
  for (uint32_t number = 0; number < threads(); ++number)
    start(state, number, happening);
  for (uint32_t number = 0; number < threads(); ++number)
    go_on_locally(state, number, happening);
  look_for_two_holders(state, happening);
  return happening;
}

// --- accesses ------------------------------------------------------------------------------------

uint32_t CheckedMachine::next_element(const ThreadState& thread) const {
  const Instruction& instruction = next_of(thread);
  if (!has_word(instruction.op)) return kNoElement;
  const uint32_t index = instruction.index() == kNoIndex ? 0 : thread.registers[instruction.index()];
  if (index >= layout_.count_of(instruction.word())) return kNoElement;
  return layout_.first_of(instruction.word()) + index;
}

// A thread sees its own latest store.
uint32_t CheckedMachine::read(const MachineState& state, const ThreadState& thread, uint32_t element) const {
  for (uint32_t store = thread.stores; store > 0; --store) {
    if (thread.buffer[store - 1].element == element) return thread.buffer[store - 1].value;
  }
  return state.elements[element];
}

void CheckedMachine::write(MachineState& state, uint32_t value, Happening& happening) const {
  uint32_t& element = state.elements[happening.element];
  happening.before = element;
  happening.after = value;
  happening.has_written = true;
  happening.changed_words |= element != value;
  element = value;
}

void CheckedMachine::store(MachineState& state, ThreadState& thread, uint32_t value,
                           Happening& happening) const {
  if (!has_store_buffers()) return write(state, value, happening);
  happening.before = state.elements[happening.element];
  happening.after = value;
  happening.has_written = true;
  happening.is_buffered = true;
  happening.changed_words = true;  // when the store takes effect
  thread.buffer[thread.stores++] = {happening.element, value, thread.pc};
}

void CheckedMachine::read_modify_write(MachineState& state, ThreadState& thread,
                                       const Instruction& instruction, Happening& happening) const {
  const uint32_t a = thread.registers[instruction.a];
  const uint32_t b = instruction.op == Op::compare_exchange ? thread.registers[instruction.b] : 0;
  write(state, value_after(instruction.op, state.elements[happening.element], a, b), happening);
  happening.has_read = true;
  if (instruction.op == Op::compare_exchange) happening.has_written = happening.before == a;
  happening.has_result = true;
  happening.result = happening.before;
  thread.registers[instruction.target] = happening.before;
}

void CheckedMachine::fall_asleep(MachineState& state, ThreadState& thread, uint32_t element) const {
  uint32_t sleepers = 0;
  for (uint32_t number = 0; number < threads(); ++number) {
    const ThreadState& other = state.threads[number];
    sleepers += other.status == Status::asleep && other.sleeps_on == element ? 1 : 0;
  }
  thread.status = Status::asleep;
  thread.sleeps_on = element;
  thread.sleep_order = sleepers;
}

uint32_t CheckedMachine::wake(MachineState& state, uint32_t element, uint32_t at_most,
                              Happening& happening) const {
  uint32_t woken = 0;
  for (bool found = true; found && woken < at_most;) {
    found = false;
    for (uint32_t number = 0; number < threads(); ++number) {
      ThreadState& thread = state.threads[number];
      if (thread.status != Status::asleep || thread.sleeps_on != element || thread.sleep_order != woken)
        continue;
      thread.status = Status::running;
      thread.sleeps_on = 0;
      thread.sleep_order = 0;
      ++woken;
      found = true;
      happening.others_go_on = true;
      go_on_locally(state, number, happening);
      break;
    }
  }
  for (uint32_t number = 0; number < threads(); ++number) {
    ThreadState& thread = state.threads[number];
    if (thread.status == Status::asleep && thread.sleeps_on == element) thread.sleep_order -= woken;
  }
  return woken;
}

void CheckedMachine::carry_out_access(MachineState& state, uint32_t number, Happening& happening) const {
  ThreadState& thread = state.threads[number];
  const Instruction& instruction = next_of(thread);
  happening.place = thread.pc;
  if (thread.calls_exit) {
    thread.calls_exit = false;
    thread.phase = Phase::exiting;
  }
  if (instruction.op == Op::give_back) {
    happening.what = Happening::What::leaves;
    happening.changed_words = true;
    if (give_back(state, number, happening)) go_on_locally(state, number, happening);
    return;
  }
  happening.element = next_element(thread);
  if (has_word(instruction.op) && happening.element == kNoElement)
    return accuse(FaultKind::index_too_large, number, thread.pc, happening);
  switch (instruction.op) {
    case Op::fence:
      break;
    case Op::load:
      happening.before = happening.after = happening.result = read(state, thread, happening.element);
      happening.has_read = true;
      happening.has_result = true;
      thread.registers[instruction.target] = happening.result;
      break;
    case Op::store:
      store(state, thread, thread.registers[instruction.a], happening);
      break;
    case Op::futex_wait:
      happening.before = happening.after = state.elements[happening.element];
      happening.has_read = true;
      if (happening.before != thread.registers[instruction.a]) break;
      happening.fell_asleep = true;
      fall_asleep(state, thread, happening.element);
      ++thread.pc;
      return;
    case Op::futex_wake:
      happening.before = happening.after = state.elements[happening.element];
      happening.has_result = true;
      happening.result = wake(state, happening.element, thread.registers[instruction.a], happening);
      happening.changed_words |= happening.result > 0;
      thread.registers[instruction.target] = happening.result;
      break;
    default:
      read_modify_write(state, thread, instruction, happening);
  }
  ++thread.pc;
  go_on_locally(state, number, happening);
}

void CheckedMachine::take_effect(MachineState& state, ThreadState& thread, Happening& happening) const {
  const BufferedStore oldest = thread.buffer[0];
  happening.what = Happening::What::takes_effect;
  happening.place = oldest.place;
  happening.element = oldest.element;
  write(state, oldest.value, happening);
  std::copy(thread.buffer.begin() + 1, thread.buffer.begin() + thread.stores, thread.buffer.begin());
  --thread.stores;
  if (thread.status == Status::ended && state.stage == Stage::clients) begin_at_end(state, happening);
}

void CheckedMachine::look_for_two_holders(const MachineState& state, Happening& happening) const {
  if (!happening.got_in || happening.fault != FaultKind::none) return;
  uint32_t holders = 0, last = 0;
  bool all_shared = true;
  for (uint32_t number = 0; number < threads(); ++number) {
    if (state.threads[number].phase != Phase::holding) continue;
    ++holders;
    last = number;
    all_shared = all_shared && state.threads[number].is_shared;
  }
  if (holders > 1 && !all_shared)
    accuse(FaultKind::mutual_exclusion, last, state.threads[last].pc, happening);
}

Happening CheckedMachine::carry_out(MachineState& state, const Move& move) const {
  Happening happening;
  happening.thread = move.thread;
  ThreadState& thread = state.threads[move.thread];
  happening.phase_before = thread.phase;
  switch (move.kind) {
    case Move::Kind::step:
      carry_out_access(state, move.thread, happening);
      break;
    case Move::Kind::takes_effect:
      take_effect(state, thread, happening);
      break;
    case Move::Kind::choice:
      happening.what = Happening::What::choice;
      happening.place = thread.pc;
      happening.has_result = true;
      happening.result = move.value;
      thread.registers[next_of(thread).target] = move.value;
      ++thread.pc;
      go_on_locally(state, move.thread, happening);
      break;
  }
  look_for_two_holders(state, happening);
  return happening;
}

}  // namespace latchscope::lab
