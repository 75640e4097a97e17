#include "lab/your_latch.h"

#include <algorithm>
#include <utility>

namespace latchscope::lab {

namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
// One long pause of the machine, such as a suspended laptop, must not count as waiting for a latch.
constexpr uint64_t kLooksUntilHanging = 4;
constexpr uint64_t kLookForRoomNs = 5'000;

}  // namespace

// --- LatchPlace ----------------------------------------------------------------------------------

LatchPlace::LatchPlace(const YourLatchSpec& spec, std::string knob)
    : spec_(spec),
      knob_(std::move(knob)),
      callers_(std::make_unique<Caller[]>(spec.threads + 1)),
      watches_(spec.threads + 1) {}

uint32_t LatchPlace::enroll(YourLatch& latch) {
  latches_.push_back(&latch);
  return static_cast<uint32_t>(latches_.size()) - 1;
}

void LatchPlace::put_in_force(bool is_in_force) {
  was_in_force_ = was_in_force_ || is_in_force;
  in_force_.set_release(is_in_force ? 1 : 0);
  if (stopped_.read_acquire() != kNotStopped) in_force_.set_release(0);
}

void LatchPlace::stop(const Stop& stop) {
  uint32_t expected = kNotStopped;
  if (!stopped_.compare_exchange(expected, kIsBeingStopped)) return;
  stop_ = stop;
  in_force_.set_release(0);
  stopped_.set_release(kIsKnown);
}

bool LatchPlace::look() {
  const uint64_t now_ns = platform::now_ns();
  const uint64_t passed_ns = std::min(now_ns - looked_ns_, spec_.patience_ns / kLooksUntilHanging);
  looked_ns_ = now_ns;
  uint32_t hanging = 0;
  for (uint32_t thread = 1; thread <= spec_.threads; ++thread)
    hanging += hangs(thread, passed_ns) ? 1 : 0;
  if (hanging > 0) stop({.why = Why::nobody_gets_in, .other = hanging, .waited_ns = spec_.patience_ns});
  if (!is_stopped()) return false;
  give_up();
  return !std::exchange(is_told_, true);
}

bool LatchPlace::hangs(uint32_t thread, uint64_t passed_ns) {
  Watch& watch = watches_[thread];
  const uint32_t in_call_of = callers_[thread].in_call_of.read_acquire();
  const YourLatch* latch = in_call_of == 0 ? nullptr : latches_[in_call_of - 1];
  if (latch == nullptr) {
    watch.waited_ns = 0;
    return false;
  }
  const uint32_t calls = callers_[thread].calls.read();
  const uint64_t seen = latch->occupants_.seen();
  const bool is_standing =
      calls == watch.calls && seen == watch.occupancy && !latch->occupants_.is_anybody_in();
  watch = {calls, seen, is_standing ? watch.waited_ns + passed_ns : 0};
  return watch.waited_ns > spec_.patience_ns;
}

// look() repeats this until all have left, because a pending store may undo the value that wakes a
// thread.
void LatchPlace::give_up() {
  std::vector<bool> is_given_up(latches_.size());
  for (uint32_t thread = 1; thread <= spec_.threads; ++thread) {
    const uint32_t in_call_of = callers_[thread].in_call_of.read_acquire();
    if (in_call_of == 0 || latches_[in_call_of - 1] == nullptr || is_given_up[in_call_of - 1]) continue;
    is_given_up[in_call_of - 1] = true;
    latches_[in_call_of - 1]->latch_.give_up();
  }
}

bool LatchPlace::is_left() const {
  for (uint32_t thread = 1; thread <= spec_.threads; ++thread) {
    if (callers_[thread].in_call_of.read_acquire() != 0) return false;
  }
  return std::ranges::none_of(latches_, [](const YourLatch* latch) {
    return latch != nullptr && latch->occupants_.is_anybody_in_by_readers();
  });
}

bool LatchPlace::was_entered() const {
  return std::any_of(callers_.get(), callers_.get() + spec_.threads + 1,
                     [](const Caller& caller) { return caller.calls.read() > 0; });
}

std::string LatchPlace::why_stopped() const {
  if (!is_stopped()) return "";
  const std::string thread = std::to_string(stop_.thread);
  switch (stop_.why) {
    case Why::two_were_in:
      return "thread " + thread + " got in while thread " + std::to_string(stop_.other) + " was in";
    case Why::nobody_gets_in:
      return "nobody got in for " + std::to_string(stop_.waited_ns / kNsPerMs) + " ms, while " +
             std::to_string(stop_.other) +
             (stop_.other == 1 ? " thread waited in it" : " threads waited in it");
    case Why::cannot_go_on:
      // Latches of the gallery in a workload file have no line there.
      return "thread " + thread + " could not go on" +
             (stop_.source_line == 0 ? "" : " in line " + std::to_string(stop_.source_line)) + ": " +
             describe(stop_.wrong);
  }
  return "";
}

// --- YourLatch -----------------------------------------------------------------------------------

// Marks its thread as being in a call of the latch while it exists.
class YourLatch::Call {
 public:
  Call(LatchPlace& place, uint32_t thread, uint32_t latch) : caller_(place.callers_[thread]) {
    caller_.calls.add(1);
    // Sequentially consistent, unlike a store: the coordinator sees the call from here on.
    uint32_t none = 0;
    caller_.in_call_of.compare_exchange(none, latch + 1);
  }
  ~Call() { caller_.in_call_of.set_release(0); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  LatchPlace::Caller& caller_;
};

bool YourLatch::enter(FunctionName function, const telemetry::LatchSite& site) {
  const uint32_t thread = place_.is_in_force() ? place_.number_of_caller() : 0;
  if (thread == 0) return false;
  const bool is_shared = function == FunctionName::enter_shared;
  Call call(place_, thread, number_);
  if (!place_.is_in_force()) return false;
  const bool is_let_in = latch_.enter_uncounted(function, site, thread);
  if (!is_let_in) stop_if_it_cannot_go_on();
  if (!is_let_in || !may_stay(thread, is_shared)) {
    telemetry::recorder().latch_line_left(site.id, latch_.number());
    return false;
  }
  telemetry::recorder().latch_acquired(site, latch_.number());
  if (is_shared) place_.callers_[thread].is_in_shared = true;
  return true;
}

void YourLatch::stop_if_it_cannot_go_on() {
  const LabLatch::Problem problem = latch_.problem();
  if (problem.wrong == Wrong::nothing) return;  // the latch was given up
  place_.stop({.why = LatchPlace::Why::cannot_go_on,
               .thread = problem.thread,
               .wrong = problem.wrong,
               .source_line = place_.program().source_lines[problem.instruction]});
}

// REQUIRES: the user's latch has let the thread in.
bool YourLatch::may_stay(uint32_t thread, bool is_shared) {
  for (;;) {
    switch (occupants_.enter(Occupants::Way::by_readers_latch, is_shared)) {
      case Occupants::Outcome::is_in:
        last_in_.set(thread);
        return true;
      case Occupants::Outcome::somebody_in_by_own:
        platform::sleep_ns(kLookForRoomNs);
        break;
      case Occupants::Outcome::somebody_in_by_readers:
        place_.stop({.why = LatchPlace::Why::two_were_in, .thread = thread, .other = last_in_.read()});
        return false;
    }
  }
}

void YourLatch::enter_beside_own(bool is_shared) {
  while (occupants_.enter(Occupants::Way::by_own, is_shared) != Occupants::Outcome::is_in)
    platform::sleep_ns(kLookForRoomNs);
}

bool YourLatch::exit() {
  const bool is_by_readers = occupants_.is_exclusive_by_readers();
  if (is_by_readers) {
    exit_by_readers(false);
  } else {
    exit_by_own(false);
  }
  return is_by_readers;
}

bool YourLatch::exit_shared() {
  const uint32_t thread = place_.number_of_caller();
  const bool is_by_readers = thread != 0 && std::exchange(place_.callers_[thread].is_in_shared, false);
  if (is_by_readers) {
    exit_by_readers(true);
  } else {
    exit_by_own(true);
  }
  return is_by_readers;
}

void YourLatch::exit_by_readers(bool is_shared) {
  const uint32_t thread = place_.number_of_caller();
  Call call(place_, thread, number_);
  occupants_.leave(Occupants::Way::by_readers_latch, is_shared);
  if (!(is_shared ? latch_.exit_shared(thread) : latch_.exit(thread))) stop_if_it_cannot_go_on();
}

}  // namespace latchscope::lab
