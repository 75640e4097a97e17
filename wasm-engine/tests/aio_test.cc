#include <gtest/gtest.h>

#include "server/aio/os_aio.h"
#include "telemetry/telemetry.h"
#include "tests/small_aio.h"
#include "workload/gen/scenario_enums.h"
#include "workload/scenario_manifest.h"

namespace latchscope::server::aio {
namespace {

using telemetry::Counter;
using tests::SmallAio;

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kNow = 100 * kSecondNs;

Slot reserved(uint32_t page_no, uint64_t age_ns, fil::FilNode* node = nullptr, IoType type = IoType::read) {
  return {SlotState::reserved, {type, node, uint64_t{page_no} * kPageBytes, nullptr, nullptr}, kNow - age_ns};
}

TEST(SelectRequest, TheLowestOffsetGoesFirst) {
  Slot segment[] = {reserved(7, kSecondNs), {}, reserved(3, 0), reserved(5, kSecondNs)};
  EXPECT_EQ(select_request(segment, kNow), &segment[2]);
}

TEST(SelectRequest, ARequestOfTwoSecondsGoesFirstTheOldestOfThem) {
  Slot segment[] = {reserved(9, kAgeLimitNs), reserved(8, kAgeLimitNs + 1), reserved(1, kSecondNs)};
  EXPECT_EQ(select_request(segment, kNow), &segment[1]);
  segment[1].reserved_at_ns = kNow - kAgeLimitNs + 1;
  EXPECT_EQ(select_request(segment, kNow), &segment[0]);
  segment[0].reserved_at_ns = kNow - kAgeLimitNs + 1;
  EXPECT_EQ(select_request(segment, kNow), &segment[2]) << "a nanosecond less than 2 s is not old";
}

TEST(SelectRequest, OfEquallyOldRequestsTheLowerOffset) {
  Slot segment[] = {reserved(9, kAgeLimitNs), reserved(8, kAgeLimitNs)};
  EXPECT_EQ(select_request(segment, kNow), &segment[1]);
}

TEST(SelectRequest, FreeAndDoneSlotsAreNoRequests) {
  Slot segment[] = {{}, reserved(3, kAgeLimitNs)};
  segment[1].state = SlotState::done;
  EXPECT_EQ(select_request(segment, kNow), nullptr);
}

TEST(FindContinuation, OnlyTheNextPageOfTheSameFileAndType) {
  platform::Device device(platform::kRamDevice);
  fil::FilNode file(device, 1);
  fil::FilNode other(device, 1);
  Slot segment[] = {reserved(3, 0, &file), reserved(5, 0, &file), reserved(4, 0, &other),
                    reserved(4, 0, &file, IoType::write), reserved(4, 0, &file)};
  EXPECT_EQ(find_continuation(segment, segment[0]), &segment[4]);
  segment[4].state = SlotState::done;
  EXPECT_EQ(find_continuation(segment, segment[0]), nullptr);
}

class AioTest : public testing::Test {
 protected:
  void SetUp() override { telemetry::reset(); }

  // Posts reads of these pages in one batch while no handler is running.
  void post(SmallAio& aio, std::initializer_list<uint32_t> pages) {
    AioBatch batch(*aio.os_aio, aio.os_aio->reads());
    for (uint32_t page_no : pages)
      batch.post(aio.read_of(page_no, buffer_.data() + size_t{used_++} * kPageBytes));
    batch.end();
  }

  // Does the handler's work on this thread: completes every request in the segment. Returns the
  // pages in order of completion.
  std::vector<uint32_t> handle(SmallAio& aio, uint32_t global_segment) {
    aio.os_aio->request_stop();
    std::vector<uint32_t> pages;
    while (const auto request = aio.os_aio->simulated_handler(global_segment))
      pages.push_back(static_cast<uint32_t>(request->offset_bytes / kPageBytes));
    return pages;
  }

  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(size_t{128} * kPageBytes);
  uint32_t used_ = 0;
};

constexpr uint32_t kReads0 = 2;  // first global segment of the reads array

TEST_F(AioTest, OneArrayHasOneMutexAndTenSegmentsExist) {
  SmallAio aio({});
  EXPECT_EQ(aio.os_aio->segments(), 10u) << "ibuf, log, 4 reads, 4 writes";
  EXPECT_EQ(aio.os_aio->reads().slots(), 4u * 256);
}

TEST_F(AioTest, TheSegmentIsThatOfTheMebibyte) {
  SmallAio aio({});
  EXPECT_EQ(aio.os_aio->reads().preferred_segment(uint64_t{63} * kPageBytes), 0u);
  EXPECT_EQ(aio.os_aio->reads().preferred_segment(uint64_t{64} * kPageBytes), 1u);
  EXPECT_EQ(aio.os_aio->reads().preferred_segment(uint64_t{256} * kPageBytes), 0u);
}

TEST_F(AioTest, TheEndOfABatchWakesWhomTheDesignSays) {
  const struct {
    HandlerWakeup wakeup;
    uint64_t calls;
  } expected[] = {{HandlerWakeup::wake_all, 10},
                  {HandlerWakeup::wake_preferred_segment, 10},
                  {HandlerWakeup::wake_touched_segments, 2}};
  for (const auto& design : expected) {
    telemetry::reset();
    used_ = 0;
    SmallAio aio({.handler_wakeup = design.wakeup});
    post(aio, {1, 2, 130, 131});
    EXPECT_EQ(telemetry::counter_total(Counter::handler_wake_calls), design.calls);
    EXPECT_EQ(telemetry::counter_total(Counter::handler_wake_rounds), 1u);
    EXPECT_EQ(telemetry::counter_total(Counter::handler_events_set), 2u) << "segments 0 and 2 of the reads";
    EXPECT_EQ(telemetry::counter_total(Counter::aio_reads_posted), 4u);
    EXPECT_EQ(handle(aio, kReads0), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(handle(aio, kReads0 + 2), (std::vector<uint32_t>{130, 131}));
  }
}

TEST_F(AioTest, ASingleRequestWakesOnlyItsSegment) {
  SmallAio aio({.handler_wakeup = HandlerWakeup::wake_all});
  aio.os_aio->post(aio.os_aio->reads(), aio.read_of(70, buffer_.data()));
  EXPECT_EQ(telemetry::counter_total(Counter::handler_wake_calls), 1u);
  EXPECT_EQ(telemetry::counter_total(Counter::handler_wake_rounds), 1u);
  EXPECT_EQ(handle(aio, kReads0 + 1), (std::vector<uint32_t>{70}));
}

TEST_F(AioTest, ARequestSpillsIntoTheNextSegmentAndTheBatchWakesIt) {
  SmallAio aio(
      {.read_io_threads = 3, .slots_per_segment = 2, .handler_wakeup = HandlerWakeup::wake_touched_segments});
  post(aio, {65, 66, 67});  // prefer segment 1
  EXPECT_EQ(telemetry::counter_total(Counter::handler_wake_calls), 2u);
  EXPECT_EQ(handle(aio, kReads0 + 1), (std::vector<uint32_t>{65, 66}));
  EXPECT_EQ(handle(aio, kReads0 + 2), (std::vector<uint32_t>{67}));
}

TEST_F(AioTest, ConsecutivePagesAreOneGroupOfAtMost64) {
  SmallAio aio({.read_io_threads = 1});
  AioBatch batch(*aio.os_aio, aio.os_aio->reads());
  for (uint32_t page_no = 100; page_no-- > 0;)
    batch.post(aio.read_of(page_no, buffer_.data() + size_t{page_no} * kPageBytes));
  batch.end();
  EXPECT_EQ(handle(aio, kReads0).size(), 100u);
  EXPECT_EQ(telemetry::counter_total(Counter::aio_groups), 2u);
  for (uint32_t page_no = 0; page_no < 100; ++page_no)
    EXPECT_EQ(read_at<uint32_t>(buffer_.data() + size_t{page_no} * kPageBytes, kFilPageNo), page_no);
}

// Counts calls to the device: 5.6 makes one call per group, later servers one per page.
TEST_F(AioTest, AGroupIsReadInOneCallOrPageByPage) {
  for (const bool in_one_call : {false, true}) {
    telemetry::reset();
    used_ = 0;
    SmallAio aio({.read_io_threads = 1, .groups_in_one_call = in_one_call});
    post(aio, {10, 11, 12, 20});
    EXPECT_EQ(handle(aio, kReads0), (std::vector<uint32_t>{10, 11, 12, 20}));
    EXPECT_EQ(telemetry::counter_total(Counter::aio_groups), 2u);
    EXPECT_EQ(telemetry::counter_total(Counter::aio_calls), in_one_call ? 2u : 4u);
    for (uint32_t i = 0; i < 3; ++i)
      EXPECT_EQ(read_at<uint32_t>(buffer_.data() + size_t{i} * kPageBytes, kFilPageNo), 10 + i);
  }
}

TEST_F(AioTest, AWriteReachesTheFile) {
  SmallAio aio({.write_io_threads = 1});
  memset(buffer_.data(), 0x5a, kPageBytes);
  IoRequest request = aio.read_of(9, buffer_.data());
  request.type = IoType::write;
  aio.os_aio->post(aio.os_aio->writes(), request);
  EXPECT_EQ(handle(aio, aio.os_aio->segments() - 1), (std::vector<uint32_t>{9}));
  EXPECT_EQ(aio.node.file->page(9)[kPageBytes - 1], 0x5a);
}

TEST_F(AioTest, WakingAnIdleSegmentLocksItButSetsNoEvent) {
  SmallAio aio({});
  aio.os_aio->simulated_wake_handler_threads();
  EXPECT_EQ(telemetry::counter_total(Counter::handler_wake_calls), 10u);
  EXPECT_EQ(telemetry::counter_total(Counter::handler_events_set), 0u);
  EXPECT_EQ(telemetry::counter_total(Counter::aio_slots_scanned), 10u * 256);
}

using AioDeathTest = AioTest;

TEST_F(AioDeathTest, ABatchThatForgetsToWakeIsFoundOut) {
  SmallAio aio({});
  EXPECT_DEATH(
      {
        AioBatch batch(*aio.os_aio, aio.os_aio->reads());
        batch.post(aio.read_of(1, buffer_.data()));
      },
      "a batch has woken every segment that it posted to");
}

struct StressCase {
  HandlerWakeup wakeup;
  SlotWait slot_wait;
  uint32_t read_threads, slots;
};

class AioStress : public testing::TestWithParam<StressCase> {};

// Every request completes, no thread hangs, and every lock acquisition is accounted for, even with
// 1 slot and 1 handler thread.
TEST_P(AioStress, NothingIsLostAndNothingHangs) {
  const auto [wakeup, slot_wait, read_threads, slots] = GetParam();
  constexpr uint32_t kPosters = 8;
  constexpr uint32_t kBatchPages = 8;
  const uint32_t batches = tests::stress_rounds(30);
  telemetry::reset();
  SmallAio aio({read_threads, 1, slots, wakeup, slot_wait});
  aio.read_in_batches(kPosters, batches, kBatchPages);

  const uint64_t segments = aio.os_aio->segments();
  const uint64_t batch_ends = uint64_t{kPosters} * batches;
  const uint64_t waits = telemetry::counter_total(Counter::slot_waits);
  const uint64_t calls = telemetry::counter_total(Counter::handler_wake_calls);
  switch (wakeup) {
    case HandlerWakeup::wake_all:
      EXPECT_EQ(calls, segments * (batch_ends + waits));
      break;
    case HandlerWakeup::wake_preferred_segment:
      EXPECT_EQ(calls, segments * batch_ends + waits);
      break;
    case HandlerWakeup::wake_touched_segments:
      EXPECT_LE(calls, telemetry::counter_total(Counter::aio_reads_posted));
      break;
  }
  EXPECT_LE(telemetry::counter_total(Counter::slot_waits_in_vain), waits);
  for (AIO* array : aio.os_aio->arrays()) {
    const AIO::Check check = array->check();
    EXPECT_EQ(check.reserved_ever, check.freed_ever);
    EXPECT_EQ(check.reserved_ever, check.done_ever);
    EXPECT_EQ(check.reserved_now, 0u);
    EXPECT_EQ(check.posters_waiting, 0u);
    EXPECT_EQ(check.overtaken, 0u);
    EXPECT_TRUE(check.free_slots_are_announced);
  }
}

std::vector<StressCase> stress_cases() {
  std::vector<StressCase> cases;
  for (HandlerWakeup wakeup : {HandlerWakeup::wake_all, HandlerWakeup::wake_preferred_segment,
                               HandlerWakeup::wake_touched_segments}) {
    for (SlotWait slot_wait : {SlotWait::event_broadcast, SlotWait::counting_semaphore}) {
      for (const auto& [threads, slots] : {std::pair{1u, 1u}, {3u, 1u}, {2u, 5u}, {4u, 256u}})
        cases.push_back({wakeup, slot_wait, threads, slots});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, AioStress, testing::ValuesIn(stress_cases()), [](const auto& parameters) {
  const StressCase& stress = parameters.param;
  const auto& manifest = *workload::find_scenario("aio-wakeup-95491");
  return workload::variant_name(manifest, workload::aio_wakeup_95491::handler_wakeup, stress.wakeup) + "_" +
         workload::variant_name(manifest, workload::aio_wakeup_95491::slot_wait, stress.slot_wait) + "_" +
         std::to_string(stress.read_threads) + "_threads_" + std::to_string(stress.slots) + "_slots";
});

}  // namespace
}  // namespace latchscope::server::aio
