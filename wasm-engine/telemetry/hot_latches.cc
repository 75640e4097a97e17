#include "telemetry/hot_latches.h"

#include <algorithm>
#include <span>
#include <vector>

#include "platform/platform.h"
#include "telemetry/latch_trace.h"

namespace latchscope::telemetry {

namespace {

constexpr uint64_t kFirstChoiceParts = 64;  // parts of an interval
constexpr uint64_t kChoiceParts = 4;

uint32_t places = 0;

// State of the current run.
uint32_t first_latch = 0;
std::vector<uint64_t> cost_ns_of;  // since the last choice; index: latch number - first_latch
uint64_t began_ns = 0;
uint64_t choice_every_ns = 0;
// On the engine's clock, like `began_ns`.
uint64_t next_choice_ns = 0;

std::span<const WatchedLatch> watched_now() {
  const std::span<const WatchedLatch> all{watched_latches(), kWatchedLatchesMax};
  const auto free_place = std::ranges::find(all, 0u, &WatchedLatch::latch);
  return all.first(static_cast<size_t>(free_place - all.begin()));
}

// Returns the most expensive latches first. Equal costs: the latch built first.
std::vector<uint32_t> costliest() {
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < cost_ns_of.size(); ++i) {
    if (cost_ns_of[i] != 0) indices.push_back(i);
  }
  const size_t most = std::min<size_t>(places, indices.size());
  const auto costs_more = [](uint32_t a, uint32_t b) {
    return cost_ns_of[a] != cost_ns_of[b] ? cost_ns_of[a] > cost_ns_of[b] : a < b;
  };
  std::partial_sort(indices.begin(), indices.begin() + static_cast<ptrdiff_t>(most), indices.end(),
                    costs_more);
  indices.resize(most);
  for (uint32_t& index : indices)
    index += first_latch;
  return indices;
}

// Cheaper latches that are watched already fill the remaining places.
void choose() {
  std::vector<uint32_t> chosen = costliest();
  std::ranges::fill(cost_ns_of, 0);
  if (std::ranges::all_of(chosen, is_watched)) return;
  for (const WatchedLatch& place : watched_now()) {
    if (chosen.size() < places && std::ranges::find(chosen, place.latch) == chosen.end())
      chosen.push_back(place.latch);
  }
  watch_latches(chosen);
}

void plan_choice_after(uint64_t now_ns) {
  while (next_choice_ns <= now_ns) {
    const uint64_t since_ns = next_choice_ns - began_ns;
    next_choice_ns += std::min(since_ns, choice_every_ns);
  }
}

}  // namespace

bool detail::notes_latch_costs = false;

void watch_hottest(uint32_t latches) {
  places = std::min(latches, kWatchedLatchesMax);
}

void begin_hot_latches(uint32_t last_latch_before, uint64_t interval_ns) {
  if (!platform::kIsModelled || places == 0) return;
  first_latch = last_latch_before + 1;
  began_ns = platform::now_ns();
  choice_every_ns = std::max<uint64_t>(1, interval_ns / kChoiceParts);
  next_choice_ns = began_ns + std::max<uint64_t>(1, interval_ns / kFirstChoiceParts);
  cost_ns_of.clear();
  detail::notes_latch_costs = true;
}

void end_hot_latches() {
  detail::notes_latch_costs = false;
}

void reset_hot_latches() {
  end_hot_latches();
  if (places != 0) watch_latches({});
}

void detail::note_latch_cost(uint32_t latch, uint64_t cost_ns) {
  if (latch < first_latch) return;
  const size_t index = latch - first_latch;
  if (index >= cost_ns_of.size()) cost_ns_of.resize(index + 1);
  cost_ns_of[index] += cost_ns;
  const uint64_t now_ns = platform::now_ns();
  if (now_ns < next_choice_ns) return;
  choose();
  plan_choice_after(now_ns);
}

void detail::note_latch_wait(uint32_t latch) {
  const std::span<const WatchedLatch> watched = watched_now();
  if (latch < first_latch || watched.size() >= places || is_watched(latch)) return;
  std::vector<uint32_t> next;
  for (const WatchedLatch& place : watched)
    next.push_back(place.latch);
  next.push_back(latch);
  watch_latches(next);
}

}  // namespace latchscope::telemetry
