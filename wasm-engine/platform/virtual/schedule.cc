#include "platform/virtual/schedule.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace latchscope::platform {

namespace {

constexpr uint32_t kTimersOneIn = 16;
constexpr uint32_t kThreadNumberMax = 255;
constexpr uint32_t kThreadsMoreAtOnce = 16;

bool is_timer(const Candidate& candidate) {
  return candidate.kind == Candidate::Kind::timer;
}

// A timer may end at any time, but rarely ends before everything else that can happen.
bool takes_timer(std::span<const Candidate> candidates, uint32_t timers, Random& random) {
  if (timers == 0) return false;
  return timers == candidates.size() || random.below(kTimersOneIn) == 0;
}

size_t draw(std::span<const Candidate> candidates, bool wants_timer, Random& random) {
  for (;;) {
    const uint32_t index = random.below(static_cast<uint32_t>(candidates.size()));
    if (is_timer(candidates[index]) == wants_timer) return index;
  }
}

uint32_t read_number(std::string_view& text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc{} ? number : 0;
}

}  // namespace

std::string Schedule::text() const {
  std::string text;
  for (size_t first = 0, end; first < choices_.size(); first = end) {
    for (end = first; end < choices_.size() && choices_[end] == choices_[first];)
      ++end;
    if (first > 0) text += ' ';
    text += std::to_string(choices_[first]);
    if (end - first > 1) text += 'x' + std::to_string(end - first);
  }
  return text;
}

size_t RandomPicks::pick(std::span<const Candidate> candidates, uint32_t timers) {
  if (run_length_ > 1 && random_.below(run_length_) != 0) {
    const bool is_at_its_place =
        running_at_ < candidates.size() && candidates[running_at_].thread == running_;
    for (size_t i = is_at_its_place ? running_at_ : 0; i < candidates.size(); ++i) {
      if (candidates[i].thread != running_) continue;
      if (candidates[i].kind == Candidate::Kind::step) return running_at_ = i;
      break;
    }
  }
  running_at_ = draw(candidates, takes_timer(candidates, timers, random_), random_);
  running_ = candidates[running_at_].thread;
  return running_at_;
}

PctPicks::PctPicks(uint64_t seed, uint32_t depth, uint32_t length) : random_(seed) {
  for (uint32_t i = 1; i < depth; ++i)
    falls_back_.push_back(random_.below(std::max(1u, length)));
}

int64_t& PctPicks::priority_of(uint32_t thread) {
  if (thread >= priorities_.size()) priorities_.resize(thread + kThreadsMoreAtOnce, 0);
  int64_t& priority = priorities_[thread];
  if (priority == 0) priority = int64_t{1} + random_.next();
  return priority;
}

bool PctPicks::falls_back_now() const {
  return std::find(falls_back_.begin(), falls_back_.end(), step_) != falls_back_.end();
}

// Returns candidates.size() if one of the candidates has no priority yet.
size_t PctPicks::highest(std::span<const Candidate> candidates, bool wants_timer) const {
  size_t best = candidates.size();
  int64_t best_priority = std::numeric_limits<int64_t>::min();
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (is_timer(candidates[i]) != wants_timer) continue;
    const int64_t priority =
        candidates[i].thread < priorities_.size() ? priorities_[candidates[i].thread] : 0;
    if (priority == 0) return candidates.size();
    best = priority > best_priority ? i : best;
    best_priority = std::max(priority, best_priority);
  }
  return best;
}

// Draws priorities only where they are compared, so a single candidate needs none.
size_t PctPicks::highest_once_drawn(std::span<const Candidate> candidates, bool wants_timer) {
  size_t best = candidates.size();
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (is_timer(candidates[i]) != wants_timer) continue;
    if (best == candidates.size() || priority_of(candidates[i].thread) > priority_of(candidates[best].thread))
      best = i;
  }
  return best;
}

size_t PctPicks::pick(std::span<const Candidate> candidates, uint32_t timers) {
  const bool wants_timer = takes_timer(candidates, timers, random_);
  size_t best = highest(candidates, wants_timer);
  if (best == candidates.size()) best = highest_once_drawn(candidates, wants_timer);
  const bool falls_back = falls_back_now();
  ++step_;
  if (falls_back || candidates[best].kind != Candidate::Kind::step)
    priority_of(candidates[best].thread) = --lowest_;
  return best;
}

ReplaySchedule::ReplaySchedule(std::string_view text) {
  while (!text.empty()) {
    Run run{read_number(text), 1};
    if (text.starts_with('x')) {
      text.remove_prefix(1);
      run.steps = read_number(text);
    }
    fits_ &= run.thread != 0 && run.thread <= kThreadNumberMax && run.steps != 0;
    runs_.push_back(run);
    if (text.empty()) break;
    fits_ &= text.starts_with(' ');
    text.remove_prefix(1);
  }
}

size_t ReplaySchedule::pick(std::span<const Candidate> candidates) {
  if (current_ < runs_.size() && fits_) {
    Run& run = runs_[current_];
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].thread != run.thread) continue;
      if (--run.steps == 0) ++current_;
      return i;
    }
  }
  fits_ = false;
  return 0;
}

}  // namespace latchscope::platform
