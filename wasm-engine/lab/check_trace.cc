#include "lab/check_trace.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "lab/check_circles.h"
#include "lab/check_search.h"
#include "lab/check_starvation.h"

namespace latchscope::lab {

namespace {

constexpr size_t kScheduleMovesMax = 100'000;
constexpr uint32_t kTrapStatesMax = 200'000;
constexpr uint32_t kSettlingMovesMax = 400;
constexpr uint64_t kShorteningMovesMax = 20'000'000;
constexpr uint64_t kShorteningSearchesMax = 50;
constexpr uint32_t kShorteningStatesMax = 20'000;  // of each search

// --- schedules as text ---------------------------------------------------------------------------

std::string text_of(const Move& move) {
  std::string text = std::to_string(move.thread + 1);
  if (move.kind == Move::Kind::takes_effect) text += 'b';
  if (move.kind == Move::Kind::choice) text += '?' + std::to_string(move.value);
  return text;
}

class ScheduleReader {
 public:
  explicit ScheduleReader(std::string_view text) : text_(text) {}

  std::optional<CheckSchedule> read() {
    CheckSchedule schedule;
    bool is_open = false, is_closed = false;
    while (!text_.empty()) {
      if (takes('(')) {
        if (schedule.circle_begin != kNoCircle) return std::nullopt;
        schedule.circle_begin = static_cast<uint32_t>(schedule.moves.size());
        is_open = true;
      }
      if (is_closed || !read_run(schedule.moves)) return std::nullopt;
      if (takes(')')) {
        if (!is_open) return std::nullopt;
        is_open = false;
        is_closed = true;
      }
      if (!text_.empty() && !takes(' ')) return std::nullopt;
    }
    if (is_open) return std::nullopt;
    return schedule;
  }

 private:
  bool takes(char wanted) {
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<uint32_t> number() {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    return value;
  }
  bool read_run(std::vector<Move>& moves) {
    const auto thread = number();
    if (!thread || *thread == 0 || *thread > kCheckedThreadsMax) return false;
    Move move{*thread - 1, Move::Kind::step, 0};
    if (takes('b')) move.kind = Move::Kind::takes_effect;
    if (takes('?')) {
      const auto value = number();
      if (!value || move.kind != Move::Kind::step) return false;
      move = {move.thread, Move::Kind::choice, *value};
    }
    uint32_t times = 1;
    if (takes('x')) times = number().value_or(0);
    if (times == 0 || times > kScheduleMovesMax - moves.size()) return false;
    moves.insert(moves.end(), times, move);
    return true;
  }

  std::string_view text_;
};

// --- sentences -----------------------------------------------------------------------------------

std::string thread_text(uint32_t number) {
  return "thread " + std::to_string(number + 1);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string place_text(const CheckedProgram& program, uint32_t place) {
  return std::string(name_of(program.function_of(place))) + " (line " +
         std::to_string(program.line_of(place)) + ")";
}

class Sentence {
 public:
  Sentence(const CheckedMachine& machine, const MachineState& state)
      : machine_(machine), program_(machine.program()), state_(state) {}

  std::string of(const Happening& happening) const {
    const std::string who = capital(thread_text(happening.fault_thread));
    const std::string where = "in " + place_text(program_, happening.fault_place);
    switch (happening.fault) {
      case FaultKind::mutual_exclusion:
        return two_holders();
      case FaultKind::exit_without_enter:
        return wrong_call(happening);
      case FaultKind::check_failed:
        return who + " fails a check " + where + ".";
      case FaultKind::index_too_large:
        return who + " uses an index out of range " + where + ".";
      case FaultKind::division_by_zero:
        return who + " divides by zero " + where + ".";
      default:
        return who + " loops " + where + " without accessing a word.";
    }
  }

  std::string of_stuck(FaultKind kind) const {
    const std::string sleepers =
        joined(all([](const ThreadState& thread) { return thread.status == Status::asleep; },
                   [&](uint32_t number) { return sleeps_in(number); }));
    if (kind == FaultKind::lost_wake_up)
      return "No thread holds the latch, and no thread is left to wake the sleepers: " + sleepers + ".";
    const std::string holders =
        joined(all([](const ThreadState& thread) { return thread.phase == Phase::holding; },
                   [](uint32_t number) { return thread_text(number); }));
    if (holders.empty()) return "No thread can continue, and a wake-up would not help: " + sleepers + ".";
    return "No thread can continue: " + sleepers + ", and " + holders + " still holds the latch.";
  }

  // `steps`: how many steps led to the trap.
  std::string of_trap(size_t steps) const {
    const std::string from = steps == 0 ? "From the start" : "After step " + std::to_string(steps);
    return from + " no schedule terminates. Eventually: " +
           joined(all([](const ThreadState& thread) { return thread.status != Status::ended; },
                      [&](uint32_t number) { return waits_in(number); })) +
           ".";
  }

 private:
  template <class Which, class Text>
  std::vector<std::string> all(Which which, Text text) const {
    std::vector<std::string> parts;
    for (uint32_t number = 0; number < machine_.configuration().threads; ++number) {
      if (which(state_.threads[number])) parts.push_back(text(number));
    }
    return parts;
  }
  std::string sleeps_in(uint32_t number) const {
    return thread_text(number) + " in " + place_text(program_, state_.threads[number].pc - 1);
  }
  std::string waits_in(uint32_t number) const {
    const ThreadState& thread = state_.threads[number];
    if (thread.status == Status::asleep)
      return thread_text(number) + " sleeps in " + place_text(program_, thread.pc - 1);
    return thread_text(number) + " loops in " + place_text(program_, thread.pc);
  }
  std::string two_holders() const {
    const auto holds = [](const ThreadState& thread) { return thread.phase == Phase::holding; };
    if (!program_.program().is_rw_latch()) {
      return capital(joined(all(holds, thread_text))) + " hold the latch at the same time.";
    }
    return capital(joined(all(holds,
                              [&](uint32_t number) {
                                return thread_text(number) + (state_.threads[number].is_shared
                                                                  ? " holds the latch shared"
                                                                  : " holds the latch exclusively");
                              }))) +
           ", at the same time.";
  }
  std::string wrong_call(const Happening& happening) const {
    const Instruction& call = program_.program().code[happening.fault_place];
    const auto function = static_cast<FunctionName>(call.immediate);
    const bool enters = function == FunctionName::enter || function == FunctionName::enter_shared;
    const char* without = program_.program().is_rw_latch() ? ", but does not hold the latch in that mode."
                                                           : ", but does not hold the latch.";
    return capital(thread_text(happening.fault_thread)) + " calls " + std::string(name_of(function)) +
           " in " + place_text(program_, happening.fault_place) +
           (enters ? ", but already holds the latch." : without);
  }

  const CheckedMachine& machine_;
  const CheckedProgram& program_;
  const MachineState& state_;
};

// Moves all threads in rotation from a trap, so that each ends where it stays.
void settle(const CheckedMachine& machine, MachineState& state) {
  for (uint32_t moves = 0; moves < kSettlingMovesMax; ++moves) {
    const Moves possible = machine.possible(state);
    if (possible.count == 0) return;
    MachineState next = state;
    if (machine.carry_out(next, possible.moves[moves % possible.count]).fault != FaultKind::none) return;
    state = next;
  }
}

// --- steps ---------------------------------------------------------------------------------------

// The accesses that each thread has made in its present call.
class PresentCalls {
 public:
  void begin(const MachineState& state) {
    for (size_t number = 0; number < calls_.size(); ++number)
      calls_[number] = {state.threads[number].phase, {}};
  }
  void note(const Happening& happening, const MachineState& state) {
    if (happening.what == Happening::What::access)
      calls_[happening.thread].done.push_back({happening.place, happening.element});
    for (size_t number = 0; number < calls_.size(); ++number) {
      if (state.threads[number].phase != calls_[number].phase)
        calls_[number] = {state.threads[number].phase, {}};
    }
  }
  bool has_done(uint32_t number, uint32_t place, uint32_t element) const {
    return std::ranges::find(calls_[number].done, Access{place, element}) != calls_[number].done.end();
  }

 private:
  struct Access {
    uint32_t place, element;
    bool operator==(const Access&) const = default;
  };
  struct Call {
    Phase phase = Phase::outside;
    std::vector<Access> done;
  };
  std::array<Call, kCheckedThreadsMax> calls_;
};

class Tracer {
 public:
  explicit Tracer(const CheckedMachine& machine) : machine_(machine), layout_(machine.layout()) {}

  TraceMoment begin(const MachineState& state) {
    calls_.begin(state);
    return moment_of(state);
  }

  TraceStep step_of(const MachineState& state, const Happening& happening) {
    TraceStep step;
    step.happening = happening;
    step.function = machine_.program().function_of(happening.place);
    step.line = machine_.program().line_of(happening.place);
    step.op = machine_.program().program().code[happening.place].op;
    step.has_word = happening.element != kNoElement;
    if (step.has_word) std::tie(step.word, step.index) = word_and_index(happening.element);
    calls_.note(happening, state);
    step.afterwards = moment_of(state);
    return step;
  }

 private:
  std::pair<uint32_t, uint32_t> word_and_index(uint32_t element) const {
    const uint32_t word = layout_.word_of(element);
    return {word, element - layout_.first_of(word)};
  }

  TraceMoment moment_of(const MachineState& state) const {
    TraceMoment moment;
    moment.elements.assign(state.elements.begin(), state.elements.begin() + layout_.elements());
    for (uint32_t number = 0; number < machine_.configuration().threads; ++number)
      moment.threads.push_back(traced(state.threads[number], number));
    moment.sleepers = sleepers_in(state);
    return moment;
  }

  TracedThread traced(const ThreadState& thread, uint32_t number) const {
    TracedThread traced;
    traced.phase = thread.phase;
    traced.is_shared = thread.is_shared;
    traced.has_ended = thread.status == Status::ended;
    for (uint32_t store = 0; store < thread.stores; ++store) {
      const auto [word, index] = word_and_index(thread.buffer[store].element);
      traced.stores.push_back({word, index, thread.buffer[store].value});
    }
    if (traced.has_ended) return traced;
    const bool is_asleep = thread.status == Status::asleep;
    traced.line = machine_.program().line_of(is_asleep ? thread.pc - 1 : thread.pc);
    if (is_asleep) return traced;
    traced.goes_round = calls_.has_done(number, thread.pc, machine_.next_element(thread));
    traced.waits_for_its_stores = !machine_.can_step(thread) && !machine_.is_choice(thread);
    return traced;
  }

  std::vector<Sleeper> sleepers_in(const MachineState& state) const {
    std::vector<uint32_t> asleep;
    for (uint32_t number = 0; number < machine_.configuration().threads; ++number) {
      if (state.threads[number].status == Status::asleep) asleep.push_back(number);
    }
    std::ranges::sort(asleep, {}, [&](uint32_t number) {
      return std::pair(state.threads[number].sleeps_on, state.threads[number].sleep_order);
    });
    std::vector<Sleeper> sleepers;
    for (const uint32_t number : asleep) {
      const auto [word, index] = word_and_index(state.threads[number].sleeps_on);
      sleepers.push_back({number + 1, word, index});
    }
    return sleepers;
  }

  const CheckedMachine& machine_;
  const ElementLayout& layout_;
  PresentCalls calls_;
};

MachineState state_after(const CheckedMachine& machine, const std::vector<Move>& moves, size_t count) {
  MachineState state;
  machine.begin(state);
  for (size_t i = 0; i < count; ++i)
    machine.carry_out(state, moves[i]);
  return state;
}

bool is_trapped(const CheckedMachine& machine, const MachineState& state) {
  return machine.configuration().rounds != kForEver && can_end(machine, state, kTrapStatesMax) == CanEnd::no;
}

// Returns after how many of the moves no end can be reached. From there on none ever can.
//
// REQUIRES: no end can be reached after the last move.
size_t moves_to_the_trap(const CheckedMachine& machine, const std::vector<Move>& moves) {
  size_t first = 0, last = moves.size();
  while (first < last) {
    const size_t middle = (first + last) / 2;
    if (is_trapped(machine, state_after(machine, moves, middle))) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return last;
}

void judge_the_end(const CheckedMachine& machine, MachineState& state, CheckFault& result) {
  if (machine.possible(state).count == 0) {
    result.kind = machine.fault_at_the_end(state);
    if (result.kind != FaultKind::none) result.sentence = Sentence(machine, state).of_stuck(result.kind);
  } else if (is_trapped(machine, state)) {
    result.kind = FaultKind::no_end;
    settle(machine, state);
    result.sentence = Sentence(machine, state).of_trap(moves_to_the_trap(machine, result.schedule.moves));
  }
}

void judge_circle(const CheckedMachine& machine, const MachineState& begin, MachineState& state,
                  CheckFault& result) {
  if (machine.configuration().rounds != kForEver) return judge_the_end(machine, state, result);
  const auto first = result.schedule.moves.begin() + result.schedule.circle_begin;
  const auto who = who_starves_in(machine, begin, {first, result.schedule.moves.end()});
  if (!who) return;
  result.kind = FaultKind::starvation;
  const FunctionName waits_in =
      begin.threads[*who].is_shared ? FunctionName::enter_shared : FunctionName::enter;
  result.sentence = capital(thread_text(*who)) + " can wait in " + std::string(name_of(waits_in)) +
                    " forever while other threads keep getting in: from step " +
                    std::to_string(result.schedule.circle_begin + 1) +
                    " on, the schedule can repeat forever.";
}

// --- shortening ----------------------------------------------------------------------------------

class Shortener {
 public:
  Shortener(const CheckedMachine& machine, FaultKind kind) : machine_(machine), kind_(kind) {}

  std::vector<Move> shorten(std::vector<Move> moves) {
    if (kind_ == FaultKind::no_end) moves = up_to_the_trap(std::move(moves));
    for (size_t chunk = std::max<size_t>(1, moves.size() / 2);; chunk = std::max<size_t>(1, chunk / 2)) {
      bool shorter = false;
      for (size_t from = 0; from < moves.size() && !is_spent();) {
        std::vector<Move> fewer = moves;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(from),
                    fewer.begin() + static_cast<std::ptrdiff_t>(std::min(from + chunk, fewer.size())));
        if (auto found = that_fails(fewer); found && found->size() < moves.size()) {
          moves = std::move(*found);
          shorter = true;
        } else {
          from += chunk;
        }
      }
      if (is_spent() || (chunk == 1 && !shorter)) return moves;
    }
  }

  // Moves a run of one thread next to an earlier or later run of that thread.
  std::vector<Move> with_fewer_switches(std::vector<Move> moves) {
    for (bool better = true; better && !is_spent();) {
      better = false;
      for (size_t from = 0; from < moves.size() && !better; from = end_of_run(moves, from)) {
        const size_t end = end_of_run(moves, from);
        for (size_t to = 0; to < from && !better && !is_spent(); to = end_of_run(moves, to))
          better = moved(moves, from, end, end_of_run(moves, to));
        for (size_t to = end; to < moves.size() && !better && !is_spent(); to = end_of_run(moves, to))
          better = moved(moves, from, end, to);
      }
    }
    return moves;
  }

 private:
  bool is_spent() const { return moves_ > kShorteningMovesMax || searches_ > kShorteningSearchesMax; }
  static size_t end_of_run(const std::vector<Move>& moves, size_t from) {
    size_t end = from + 1;
    while (end < moves.size() && moves[end].thread == moves[from].thread)
      ++end;
    return end;
  }
  static size_t switches(const std::vector<Move>& moves) {
    size_t runs = 0;
    for (size_t from = 0; from < moves.size(); from = end_of_run(moves, from))
      ++runs;
    return runs;
  }
  bool moved(std::vector<Move>& moves, size_t from, size_t end, size_t to) {
    std::vector<Move> other = moves;
    const auto at = [&](size_t place) { return other.begin() + static_cast<std::ptrdiff_t>(place); };
    if (to <= from) {
      std::rotate(at(to), at(from), at(end));
    } else {
      std::rotate(at(from), at(end), at(to));
    }
    if (switches(other) >= switches(moves)) return false;
    auto found = that_fails(other);
    if (!found || found->size() > moves.size() || switches(*found) >= switches(moves)) return false;
    moves = std::move(*found);
    return true;
  }

  // Returns the possible ones of the moves, up to the fault; nothing if there is none, or another
  // one.
  std::optional<std::vector<Move>> that_fails(const std::vector<Move>& moves) {
    MachineState state;
    if (machine_.begin(state).fault != FaultKind::none) return std::nullopt;
    std::vector<Move> done;
    for (const Move& move : moves) {
      if (!machine_.is_possible(state, move)) continue;
      done.push_back(move);
      ++moves_;
      const Happening happening = machine_.carry_out(state, move);
      if (happening.fault == kind_) return done;
      if (happening.fault != FaultKind::none) return std::nullopt;
    }
    const bool is_stuck = machine_.possible(state).count == 0;
    if (is_stuck) return machine_.fault_at_the_end(state) == kind_ ? std::optional(done) : std::nullopt;
    if (kind_ != FaultKind::no_end) return std::nullopt;
    ++searches_;
    return can_end(machine_, state, kShorteningStatesMax) == CanEnd::no ? std::optional(done) : std::nullopt;
  }

  // Cuts the moves after the trap. Once no end can be reached, none ever can.
  std::vector<Move> up_to_the_trap(std::vector<Move> moves) {
    size_t can = 0, cannot = moves.size();
    while (can + 1 < cannot) {
      const size_t middle = (can + cannot) / 2;
      (that_fails({moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(middle)}) ? cannot : can) =
          middle;
    }
    moves.resize(cannot);
    return moves;
  }

  const CheckedMachine& machine_;
  const FaultKind kind_;
  uint64_t moves_ = 0, searches_ = 0;
};

}  // namespace

std::string CheckSchedule::text() const {
  std::string text;
  for (size_t first = 0, end; first < moves.size(); first = end) {
    for (end = first + 1; end < moves.size() && moves[end] == moves[first] && end != circle_begin;)
      ++end;
    if (first > 0) text += ' ';
    if (first == circle_begin) text += '(';
    text += text_of(moves[first]);
    if (end - first > 1) text += 'x' + std::to_string(end - first);
  }
  return circle_begin == kNoCircle ? text : text + ')';
}

std::optional<CheckSchedule> CheckSchedule::read(std::string_view text) {
  return ScheduleReader(text).read();
}

std::optional<CheckFault> follow(const CheckedMachine& machine, const CheckSchedule& schedule) {
  CheckFault result;
  result.configuration = machine.configuration();
  result.schedule = schedule;
  MachineState state, circle_begin;
  Happening happening = machine.begin(state);
  Tracer tracer(machine);
  result.begin = tracer.begin(state);
  for (size_t i = 0; i < schedule.moves.size() && happening.fault == FaultKind::none; ++i) {
    if (i == schedule.circle_begin) circle_begin = state;
    const Move& move = schedule.moves[i];
    if (move.thread >= machine.configuration().threads || !machine.is_possible(state, move))
      return std::nullopt;
    happening = machine.carry_out(state, move);
    result.steps.push_back(tracer.step_of(state, happening));
  }
  // The schedule continues after a fault.
  if (result.steps.size() < schedule.moves.size()) return std::nullopt;
  if (happening.fault != FaultKind::none) {
    result.kind = happening.fault;
    result.sentence = Sentence(machine, state).of(happening);
  } else if (schedule.circle_begin != kNoCircle) {
    judge_circle(machine, circle_begin, state, result);
  } else {
    judge_the_end(machine, state, result);
  }
  return result;
}

CheckSchedule shorten(const CheckedMachine& machine, const CheckSchedule& schedule, FaultKind kind) {
  Shortener shortener(machine, kind);
  const CheckSchedule shorter{shortener.with_fewer_switches(shortener.shorten(schedule.moves)), kNoCircle};
  return kind == FaultKind::no_end ? with_endless_circle(machine, shorter) : shorter;
}

CheckSchedule with_endless_circle(const CheckedMachine& machine, const CheckSchedule& schedule) {
  const MachineState trapped = state_after(machine, schedule.moves, schedule.moves.size());
  const auto endless = endless_way(machine, trapped, kTrapStatesMax);
  if (!endless) return schedule;
  CheckSchedule longer = schedule;
  longer.moves.insert(longer.moves.end(), endless->way.begin(), endless->way.end());
  longer.circle_begin = static_cast<uint32_t>(longer.moves.size());
  longer.moves.insert(longer.moves.end(), endless->circle.begin(), endless->circle.end());
  return longer;
}

CheckSchedule with_fewer_switches(const CheckedMachine& machine, const CheckSchedule& schedule,
                                  FaultKind kind) {
  return {Shortener(machine, kind).with_fewer_switches(schedule.moves), kNoCircle};
}

}  // namespace latchscope::lab
