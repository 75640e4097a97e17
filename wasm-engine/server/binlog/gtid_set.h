// A set of GTIDs of one server: intervals of group numbers (GNO), like MySQL's Gtid_set with a
// single source id. Not thread-safe: the owner's latch guards it.
//
// Invariant: intervals are sorted, not empty, and neither overlap nor touch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace latchscope::server::binlog {

struct GnoInterval {
  uint64_t first;
  uint64_t last;  // inclusive
  friend bool operator==(const GnoInterval&, const GnoInterval&) = default;
};

class GtidSet {
 public:
  void add(uint64_t gno) { add(GnoInterval{gno, gno}); }
  void add(GnoInterval interval);
  void add(const GtidSet& other);
  void remove(const GtidSet& other);

  bool contains(uint64_t gno) const;
  bool contains(const GtidSet& other) const;
  bool empty() const { return intervals_.empty(); }
  uint64_t count() const;
  const std::vector<GnoInterval>& intervals() const { return intervals_; }
  // Returns for example "1-5:8-9"; "none" if empty.
  std::string to_string() const;

  friend bool operator==(const GtidSet&, const GtidSet&) = default;

 private:
  void remove(GnoInterval interval);

  std::vector<GnoInterval> intervals_;
};

}  // namespace latchscope::server::binlog
