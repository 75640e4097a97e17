#include "server/binlog/gtid_set.h"

#include <algorithm>

namespace latchscope::server::binlog {

void GtidSet::add(GnoInterval interval) {
  if (intervals_.empty() || intervals_.back().last + 1 < interval.first) {
    intervals_.push_back(interval);
    return;
  }
  // The first interval that overlaps or touches the new one, or follows it.
  auto begin = std::partition_point(intervals_.begin(), intervals_.end(),
                                    [&](const GnoInterval& each) { return each.last + 1 < interval.first; });
  auto end = begin;
  for (; end != intervals_.end() && end->first <= interval.last + 1; ++end) {
    interval.first = std::min(interval.first, end->first);
    interval.last = std::max(interval.last, end->last);
  }
  if (begin == end) {
    intervals_.insert(begin, interval);
    return;
  }
  *begin = interval;
  intervals_.erase(begin + 1, end);
}

void GtidSet::add(const GtidSet& other) {
  for (const GnoInterval& interval : other.intervals_)
    add(interval);
}

void GtidSet::remove(GnoInterval interval) {
  std::vector<GnoInterval> left;
  for (const GnoInterval& each : intervals_) {
    if (each.last < interval.first || each.first > interval.last) {
      left.push_back(each);
      continue;
    }
    if (each.first < interval.first) left.push_back({each.first, interval.first - 1});
    if (each.last > interval.last) left.push_back({interval.last + 1, each.last});
  }
  intervals_ = std::move(left);
}

void GtidSet::remove(const GtidSet& other) {
  for (const GnoInterval& interval : other.intervals_)
    remove(interval);
}

bool GtidSet::contains(uint64_t gno) const {
  const auto found = std::partition_point(intervals_.begin(), intervals_.end(),
                                          [&](const GnoInterval& each) { return each.last < gno; });
  return found != intervals_.end() && found->first <= gno;
}

bool GtidSet::contains(const GtidSet& other) const {
  return std::all_of(other.intervals_.begin(), other.intervals_.end(), [&](const GnoInterval& wanted) {
    return std::any_of(intervals_.begin(), intervals_.end(), [&](const GnoInterval& each) {
      return each.first <= wanted.first && wanted.last <= each.last;
    });
  });
}

uint64_t GtidSet::count() const {
  uint64_t sum = 0;
  for (const GnoInterval& interval : intervals_)
    sum += interval.last - interval.first + 1;
  return sum;
}

std::string GtidSet::to_string() const {
  std::string text;
  for (const GnoInterval& interval : intervals_) {
    if (!text.empty()) text += ':';
    text += std::to_string(interval.first);
    if (interval.last != interval.first) text += '-' + std::to_string(interval.last);
  }
  return text.empty() ? "none" : text;
}

}  // namespace latchscope::server::binlog
