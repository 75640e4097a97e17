// What-if runs: some latches are held for more or less time, or handed off faster, while everything
// else is unchanged. Entries name latches; the platform receives threads and latch numbers. Virtual
// server only.
//
// Invariants
//   1. A critical section of 0 % is still a critical section: it is entered and left, and the
//      holder excludes other threads.
//   2. An entry of 100 % with nothing free changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/platform.h"
#include "telemetry/layout.h"

namespace latchscope::telemetry {

struct LatchWhatIf {
  std::string latch;  // name given by LatchSite
  std::string site;   // acquiring function; "": any
  // Cost of CPU work while a thread holds the latch, acquired at this site.
  uint32_t section_percent = 100;
  // The latch's cache line is always where it is needed.
  bool is_line_still = false;
  // Waking a thread that sleeps for the latch is free.
  bool is_wake_up_free = false;
  // Both of the above; also, the thread that has spun longest on the latch sees its release at
  // once.
  bool is_hand_over_free = false;

  bool operator==(const LatchWhatIf&) const = default;
};

inline constexpr uint32_t kLatchWhatIfsMax = 32;

// Replaces the what-if entries from now on. A critical section already entered keeps its cost until
// its thread acquires or releases a latch. A latch number is matched to its name at the next
// request for the latch. An entry counts once while a thread holds any of its latches, however
// many: shards, blocks or one latch twice. The percentages of several entries multiply.
void suppose(std::span<const LatchWhatIf> what_if);

// Return the names of all latches in the engine, and of the functions that acquire one, sorted.
std::vector<std::string_view> latch_names();
std::vector<std::string_view> functions_that_take(std::string_view latch);

namespace detail {

struct SiteWhatIf {
  uint32_t entries;  // bit n: entry n applies to the site
  bool is_line_still, is_wake_up_free, is_release_seen;
};

extern bool supposes_something;
extern SiteWhatIf what_if_of_site[kLatchSitesMax];

void name_latch(uint32_t site, uint32_t latch);
void scale_work_of(const ThreadSlot& slot);

}  // namespace detail

// Called before the latch is requested: from here on the platform knows its line by the latch
// number.
inline void latch_wanted(uint32_t site, uint32_t latch) {
  if constexpr (!platform::kIsModelled) return;
  if (detail::supposes_something) [[unlikely]]
    detail::name_latch(site, latch);
}
// Called after the latches held by the calling thread, the owner of `slot`, have changed.
inline void held_latches_changed(const ThreadSlot& slot) {
  if constexpr (!platform::kIsModelled) return;
  if (detail::supposes_something) [[unlikely]]
    detail::scale_work_of(slot);
}
// The calling thread begins or ends a sleep for a latch.
inline void sleeps_at(uint32_t site, bool begins) {
  if constexpr (!platform::kIsModelled) return;
  if (detail::supposes_something) [[unlikely]]
    platform::wake_freely(begins && detail::what_if_of_site[site].is_wake_up_free);
}

}  // namespace latchscope::telemetry
