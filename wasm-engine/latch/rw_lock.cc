#include "latch/rw_lock.h"

namespace latchscope::latch {

namespace {

const telemetry::Function kSLockSpin("rw_lock_s_lock_spin");
const telemetry::Function kXLockWait("rw_lock_x_lock_wait_func");

}  // namespace

bool RwLock::subtract_if_above(int32_t threshold, int32_t amount) {
  int32_t word = line_.lock_word.load_relaxed();
  while (word > threshold) {
    if (line_.lock_word.compare_exchange(word, word - amount)) return true;
  }
  return false;
}

template <class MayTry, class TryTake>
void RwLock::lock_slowly(const telemetry::LatchSite& site, OsEvent& event, MayTry may_try, TryTake try_take) {
  telemetry::Frame frame(kSLockSpin);
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  recorder.latch_contended(site, number_);
  // Rounds until the thread sleeps, however many tries fail.
  uint32_t rounds_left = environment_.spin.rounds_max;
  for (;;) {
    const platform::SpinOutcome outcome = platform::spin_until(
        line_.lock_word, may_try, environment_.spin_policy(recorder.random(), rounds_left));
    recorder.latch_polled(site, outcome.rounds);
    rounds_left -= outcome.satisfied ? outcome.rounds - 1 : rounds_left;
    if (rounds_left == 0) platform::yield();
    if (try_take()) break;
    if (rounds_left > 0) continue;

    const SyncArray::Cell cell = environment_.sync_array.reserve(event);
    line_.waiters.store(1);
    if (try_take()) {
      environment_.sync_array.free(cell);
      break;
    }
    recorder.latch_wait_begins(site);
    environment_.sync_array.wait(cell);
    recorder.latch_wait_ends(site);
    rounds_left = environment_.spin.rounds_max;
  }
  recorder.latch_contention_ends();
}

void RwLock::s_lock(const telemetry::LatchSite& site) {
  telemetry::latch_wanted(site.id, number_);
  const auto try_take = [this] { return subtract_if_above(0, 1); };
  platform::call_apart([&] {
    if (!try_take()) lock_slowly(site, event_, [](int32_t word) { return word > 0; }, try_take);
    note_reader(site.id + 1);
  });
  telemetry::recorder().latch_acquired(site, number_);
}

bool RwLock::try_s_lock(const telemetry::LatchSite& site) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  telemetry::latch_wanted(site.id, number_);
  if (!subtract_if_above(0, 1)) {
    recorder.latch_line_left(site.id, number_);
    return false;
  }
  note_reader(site.id + 1);
  recorder.latch_acquired(site, number_);
  return true;
}

void RwLock::s_unlock() {
  telemetry::LatchRelease release(number_);
  platform::call_apart([&] {
    forget_reader();
    const int32_t word = line_.lock_word.fetch_add(1) + 1;
    telemetry::latch_is_free(number_);
    if (word == 0) wait_ex_event_.set();
  });
}

void RwLock::note_reader(uint32_t site) {
  if (environment_.rw_lock_bookkeeping == RwLockBookkeeping::none) return;
  line_.last_s_site.store_relaxed(site);
  if (environment_.rw_lock_bookkeeping == RwLockBookkeeping::last_s_file_and_reader_thread) {
    line_.reader_thread.fetch_xor(telemetry::recorder().thread_number());
  }
}

void RwLock::forget_reader() {
  if (environment_.rw_lock_bookkeeping == RwLockBookkeeping::last_s_file_and_reader_thread) {
    line_.reader_thread.fetch_xor(telemetry::recorder().thread_number());
  }
}

void RwLock::sx_lock(const telemetry::LatchSite& site) {
  telemetry::latch_wanted(site.id, number_);
  const auto try_take = [this] { return subtract_if_above(kXLockHalfDecr, kXLockHalfDecr); };
  if (!try_take()) {
    lock_slowly(site, event_, [](int32_t word) { return word > kXLockHalfDecr; }, try_take);
  }
  telemetry::recorder().latch_acquired(site, number_);
}

void RwLock::sx_unlock() {
  telemetry::LatchRelease release(number_);
  line_.lock_word.fetch_add(kXLockHalfDecr);
  telemetry::latch_is_free(number_);
  if (line_.waiters.load() != 0) wake_waiters();
}

bool RwLock::try_recurse_x(uint32_t thread) {
  const int32_t word = line_.lock_word.load_relaxed();
  if (word > 0 || line_.writer_thread.load_relaxed() != thread) return false;
  line_.lock_word.fetch_sub(word == 0 ? kXLockDecr : 1);
  return true;
}

void RwLock::x_lock(const telemetry::LatchSite& site) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  telemetry::latch_wanted(site.id, number_);
  if (!try_recurse_x(recorder.thread_number())) {
    x_lock_without_owner(site, recorder);
    line_.writer_thread.store_relaxed(recorder.thread_number());
  }
  recorder.latch_acquired(site, number_);
}

void RwLock::x_lock_without_owner(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder) {
  const auto try_reserve = [this] { return subtract_if_above(kXLockHalfDecr, kXLockDecr); };
  const bool was_taken = !try_reserve();
  if (was_taken) lock_slowly(site, event_, [](int32_t word) { return word > kXLockHalfDecr; }, try_reserve);
  if (line_.lock_word.load() != 0) wait_for_readers(site, recorder, was_taken);
}

void RwLock::x_lock_for_other(const telemetry::LatchSite& site) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  telemetry::latch_wanted(site.id, number_);
  x_lock_without_owner(site, recorder);
  site_of_other_ = site.id;
  recorder.latch_acquired_for_other(site, number_);
}

void RwLock::x_unlock_by_other() {
  LATCHSCOPE_ASSERT(line_.lock_word.load() == 0 && line_.writer_thread.load_relaxed() == 0,
                    "an X lock without an owner is released exactly once");
  const uint32_t site = site_of_other_;
  free_x();
  telemetry::recorder().latch_line_left(site, number_);
}

bool RwLock::try_x_lock(const telemetry::LatchSite& site) {
  telemetry::ThreadRecorder& recorder = telemetry::recorder();
  telemetry::latch_wanted(site.id, number_);
  if (!try_recurse_x(recorder.thread_number())) {
    int32_t expected = kXLockDecr;
    if (!line_.lock_word.compare_exchange(expected, 0)) {
      recorder.latch_line_left(site.id, number_);
      return false;
    }
    line_.writer_thread.store_relaxed(recorder.thread_number());
  }
  recorder.latch_acquired(site, number_);
  return true;
}

// Waits until the readers have left the lock.
//
// REQUIRES: the caller has reserved the lock. `is_counted`: its acquisition counts as contended already.
void RwLock::wait_for_readers(const telemetry::LatchSite& site, telemetry::ThreadRecorder& recorder,
                              bool is_counted) {
  telemetry::Frame frame(kXLockWait);
  recorder.latch_contended(site, number_, is_counted);
  const platform::SpinPolicy policy =
      environment_.spin_policy(recorder.random(), environment_.spin.rounds_max);
  const auto no_readers = [](int32_t word) { return word >= 0; };
  for (;;) {
    const platform::SpinOutcome outcome = platform::spin_until(line_.lock_word, no_readers, policy);
    recorder.latch_polled(site, outcome.rounds);
    if (outcome.satisfied) break;
    const SyncArray::Cell cell = environment_.sync_array.reserve(wait_ex_event_);
    if (no_readers(line_.lock_word.load())) {
      environment_.sync_array.free(cell);
      break;
    }
    recorder.latch_wait_begins(site);
    environment_.sync_array.wait(cell);
    recorder.latch_wait_ends(site);
  }
  // spin_until polls without ordering; this load makes the readers' last actions visible.
  LATCHSCOPE_ASSERT(line_.lock_word.load() == 0, "the word of a reserved rw_lock without readers is 0");
  recorder.latch_contention_ends();
}

void RwLock::x_unlock() {
  telemetry::LatchRelease release(number_);
  const int32_t word = line_.lock_word.load_relaxed();
  if (word < 0) {
    line_.lock_word.fetch_add(word == -kXLockDecr ? kXLockDecr : 1);
    telemetry::latch_is_free(number_);
    return;
  }
  line_.writer_thread.store_relaxed(0);
  free_x();
}

void RwLock::free_x() {
  line_.lock_word.fetch_add(kXLockDecr);
  telemetry::latch_is_free(number_);
  if (line_.waiters.load() != 0) wake_waiters();
}

void RwLock::wake_waiters() {
  line_.waiters.store(0);
  event_.set();
}

}  // namespace latchscope::latch
