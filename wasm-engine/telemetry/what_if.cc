#include "telemetry/what_if.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

constexpr uint64_t kWhole = 1'000'000;

bool is_of(const LatchWhatIf& what_if, uint32_t site) {
  return what_if.latch == latch_name_of_site(site) &&
         (what_if.site.empty() || what_if.site == function_name_of_site(site));
}

uint32_t section_percents[kLatchWhatIfsMax];  // by entry

void add(detail::SiteWhatIf& of_site, const LatchWhatIf& what_if, uint32_t entry) {
  of_site.entries |= 1u << entry;
  of_site.is_line_still |= what_if.is_line_still || what_if.is_hand_over_free;
  of_site.is_wake_up_free |= what_if.is_wake_up_free || what_if.is_hand_over_free;
  of_site.is_release_seen |= what_if.is_hand_over_free;
}

std::vector<std::string_view> by_name(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

namespace detail {

bool supposes_something = false;
SiteWhatIf what_if_of_site[kLatchSitesMax];

void name_latch(uint32_t site, uint32_t latch) {
  if (what_if_of_site[site].is_line_still) platform::keep_line_still(latch);
  if (what_if_of_site[site].is_release_seen) platform::let_spinners_see(latch);
}

void scale_work_of(const ThreadSlot& slot) {
  uint32_t entries = 0;
  const uint32_t held = std::min(slot.held_count[0].read(), kHeldLatchesMax);
  for (uint32_t i = 0; i < held; ++i)
    entries |= what_if_of_site[slot.held[i].read() - 1].entries;
  uint64_t millionths = kWhole;
  for (; entries != 0; entries &= entries - 1)
    millionths = millionths * section_percents[std::countr_zero(entries)] / 100;
  platform::scale_work(millionths);
}

}  // namespace detail

void suppose(std::span<const LatchWhatIf> what_if) {
  LATCHSCOPE_ASSERT(what_if.size() <= kLatchWhatIfsMax, "a what-if has at most kLatchWhatIfsMax entries");
  detail::supposes_something = !what_if.empty();
  std::fill(std::begin(detail::what_if_of_site), std::end(detail::what_if_of_site), detail::SiteWhatIf{});
  for (uint32_t entry = 0; entry < what_if.size(); ++entry) {
    section_percents[entry] = what_if[entry].section_percent;
    for (uint32_t site = 0; site < latch_sites_count(); ++site) {
      if (is_of(what_if[entry], site)) add(detail::what_if_of_site[site], what_if[entry], entry);
    }
  }
}

std::vector<std::string_view> latch_names() {
  std::vector<std::string_view> names;
  names.reserve(latch_sites_count());
  for (uint32_t site = 0; site < latch_sites_count(); ++site)
    names.emplace_back(latch_name_of_site(site));
  return by_name(std::move(names));
}

std::vector<std::string_view> functions_that_take(std::string_view latch) {
  std::vector<std::string_view> names;
  for (uint32_t site = 0; site < latch_sites_count(); ++site) {
    if (latch == latch_name_of_site(site)) names.emplace_back(function_name_of_site(site));
  }
  return by_name(std::move(names));
}

}  // namespace latchscope::telemetry
