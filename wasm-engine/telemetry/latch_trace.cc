#include "telemetry/latch_trace.h"

#include <algorithm>

#include "platform/platform.h"
#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

LatchEvent events[kLatchEventsMax];
uint64_t events_written = 0;
bool is_told = true;

WatchedLatch watched[kWatchedLatchesMax];

const WatchedLatch* find_watched(uint32_t latch) {
  return std::ranges::find(watched, latch, &WatchedLatch::latch);
}

void write(const LatchEvent& event) {
  if (!is_told) return;
  events[events_written++ % kLatchEventsMax] = event;
}

constexpr LatchEventKind kind_of(platform::LineAccess::Kind kind) {
  switch (kind) {
    case platform::LineAccess::Kind::load:
      return LatchEventKind::load;
    case platform::LineAccess::Kind::poll:
      return LatchEventKind::poll;
    case platform::LineAccess::Kind::store:
      return LatchEventKind::store;
    case platform::LineAccess::Kind::read_modify_write:
      return LatchEventKind::read_modify_write;
    case platform::LineAccess::Kind::failed_compare_exchange:
      return LatchEventKind::failed_compare_exchange;
  }
  return LatchEventKind::load;
}

void trace_access(const platform::LineAccess& access) {
  if (!is_watched(access.line.latch) || access.thread == nullptr) return;
  LatchEvent event{};
  event.at_ps = access.at_ps;
  event.took_ps = static_cast<uint32_t>(std::min<uint64_t>(access.took_ps, ~0u));
  event.latch = access.line.latch;
  event.value = access.value;
  event.slot = static_cast<uint16_t>(static_cast<const ThreadRecorder*>(access.thread)->thread_number() - 1);
  event.core = access.core;
  event.from_core = access.from_core;
  event.kind = static_cast<uint8_t>(kind_of(access.kind));
  event.word = access.word;
  event.latch_class = access.line.latch_class;
  event.line = access.line.line;
  write(event);
}

}  // namespace

uint64_t detail::watched_bits = 0;

bool is_watched(uint32_t latch) {
  return latch != 0 && find_watched(latch) != std::end(watched);
}

void watch_latches(std::span<const uint32_t> latches) {
  LATCHSCOPE_ASSERT(latches.size() <= kWatchedLatchesMax, "at most kWatchedLatchesMax latches are watched");
  WatchedLatch next[kWatchedLatchesMax] = {};
  detail::watched_bits = 0;
  for (size_t place = 0; place < latches.size(); ++place) {
    const uint32_t latch = latches[place];
    const WatchedLatch* known = find_watched(latch);
    next[place] = {known == std::end(watched) ? events_written : known->since_event, latch, 0};
    detail::watched_bits |= uint64_t{1} << (latch % 64);
  }
  std::ranges::copy(next, watched);
  platform::watch_lines(detail::watched_bits, trace_access);
}

const WatchedLatch* watched_latches() {
  return watched;
}

void detail::trace_watched_latch(LatchEventKind kind, uint32_t slot, uint32_t latch, uint32_t site) {
  if (!is_watched(latch)) return;
  LatchEvent event{};
  event.at_ps = platform::now_ps();
  event.latch = latch;
  event.slot = static_cast<uint16_t>(slot);
  event.kind = static_cast<uint8_t>(kind);
  event.site = static_cast<uint8_t>(site);
  event.core = platform::kNoCore;
  event.from_core = platform::kNoCore;
  write(event);
}

void reset_latch_trace() {
  events_written = 0;
  for (WatchedLatch& place : watched)
    place.since_event = 0;
  is_told = true;
}

void end_latch_trace() {
  is_told = false;
}

const LatchEvent* latch_events() {
  return events;
}

uint64_t latch_events_written() {
  return events_written;
}

}  // namespace latchscope::telemetry
