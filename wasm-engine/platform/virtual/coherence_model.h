// The cost of an access to a shared word on a multicore server. A cache line is a serial resource:
// transfers to other cores follow each other, first come first served. So the time at which an
// access takes effect is known when it is issued.
//
//     state of a line        who may hit                  a miss is served by
//     modified by one core   that core, loads and writes  that core: a transfer
//     shared                 every core that has a copy   L3 of the complex, or the nearest copy
//
// A transfer costs more from another complex (the cores that share an L3 cache), and more still
// from another socket. Siblings are one core here.
//
// Invariants
//   1. Accesses of one core are issued in the order of their times. A load or a read-modify-write
//      is not issued before the previous access has finished, while stores may still be pending
//      (machine.h, store buffers).
//   2. At most one core may write a line at any moment, and then no other may read it.
//   3. A core keeps its copy until the transfer that takes it away *starts*. A spinning reader
//      continues to hit while a write waits for the line.
//   4. A copy can be used once it has arrived, also by the core's sibling.
//   5. After a transfer the new owner keeps the line for `residency`. Otherwise a compare-exchange
//      loop of many cores would fail forever.
//
// Representation of copies. The time between two writes by different cores is a *generation* of the
// line. A core stores the generation of its copy; the line stores when the last generations ended.
// Each core has at most one request for a line pending, because further accesses wait for that
// copy. So a copy that is older than the number of cores is gone. A ring of generations is
// therefore enough, and every access costs the same.
//
// Source of the model's shape: the common findings of published measurements of contended lines
// (David et al., SOSP'13; Boyd-Wickizer et al., 2012).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "platform/line_access.h"
#include "platform/server_profile.h"

namespace latchscope::platform {

// The copies of a line, once a second core has touched it. Opaque outside the model.
struct LineCopies;

// A core's copy of a line: its generation, whether the core owns it, and when it can be used.
struct CoreCopy {
  uint32_t generation = 0;
  bool is_owner = false;
  Ps arrives = 0;
};

// The location of a core.
struct CorePlace {
  uint16_t socket;
  uint16_t complex;
};

// One modelled line. The declarer of the words on the line owns it.
struct LineState {
  static constexpr uint16_t kNobody = 0xffff;

  LineState() = default;
  ~LineState();
  LineState(const LineState&) = delete;
  LineState& operator=(const LineState&) = delete;

  uint32_t epoch = 0;              // of the machine that last used it
  uint16_t modified_by = kNobody;  // a core
  // The only core that has touched the line so far; then copies is null.
  uint16_t only_core = kNobody;
  LatchLine latch;             // the latch whose words are on it
  uint32_t generation = 0;     // the current one, if there are copies
  CoreCopy* copies = nullptr;  // by core; part of LineCopies
  Ps busy_until = 0;           // no transfer of the line starts earlier

  // Stall time is counted only for lines of latches.
  bool counts_stalls() const { return latch.latch != 0; }
};

class CoherenceModel {
 public:
  // Models the profile's cores (not its CPUs) and one more, the host's. `epoch` distinguishes the
  // lines of this model from those of another.
  CoherenceModel(const ServerProfile& profile, uint32_t epoch);
  // Switches the costs to those of `profile`, which has the same cores.
  void take_costs(const ServerProfile& profile) { profile_ = profile; }

  // load(), write() and store() return when the access takes effect, which is not before `now`.
  Ps load(LineState& line, uint32_t core, Ps now) const {
    if (line.epoch != epoch_) [[unlikely]]
      return load_slowly(line, core, now);
    if (line.only_core == core) return now + profile_.load_hit_ps;
    if (line.copies == nullptr || line.copies[core].generation != line.generation || !still_.empty())
      return load_slowly(line, core, now);
    return std::max(now, line.copies[core].arrives) + profile_.load_hit_ps;
  }
  // Performs a read-modify-write, or a store that its thread waits for.
  Ps write(LineState& line, uint32_t core, Ps now) const {
    return take(line, core, now, profile_.local_rmw_ps);
  }
  // Issues a store that waits in a buffer. The result is when the core has the line.
  Ps store(LineState& line, uint32_t core, Ps now) const { return take(line, core, now, 0); }
  // Makes each access to a line of this latch cost what it costs a core that has the line to
  // itself.
  void keep_still(uint32_t latch) {
    if (still_.size() <= latch) still_.resize(latch + 1);
    still_[latch] = true;
  }
  // Returns the core that owns the line modified; kNobody if there is none.
  uint16_t owner_of(const LineState& line) const {
    return line.epoch == epoch_ ? line.modified_by : LineState::kNobody;
  }
  // Returns the transfers of lines that several cores use, since the model began.
  uint64_t transfers() const { return transfers_; }
  bool is_hit(Ps issued, Ps effective) const { return effective == issued + profile_.load_hit_ps; }
  // Returns the time of an access beyond `own`, its end on a core that has the line to itself. A
  // profile may have transfers that cost less than a hit.
  static Ps beyond(Ps own, Ps effective) { return effective > own ? effective - own : 0; }
  Ps load_stall(Ps issued, Ps effective) const { return beyond(issued + profile_.load_hit_ps, effective); }
  Ps write_stall(Ps issued, Ps effective) const { return beyond(issued + profile_.local_rmw_ps, effective); }

 private:
  bool is_still(const LineState& line) const {
    return !still_.empty() && line.latch.latch < still_.size() && still_[line.latch.latch];
  }
  Ps load_slowly(LineState& line, uint32_t core, Ps now) const;
  // Makes the core the line's owner; `when_owned` is the cost of the access if it is the owner
  // already.
  Ps take(LineState& line, uint32_t core, Ps now, Ps when_owned) const {
    if (line.only_core == core && line.modified_by == core && line.epoch == epoch_) return now + when_owned;
    return take_slowly(line, core, now, when_owned);
  }
  Ps take_slowly(LineState& line, uint32_t core, Ps now, Ps when_owned) const;
  // Returns the copies of a line that several cores use; null while `core` is the only one.
  LineCopies* copies_of(LineState& line, uint32_t core, Ps now) const;
  LineCopies* new_copies_of(LineState& line, uint32_t core, Ps now) const;
  Ps transfer(CorePlace from, CorePlace to) const;
  Ps shared_load(const LineCopies& copies, CorePlace to) const;
  Ps transfer_from_farthest(const LineCopies& copies, CorePlace to) const;

  ServerProfile profile_;
  const uint32_t epoch_;
  uint32_t ring_;  // generations remembered: a power of two above the number of cores
  std::vector<CorePlace> place_of_core_;
  std::vector<bool> still_;  // by latch number
  mutable uint64_t transfers_ = 0;
};

}  // namespace latchscope::platform
