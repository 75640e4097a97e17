// The AIO arrays over many schedules (explorer.h): waiting for a slot, and waking handlers.
#include <gtest/gtest.h>

#include "server/aio/os_aio.h"
#include "tests/virtual/explorer.h"

namespace latchscope::server::aio {
namespace {

using tests::expect_found;
using tests::expect_holds;
using tests::kStuck;
using tests::require;

constexpr uint32_t kSegments = 2;
constexpr uint32_t kPosters = 2;
constexpr uint32_t kRequestsPerPoster = 2;
constexpr uint64_t kPagesPerMebibyte = 64;  // each mebibyte prefers another segment

// Shared by all schedules: reading does not change the file.
fil::FilNode& file() {
  static platform::Device device(platform::kRamDevice);
  static fil::FilNode node(device, kPagesPerMebibyte + 1);
  return node;
}

IoRequest read_preferring(uint32_t segment) {
  static uint8_t buffer[kPageBytes];
  return {IoType::read, &file(), segment * kPagesPerMebibyte * kPageBytes, buffer, nullptr};
}

// Segments that the posters prefer: in turn, or always the first one.
enum class Preference : uint8_t { in_turn, the_first };

struct AioCase {
  HandlerWakeup handler_wakeup;
  SlotWait slot_wait;
  Preference preference = Preference::in_turn;
  uint32_t posters = kPosters;
};

// Posters with a batch of two requests each, and an array of two slots. No handler may sleep
// forever while its segment has a request, and no poster while a slot is free. All threads end
// exactly if this holds.
class AioWorld final : public tests::Scenario {
 public:
  explicit AioWorld(const AioCase& aio)
      : aio_(aio),
        os_aio_({kSegments, /*write_io_threads=*/1, /*slots_per_segment=*/1, aio.handler_wakeup,
                 aio.slot_wait}) {}

  uint32_t threads() const override { return aio_.posters + kSegments; }
  void run(uint32_t thread) override {
    if (thread < aio_.posters) {
      post(thread);
    } else {
      while (os_aio_.reads().simulated_handler(thread - aio_.posters))
        ++completed_;
    }
  }
  void check() override {
    require(completed_ == aio_.posters * kRequestsPerPoster, "each request was completed once");
    const AIO::Check check = os_aio_.reads().check();
    require(check.reserved_ever == completed_ && check.freed_ever == completed_, "each slot was freed once");
    require(check.reserved_now == 0 && check.posters_waiting == 0, "nothing is left in the array");
    require(check.free_slots_are_announced, "free slots are announced");
  }

 private:
  void post(uint32_t poster) {
    AioBatch batch(os_aio_, os_aio_.reads());
    for (uint32_t i = 0; i < kRequestsPerPoster; ++i)
      batch.post(read_preferring(aio_.preference == Preference::in_turn ? (poster + i) % kSegments : 0));
    batch.end();
    if (++posted_ < aio_.posters) return;
    os_aio_.reads().wait_until_empty(platform::kForeverNs);
    os_aio_.reads().request_stop();
  }

  const AioCase aio_;
  OsAio os_aio_;
  uint32_t posted_ = 0;
  uint32_t completed_ = 0;
};

void explore_aio(const std::string& name, const AioCase& aio) {
  expect_holds("AIO, " + name, [aio] { return std::make_unique<AioWorld>(aio); });
}

TEST(Schedules, AioWakeAllAndEventBroadcast) {
  explore_aio("wake_all, event_broadcast", {HandlerWakeup::wake_all, SlotWait::event_broadcast});
}
TEST(Schedules, AioWakeAllAndSemaphore) {
  explore_aio("wake_all, counting_semaphore", {HandlerWakeup::wake_all, SlotWait::counting_semaphore});
}
TEST(Schedules, AioWakePreferredSegmentAndEventBroadcast) {
  explore_aio("wake_preferred_segment, event_broadcast",
              {HandlerWakeup::wake_preferred_segment, SlotWait::event_broadcast});
  explore_aio("wake_preferred_segment, event_broadcast, all for one segment",
              {HandlerWakeup::wake_preferred_segment, SlotWait::event_broadcast, Preference::the_first});
  explore_aio("wake_preferred_segment, event_broadcast, three posters",
              {HandlerWakeup::wake_preferred_segment, SlotWait::event_broadcast, Preference::in_turn, 3});
}
TEST(Schedules, AioWakePreferredSegmentAndSemaphore) {
  explore_aio("wake_preferred_segment, counting_semaphore",
              {HandlerWakeup::wake_preferred_segment, SlotWait::counting_semaphore});
  explore_aio("wake_preferred_segment, counting_semaphore, all for one segment",
              {HandlerWakeup::wake_preferred_segment, SlotWait::counting_semaphore, Preference::the_first});
  explore_aio("wake_preferred_segment, counting_semaphore, three posters",
              {HandlerWakeup::wake_preferred_segment, SlotWait::counting_semaphore, Preference::in_turn, 3});
}
TEST(Schedules, AioWakeTouchedSegmentsAndEventBroadcast) {
  explore_aio("wake_touched_segments, event_broadcast",
              {HandlerWakeup::wake_touched_segments, SlotWait::event_broadcast});
  explore_aio("wake_touched_segments, event_broadcast, all for one segment",
              {HandlerWakeup::wake_touched_segments, SlotWait::event_broadcast, Preference::the_first});
}
TEST(Schedules, AioWakeTouchedSegmentsAndSemaphore) {
  explore_aio("wake_touched_segments, counting_semaphore",
              {HandlerWakeup::wake_touched_segments, SlotWait::counting_semaphore});
  explore_aio("wake_touched_segments, counting_semaphore, all for one segment",
              {HandlerWakeup::wake_touched_segments, SlotWait::counting_semaphore, Preference::the_first});
}

// --- twins: one segment, its handler, and the two events ----------------------------------------

enum class ArrayFault {
  none,
  // A wake-up between the handler's check and the reset is lost.
  handler_event_reset_outside_the_mutex,
  // A slot freed between filling and reset is not announced.
  not_full_reset_outside_the_mutex,
  // The poster's own requests fill the array, and their handler sleeps.
  poster_sleeps_before_it_wakes,
  slot_freed_twice,  // once when its I/O is done, and again when it is returned
};

template <ArrayFault fault>
class ArrayTwin {
 public:
  static constexpr uint32_t kSlots = 1;

  void post() NO_THREAD_SAFETY_ANALYSIS {
    mutex_.lock();
    while (reserved_ == kSlots) {
      mutex_.unlock();
      if (fault != ArrayFault::poster_sleeps_before_it_wakes) wake_handler();
      not_full_.wait(not_full_.signal_count());
      mutex_.lock();
    }
    const bool is_full = ++reserved_ == kSlots;
    if (is_full && fault != ArrayFault::not_full_reset_outside_the_mutex) not_full_.reset();
    mutex_.unlock();
    if (is_full && fault == ArrayFault::not_full_reset_outside_the_mutex) not_full_.reset();
  }

  void wake_handler() { handler_event_.set(); }

  // Returns once `requests` requests were handled.
  void handle(uint32_t requests) NO_THREAD_SAFETY_ANALYSIS {
    uint64_t signal_count = 0;
    for (uint32_t handled = 0; handled < requests;) {
      mutex_.lock();
      if (reserved_ > 0) {
        ++handled;
        free_slot();
        if (fault == ArrayFault::slot_freed_twice && handled == 1) free_slot();
        mutex_.unlock();
        continue;
      }
      if (fault != ArrayFault::handler_event_reset_outside_the_mutex) signal_count = handler_event_.reset();
      mutex_.unlock();
      if (fault == ArrayFault::handler_event_reset_outside_the_mutex) signal_count = handler_event_.reset();
      handler_event_.wait(signal_count);
    }
  }

 private:
  void free_slot() {
    require(reserved_ > 0, "only a reserved slot is freed");
    if (reserved_-- == kSlots) not_full_.set();
  }

  latch::OsMutex mutex_;
  latch::OsEvent handler_event_;
  latch::OsEvent not_full_;
  uint32_t reserved_ = 0;
};

template <ArrayFault fault>
struct ArrayTwinWorld final : tests::Scenario {
  uint32_t threads() const override { return kPosters + 1; }
  void run(uint32_t thread) override {
    if (thread == kPosters) return array.handle(kPosters * kRequestsPerPoster);
    for (uint32_t i = 0; i < kRequestsPerPoster; ++i)
      array.post();
    array.wake_handler();
  }

  ArrayTwin<fault> array;
};

TEST(Schedules, TheAioTwinWithoutAFault) {
  expect_holds("AIO, twin", tests::scenario<ArrayTwinWorld<ArrayFault::none>>());
}
TEST(BrokenTwin, AioWhoseHandlerResetsItsEventOutsideTheMutex) {
  expect_found("AIO, handler's event reset outside the mutex", kStuck,
               tests::scenario<ArrayTwinWorld<ArrayFault::handler_event_reset_outside_the_mutex>>());
}
TEST(BrokenTwin, AioThatResetsNotFullAfterTheSlotMayBeFree) {
  expect_found("AIO, not_full reset outside the mutex", kStuck,
               tests::scenario<ArrayTwinWorld<ArrayFault::not_full_reset_outside_the_mutex>>());
}
TEST(BrokenTwin, AioWhosePosterSleepsBeforeItWakes) {
  expect_found("AIO, poster sleeps before it wakes", kStuck,
               tests::scenario<ArrayTwinWorld<ArrayFault::poster_sleeps_before_it_wakes>>());
}
TEST(BrokenTwin, AioThatFreesASlotTwice) {
  expect_found("AIO, slot freed twice", "only a reserved slot is freed",
               tests::scenario<ArrayTwinWorld<ArrayFault::slot_freed_twice>>());
}

}  // namespace
}  // namespace latchscope::server::aio
