#include "workload/script_body.h"

#include <algorithm>

#include "telemetry/chronicle.h"

namespace latchscope::workload {

namespace {

constexpr uint64_t kPsPerMs = 1'000'000'000;
constexpr uint64_t kLongestPs = 3'600'000 * kPsPerMs;  // of one work, think or sleep
// A long piece of work or sleep is done in parts, so that it can be cut.
constexpr uint64_t kWorkPartPs = 10 * kPsPerMs;
constexpr uint64_t kSleepPartPs = 5 * kPsPerMs;
// An io cannot be cut.
constexpr uint64_t kLongestIoUs = 10'000'000;
constexpr uint64_t kPausesMax = 1'000'000;
constexpr uint32_t kEffectsPerLook = 4'096;
constexpr uint32_t kLooksAtOneTimeMax = 1'000'000 / kEffectsPerLook;
// Limits how long the engine waits for the clients. Within the seconds of patience, a loop of short
// steps could keep a host busy for minutes. Each thread may take 2 million steps, so that it can spin
// until a device is done.
constexpr uint32_t kEffectsAwaitedMax = 40'000'000;  // of all threads
constexpr uint32_t kLooksAwaitedMin = 512;           // of each thread

}  // namespace

platform::Random random_of(uint64_t seed, uint32_t group, uint32_t index, uint64_t repetition) {
  return platform::Random(seed ^ platform::split_mix_64((uint64_t{group} << 32) | index), repetition);
}

ScriptBody::ScriptBody(ScriptWorld& world, uint32_t group, uint32_t index, uint32_t thread)
    : world_(world),
      group_(group),
      index_(index),
      thread_(thread),
      frame_(world.group(group)),
      random_(0),
      pc_(world.program().groups[group].begin),
      held_{},
      acquisitions_(world.acquisitions(thread)),
      effects_until_look_(kEffectsPerLook) {
  registers_[kScriptThreadNumber] = thread;
  registers_[kScriptThreads] = world.clients();
  registers_[kScriptIndex] = index;
  begin_again();
}

void ScriptBody::begin_again() {
  pc_ = world_.program().groups[group_].begin;
  random_ = random_of(world_.seed(), group_, index_, repetition_++);
}

bool ScriptBody::run_through(ScriptOp last, ClientGate& gate) {
  while (!is_over_) {
    const ScriptStop stop = run_until_effect(world_.program(), world_.conditions(), random_, pc_, registers_);
    world_.note_place(thread_, *stop.at);
    if (stop.wrong != ScriptWrong::nothing) return stop_for(stop.wrong);
    if (world_.is_cut()) return end();
    if (--effects_until_look_ == 0 && !look()) return false;
    if (!perform(*stop.at, gate)) return false;
    if (stop.at->op == last) return true;
  }
  return false;
}

bool is_stopping() {
  const uint32_t state = telemetry::block().header.run_state[0].read_acquire();
  return static_cast<telemetry::RunState>(state) == telemetry::RunState::stopping;
}

// Ends the body and returns false after some 10^6 effects at one moment of the modelled server. The same
// happens if the engine has waited for the clients for too many effects.
bool ScriptBody::look() {
  effects_until_look_ = kEffectsPerLook;
  const uint64_t now_ps = platform::now_ps();
  looks_at_one_time_ = now_ps == looked_ps_ ? looks_at_one_time_ + 1 : 0;
  looked_ps_ = now_ps;
  if (looks_at_one_time_ >= kLooksAtOneTimeMax) return stop_for(ScriptWrong::no_time);
  if (!is_stopping() && !world_.awaits_clients()) {
    looks_awaited_ = 0;
    return true;
  }
  const uint32_t most = std::max(kEffectsAwaitedMax / kEffectsPerLook / world_.threads(), kLooksAwaitedMin);
  if (++looks_awaited_ < most) return true;
  if (!is_stopping()) return stop_for(ScriptWrong::too_slow);
  world_.cut();
  return end();
}

// Stops at a closed gate. Returns false if the body must not continue. When the run ends, a transaction
// is to end too, so it does not stop.
bool ScriptBody::may_go_on(ClientGate& gate) {
  if (held_count_ > 0) return true;
  if (!is_in_transaction_) return gate.pass();
  if (is_stopping() || gate.pass()) return true;
  world_.cut();
  return end();
}

// NOLINTNEXTLINE(readability-function-size): a case for each operation
bool ScriptBody::perform(const ScriptInstruction& at, ClientGate& gate) {
  switch (at.op) {
    case ScriptOp::work:
      return work(registers_[at.a]);
    case ScriptOp::think:
      return sleep(registers_[at.a], gate, false);
    case ScriptOp::sleep:
      return sleep(registers_[at.a], gate, true);
    case ScriptOp::arrive:
    case ScriptOp::arrive_exponential:
      return arrive(registers_[at.a], at.op == ScriptOp::arrive_exponential, gate);
    case ScriptOp::pause:
      platform::pause(static_cast<uint32_t>(std::min<uint64_t>(registers_[at.a], kPausesMax)));
      return true;
    case ScriptOp::yield:
      platform::yield();
      return true;
    case ScriptOp::fence:
      platform::fence();
      return true;
    case ScriptOp::load:
    case ScriptOp::store:
    case ScriptOp::exchange:
    case ScriptOp::compare_exchange:
    case ScriptOp::fetch_add:
    case ScriptOp::fetch_sub:
    case ScriptOp::fetch_and:
    case ScriptOp::fetch_or:
    case ScriptOp::fetch_xor:
    case ScriptOp::futex_wait:
    case ScriptOp::futex_wake:
    case ScriptOp::wait:
      return access(at, gate);
    case ScriptOp::io:
      return io(world_.device(at.immediate), registers_[at.a]);
    case ScriptOp::count:
      telemetry::count_of_script(at.immediate - 1, registers_[at.a]);
      return true;
    case ScriptOp::led_by:
      is_led_by(registers_[at.a]);
      return true;
    case ScriptOp::transaction_begin:
      is_in_transaction_ = true;
      return true;
    case ScriptOp::transaction_end:
      end_transaction();
      return true;
    case ScriptOp::frame_begin:
      telemetry::recorder().push_frame(world_.part(at.immediate).id);
      ++frames_;
      return true;
    case ScriptOp::frame_end:
      telemetry::recorder().pop_frame();
      --frames_;
      return true;
    case ScriptOp::enter:
      return enter(at);
    case ScriptOp::try_enter:
      return try_enter(at);
    case ScriptOp::leave:
      leave();
      return true;
    case ScriptOp::give_back:
      begin_again();
      return true;
    default:
      return true;
  }
}

bool ScriptBody::work(uint64_t duration_ps) {
  if (duration_ps > kLongestPs) return stop_for(ScriptWrong::too_long);
  while (duration_ps > kWorkPartPs) {
    platform::charge_ps(kWorkPartPs);
    if (world_.is_cut()) return end();
    duration_ps -= kWorkPartPs;
  }
  platform::charge_ps(duration_ps);
  return true;
}

bool ScriptBody::sleep(uint64_t duration_ps, ClientGate& gate, bool has_slack) {
  if (duration_ps > kLongestPs) return stop_for(ScriptWrong::too_long);
  telemetry::StateScope state(telemetry::ThreadState::sleeping);
  const uint64_t until_ps = platform::now_ps() + duration_ps;
  uint64_t rest_ps = duration_ps;
  while (rest_ps > kSleepPartPs) {
    platform::await_message_ps(kSleepPartPs);
    if (world_.is_cut()) return end();
    if (!may_go_on(gate)) return false;
    const uint64_t now_ps = platform::now_ps();
    rest_ps = until_ps > now_ps ? until_ps - now_ps : 0;
  }
  if (has_slack) {
    platform::sleep_ns(rest_ps / platform::kPsPerNs);
  } else if (rest_ps > 0) {
    platform::await_message_ps(rest_ps);
  }
  return true;
}

bool ScriptBody::io(platform::Device& device, uint64_t bytes) {
  const uint32_t bytes_per_us = device.profile().bytes_per_us;
  if (bytes_per_us > 0 && bytes / bytes_per_us > kLongestIoUs) return stop_for(ScriptWrong::too_large);
  telemetry::io(device, bytes);
  return true;
}

bool ScriptBody::arrive(uint64_t interval_ps, bool is_exponential, ClientGate& gate) {
  if (interval_ps > kLongestPs) return stop_for(ScriptWrong::too_long);
  if (!may_go_on(gate)) return false;  // no request arrives before the run begins
  telemetry::StateScope state(telemetry::ThreadState::sleeping);
  const uint64_t due_ps = world_.take_arrival(interval_ps, is_exponential);
  for (;;) {
    const uint64_t now_ps = world_.arrivals_ps();
    if (now_ps >= due_ps) {
      arrived_ps_ = platform::now_ps() - (now_ps - due_ps);
      return true;
    }
    platform::await_message_ps(std::min(due_ps - now_ps, kSleepPartPs));
    if (world_.is_cut()) return end();
    if (!may_go_on(gate)) return false;
  }
}

// Returns null, after a report, if the thread cannot take the latch.
LatchOfScript* ScriptBody::latch_of(const ScriptInstruction& at) {
  LatchOfScript* latch = world_.latch(world_.program().holds[at.hold()].latch, index_of(at));
  const auto held = std::span(held_).first(held_count_);
  if (latch == nullptr) {
    stop_for(ScriptWrong::no_such_latch);
  } else if (!latch->can_be_taken_again() && std::ranges::find(held, latch, &Held::latch) != held.end()) {
    stop_for(ScriptWrong::taken_twice);
    return nullptr;
  }
  return latch;
}

constexpr lab::Op in_the_lab(ScriptOp op) {
  return static_cast<lab::Op>(static_cast<uint32_t>(op) - static_cast<uint32_t>(ScriptOp::load) +
                              static_cast<uint32_t>(lab::Op::load));
}
static_assert(in_the_lab(ScriptOp::compare_exchange) == lab::Op::compare_exchange &&
                  in_the_lab(ScriptOp::fetch_xor) == lab::Op::fetch_xor,
              "accesses have the same order in both lists");

bool ScriptBody::access(const ScriptInstruction& at, ClientGate& gate) {
  lab::LatchWords::Word* word = world_.word(at.word(), index_of(at));
  if (word == nullptr) return stop_for(ScriptWrong::no_such_word);
  if (at.op == ScriptOp::wait) return wait(at, *word, gate);
  const auto a = static_cast<uint32_t>(registers_[at.a]);
  if (at.op == ScriptOp::futex_wait) {
    sleep_on(at, *word, a);
    return may_go_on(gate);
  }
  if (at.op == ScriptOp::futex_wake) {
    registers_[at.target] = platform::futex_wake(*word, std::min(a, platform::kWakeAll));
  } else if (at.op == ScriptOp::store) {
    word->store_release(a);
  } else {
    registers_[at.target] =
        lab::read_or_change(*word, in_the_lab(at.op), a, static_cast<uint32_t>(registers_[at.b]));
  }
  return true;
}

// A knob may have changed meanwhile, so the latch is another one then.
bool ScriptBody::wait(const ScriptInstruction& at, const lab::LatchWords::Word& word, ClientGate& gate) {
  const Held last = held_[held_count_ - 1];
  const uint32_t expected = word.load();
  leave();
  sleep_on(at, word, expected);
  if (world_.is_cut()) return end();
  if (!may_go_on(gate)) return false;
  enter(*world_.latch(world_.program().holds[last.hold].latch, last.index), last.hold, last.index);
  return true;
}

// Waits of transactions are waits for an event. Other threads are idle.
void ScriptBody::sleep_on(const ScriptInstruction& at, const lab::LatchWords::Word& word, uint32_t expected) {
  using telemetry::ThreadState;
  if (!is_in_transaction_) {
    telemetry::StateScope state(ThreadState::sleeping);
    platform::futex_wait(word, expected);
    return;
  }
  const telemetry::LatchSite& site = world_.event_site(at);
  const uint32_t event = world_.event(at.word(), index_of(at));
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  recorder.latch_contended(site, event);
  telemetry::thread_waits_for_event(event);
  recorder.latch_wait_begins(site, is_led_ ? ThreadState::following : ThreadState::waiting);
  platform::futex_wait(word, expected);
  recorder.latch_wait_ends(site);
  recorder.latch_contention_ends();
}

void ScriptBody::is_led_by(uint64_t leader) {
  const bool is_thread = leader > 0 && leader <= world_.threads() && leader != thread_;
  if (!is_thread && !is_led_) return;
  is_led_ = is_thread;
  telemetry::thread_is_led_by(thread_, is_thread ? static_cast<uint32_t>(leader) : 0);
}

void ScriptBody::end_transaction() {
  is_in_transaction_ = false;
  arrived_ps_ = 0;
  is_led_by(0);
}

bool ScriptBody::enter(const ScriptInstruction& at) {
  LatchOfScript* latch = latch_of(at);
  if (latch == nullptr) return false;
  enter(*latch, at.hold(), index_of(at));
  return true;
}

// A kind without readers is taken exclusively.
bool ScriptBody::shares(const LatchOfScript& latch, uint32_t hold) const {
  return world_.program().holds[hold].is_shared && latch.can_be_shared();
}

void ScriptBody::enter(LatchOfScript& latch, uint32_t hold, uint64_t index) {
  const bool is_shared = shares(latch, hold);
  holds({&latch, latch.enter(world_.site(hold), is_shared), is_shared, hold, index});
}

bool ScriptBody::try_enter(const ScriptInstruction& at) {
  LatchOfScript* latch = latch_of(at);
  if (latch == nullptr) return false;
  const uint32_t hold = at.hold();
  const bool is_shared = shares(*latch, hold);
  const auto key = latch->try_enter(world_.site(hold), is_shared);
  if (key) holds({latch, *key, is_shared, hold, index_of(at)});
  registers_[at.target] = key ? 1 : 0;
  return true;
}

void ScriptBody::holds(const Held& held) {
  held_[held_count_++] = held;
  acquisitions_[held.hold] += held.latch->acquisitions(held.is_shared);
}

void ScriptBody::leave() {
  const Held& last = held_[--held_count_];
  last.latch->leave(last.key, last.is_shared);
}

bool ScriptBody::stop_for(ScriptWrong wrong) {
  world_.report({wrong, thread_, world_.line_of(thread_)});
  return end();
}

bool ScriptBody::end() {
  if (is_in_transaction_ && world_.is_cut()) world_.note_cut(thread_);
  while (held_count_ > 0)
    leave();
  for (; frames_ > 0; --frames_)
    telemetry::recorder().pop_frame();
  is_over_ = true;
  return false;
}

}  // namespace latchscope::workload
