#include "workload/script_body.h"

#include <algorithm>

namespace latchscope::workload {

namespace {

constexpr uint64_t kPsPerMs = 1'000'000'000;
constexpr uint64_t kLongestPs = 3'600'000 * kPsPerMs;  // of one work, think or sleep
// A long piece of work or sleep is done in parts, so that it can be cut.
constexpr uint64_t kWorkPartPs = 10 * kPsPerMs;
constexpr uint64_t kSleepPartPs = 5 * kPsPerMs;
constexpr uint64_t kPausesMax = 1'000'000;
constexpr uint32_t kEffectsPerLook = 4'096;
constexpr uint32_t kLooksAtOneTimeMax = 1'000'000 / kEffectsPerLook;

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

bool ScriptBody::run_through(ScriptOp last, ClientGate* gate) {
  while (!is_over_) {
    const ScriptStop stop = run_until_effect(world_.program(), world_.conditions(), random_, pc_, registers_);
    world_.note_place(thread_, *stop.at);
    if (stop.wrong != ScriptWrong::nothing) return stop_for(stop.wrong);
    if (world_.is_cut()) return end();
    if (!advances_in_time()) return stop_for(ScriptWrong::no_time);
    if (!perform(*stop.at, gate)) return false;
    if (stop.at->op == last) return true;
  }
  return false;
}

// Returns false after some 10^6 effects at one moment of the modelled server.
bool ScriptBody::advances_in_time() {
  if (--effects_until_look_ > 0) return true;
  effects_until_look_ = kEffectsPerLook;
  const uint64_t now_ps = platform::now_ps();
  looks_at_one_time_ = now_ps == looked_ps_ ? looks_at_one_time_ + 1 : 0;
  looked_ps_ = now_ps;
  return looks_at_one_time_ < kLooksAtOneTimeMax;
}

bool ScriptBody::perform(const ScriptInstruction& at, ClientGate* gate) {
  switch (at.op) {
    case ScriptOp::work:
      return work(registers_[at.a]);
    case ScriptOp::think:
      return sleep(registers_[at.a], gate, false);
    case ScriptOp::sleep:
      return sleep(registers_[at.a], gate, true);
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
      return access(at);
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

bool ScriptBody::sleep(uint64_t duration_ps, ClientGate* gate, bool has_slack) {
  if (duration_ps > kLongestPs) return stop_for(ScriptWrong::too_long);
  telemetry::StateScope state(telemetry::ThreadState::sleeping);
  const uint64_t until_ps = platform::now_ps() + duration_ps;
  uint64_t rest_ps = duration_ps;
  while (rest_ps > kSleepPartPs) {
    platform::await_message_ps(kSleepPartPs);
    if (world_.is_cut()) return end();
    if (gate != nullptr && held_count_ == 0 && !gate->pass()) return false;
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

// Returns null, after a report, if the thread cannot take the latch.
LatchOfScript* ScriptBody::latch_of(const ScriptInstruction& at) {
  const uint64_t index = at.index() == kScriptNoIndex ? 0 : registers_[at.index()];
  LatchOfScript* latch = world_.latch(world_.program().holds[at.hold()].latch, index);
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

bool ScriptBody::access(const ScriptInstruction& at) {
  const uint64_t element = at.index() == kScriptNoIndex ? 0 : registers_[at.index()];
  lab::LatchWords::Word* word = world_.word(at.word(), element);
  if (word == nullptr) return stop_for(ScriptWrong::no_such_word);
  const auto a = static_cast<uint32_t>(registers_[at.a]);
  if (at.op == ScriptOp::store) {
    word->store_release(a);
  } else {
    registers_[at.target] =
        lab::read_or_change(*word, in_the_lab(at.op), a, static_cast<uint32_t>(registers_[at.b]));
  }
  return true;
}

bool ScriptBody::enter(const ScriptInstruction& at) {
  LatchOfScript* latch = latch_of(at);
  if (latch == nullptr) return false;
  const uint32_t hold = at.hold();
  holds(*latch, hold, latch->enter(world_.site(hold), world_.program().holds[hold].is_shared));
  return true;
}

bool ScriptBody::try_enter(const ScriptInstruction& at) {
  LatchOfScript* latch = latch_of(at);
  if (latch == nullptr) return false;
  const uint32_t hold = at.hold();
  const auto key = latch->try_enter(world_.site(hold), world_.program().holds[hold].is_shared);
  if (key) holds(*latch, hold, *key);
  registers_[at.target] = key ? 1 : 0;
  return true;
}

void ScriptBody::holds(LatchOfScript& latch, uint32_t hold, uint32_t key) {
  const bool is_shared = world_.program().holds[hold].is_shared;
  held_[held_count_++] = {&latch, key, is_shared};
  acquisitions_[hold] += latch.acquisitions(is_shared);
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
  while (held_count_ > 0)
    leave();
  for (; frames_ > 0; --frames_)
    telemetry::recorder().pop_frame();
  is_over_ = true;
  return false;
}

}  // namespace latchscope::workload
