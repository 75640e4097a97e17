// Hashes of the events of a run, sampled at regular steps. Two runs have diverged where their
// trails differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace latchscope::platform {

class EventTrail {
 public:
  static constexpr uint64_t kFirstStep = 1u << 12;
  // Beyond this many hashes, every other one is dropped and the step doubles.
  static constexpr size_t kHashesMax = 1u << 14;

  EventTrail() { hashes_.reserve(kHashesMax); }

  void clear() {
    hashes_.clear();
    step_ = kFirstStep;
  }

  uint64_t next_at() const { return (hashes_.size() + 1) * step_; }

  // Appends the hash of the first next_at() events.
  void add(uint64_t hash) {
    hashes_.push_back(hash);
    if (hashes_.size() < kHashesMax) return;
    for (size_t i = 0; i < kHashesMax / 2; ++i)
      hashes_[i] = hashes_[2 * i + 1];
    hashes_.resize(kHashesMax / 2);
    step_ *= 2;
  }

  uint64_t step() const { return step_; }
  // Returns the hashes of the first step(), 2 * step(), ... events.
  const std::vector<uint64_t>& hashes() const { return hashes_; }

 private:
  uint64_t step_ = kFirstStep;
  std::vector<uint64_t> hashes_;
};

}  // namespace latchscope::platform
