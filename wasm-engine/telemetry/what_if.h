// What if: a run in which some latches are held for more or less time, or handed over for less, while everything else is as it
// was. Named are latches; the platform is told of threads and of latches' numbers. Only on a modelled server.
//
// Invariants
//   1. A section of 0 % is still a section: it is entered and left, and whoever holds the latch excludes others.
//   2. 100 % of everything, and nothing free, changes nothing.
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
  std::string latch;               // as LatchSite names it
  std::string site;                // the function that takes it; "": any
  uint32_t section_percent = 100;  // what CPU work costs whoever holds the latch, taken at this site
  bool is_line_still = false;      // its cache line is where it is needed
  bool is_wake_up_free = false;    // of whoever sleeps for it
  bool is_hand_over_free = false;  // both, and whoever has spun longest on it sees its release at once

  bool operator==(const LatchWhatIf&) const = default;
};

inline constexpr uint32_t kLatchWhatIfsMax = 32;

// From now on, instead of what was supposed before. A section that is under way stays as it is until its thread takes or gives
// back a latch; a latch is known by its name from when it is asked for next. An entry counts once while a thread holds latches
// that it is of, however many: shards, blocks, or one latch twice. The percents of several entries multiply.
void suppose(std::span<const LatchWhatIf> what_if);

// All latches that the engine has, by name; and the functions that take one, by name.
std::vector<std::string_view> latch_names();
std::vector<std::string_view> functions_that_take(std::string_view latch);

namespace detail {

struct SiteWhatIf {
  uint32_t entries;  // bit n: entry n is of it
  bool is_line_still, is_wake_up_free, is_release_seen;
};

extern bool supposes_something;
extern SiteWhatIf what_if_of_site[kLatchSitesMax];

void name_latch(uint32_t site, uint32_t latch);
void scale_work_of(const ThreadSlot& slot);

}  // namespace detail

// The latch of this number is about to be asked for: from here on its line is known by its name.
inline void latch_wanted(uint32_t site, uint32_t latch) {
  if constexpr (!platform::kIsModelled) return;
  if (detail::supposes_something) [[unlikely]]
    detail::name_latch(site, latch);
}
// The calling thread, whose slot it is, holds other latches than before.
inline void held_latches_changed(const ThreadSlot& slot) {
  if constexpr (!platform::kIsModelled) return;
  if (detail::supposes_something) [[unlikely]]
    detail::scale_work_of(slot);
}
// The calling thread sleeps for a latch, or does so no more.
inline void sleeps_at(uint32_t site, bool begins) {
  if constexpr (!platform::kIsModelled) return;
  if (detail::supposes_something) [[unlikely]]
    platform::wake_freely(begins && detail::what_if_of_site[site].is_wake_up_free);
}

}  // namespace latchscope::telemetry
