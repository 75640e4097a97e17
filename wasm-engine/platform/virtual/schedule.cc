#include "platform/virtual/schedule.h"

#include <algorithm>
#include <charconv>

namespace latchscope::platform {

namespace {

constexpr uint32_t kTimersOneIn = 16;
constexpr uint32_t kThreadNumberMax = 255;

bool is_timer(const Candidate& candidate) {
  return candidate.kind == Candidate::Kind::timer;
}

// A timer may end at any time, but seldom does before everything else that can happen.
bool takes_timer(std::span<const Candidate> candidates, Random& random) {
  const auto timers = std::count_if(candidates.begin(), candidates.end(), is_timer);
  if (timers == 0) return false;
  return timers == static_cast<std::ptrdiff_t>(candidates.size()) || random.below(kTimersOneIn) == 0;
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

size_t RandomSchedule::pick(std::span<const Candidate> candidates) {
  if (run_length_ > 1 && random_.below(run_length_) != 0) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].thread == running_ && candidates[i].kind == Candidate::Kind::step) return i;
    }
  }
  const size_t drawn = draw(candidates, takes_timer(candidates, random_), random_);
  running_ = candidates[drawn].thread;
  return drawn;
}

PctSchedule::PctSchedule(uint64_t seed, uint32_t depth, uint32_t length) : random_(seed) {
  for (uint32_t i = 1; i < depth; ++i)
    falls_back_.push_back(random_.below(std::max(1u, length)));
}

int64_t& PctSchedule::priority_of(uint32_t thread) {
  if (thread >= priorities_.size()) priorities_.resize(thread + 1, 0);
  int64_t& priority = priorities_[thread];
  if (priority == 0) priority = int64_t{1} + random_.next();
  return priority;
}

size_t PctSchedule::pick(std::span<const Candidate> candidates) {
  const bool wants_timer = takes_timer(candidates, random_);
  size_t best = candidates.size();
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (is_timer(candidates[i]) != wants_timer) continue;
    if (best == candidates.size() || priority_of(candidates[i].thread) > priority_of(candidates[best].thread))
      best = i;
  }
  const bool falls_back = std::find(falls_back_.begin(), falls_back_.end(), step_) != falls_back_.end();
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
