#include "platform/virtual/coherence_model.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace latchscope::platform {

namespace {

// Of one generation, slot generation % ring: until when its copies can be read, and its owner's be written.
struct Generation {
  Ps readable_until = 0;
  Ps writable_until = 0;
};

// A core's copy: of which generation, and whether as its owner.
struct Copy {
  uint32_t generation = 0;
  bool is_owner = false;
};

}  // namespace

struct LineCopies {
  LineCopies(uint32_t cores, uint32_t ring) : generation(ring), of_core(cores), generations(ring) {}

  Generation& of(uint32_t some_generation) {
    return generations[some_generation & (static_cast<uint32_t>(generations.size()) - 1)];
  }
  bool is_remembered(uint32_t some_generation) const {
    return generation - some_generation < generations.size();
  }
  bool can_read(uint32_t core, Ps now) {
    const uint32_t own = of_core[core].generation;
    return is_remembered(own) && now < of(own).readable_until;
  }
  bool can_write(uint32_t core, Ps now) {
    const Copy& own = of_core[core];
    return own.is_owner && is_remembered(own.generation) && now < of(own.generation).writable_until;
  }
  bool has_current(uint32_t core) const { return of_core[core].generation == generation; }

  void share_with(uint32_t core, uint32_t socket) {
    if (!has_current(core)) ++sharers;
    sockets |= 1u << socket;
    of_core[core] = {generation, false};
  }
  // All other copies go at `start`.
  void give_to(uint32_t core, uint32_t socket, Ps start) {
    Generation& ending = of(generation);
    ending.readable_until = start;
    ending.writable_until = std::min(ending.writable_until, start);
    ++generation;
    own(core, socket);
  }
  void own(uint32_t core, uint32_t socket) {
    of(generation) = {kNever, kNever};
    of_core[core] = {generation, true};
    sharers = 1;
    sockets = 1u << socket;
  }

  uint32_t generation;   // the current one; begins above the ring, so that no core seems to have a copy
  uint32_t sharers = 0;  // cores with a copy of the current generation
  uint32_t sockets = 0;  // a bit for each socket that has one
  std::vector<Copy> of_core;
  std::vector<Generation> generations;
};

LineState::~LineState() {
  delete copies;
}

CoherenceModel::CoherenceModel(const ServerProfile& profile, uint32_t epoch)
    : profile_(profile), epoch_(epoch), ring_(std::bit_ceil(profile.cores() + 2)) {}

LineCopies* CoherenceModel::copies_of(LineState& line, uint32_t core, Ps now) const {
  if (line.epoch != epoch_) {
    delete line.copies;
    line.copies = nullptr;
    line.only_core = line.modified_by = LineState::kNobody;
    line.busy_until = 0;
    line.epoch = epoch_;
  }
  if (line.copies != nullptr) return line.copies;
  if (line.only_core == LineState::kNobody || line.only_core == core) return nullptr;
  line.copies = new LineCopies(profile_.cores() + 1, ring_);
  line.copies->own(line.only_core, profile_.socket_of(line.only_core));
  if (line.modified_by == LineState::kNobody)
    line.copies->of(line.copies->generation).writable_until = now;  // it has only read
  line.only_core = LineState::kNobody;
  return line.copies;
}

Ps CoherenceModel::load_slowly(LineState& line, uint32_t core, Ps now) const {
  LineCopies* copies = copies_of(line, core, now);
  if (copies == nullptr) {
    if (line.only_core == core) return now + profile_.load_hit_ps;
    line.only_core = static_cast<uint16_t>(core);
    const Ps start = std::max(now, line.busy_until);
    line.busy_until = start + profile_.shared_load_occupancy_ps;
    return start + profile_.shared_load_ps;
  }
  if (copies->can_read(core, now)) return now + profile_.load_hit_ps;
  const Ps start = std::max(now, line.busy_until);
  const uint32_t socket = profile_.socket_of(core);
  if (line.modified_by != LineState::kNobody) {
    const Ps finish = start + transfer(line.modified_by, core);
    copies->of(copies->generation).writable_until = start;  // the owner keeps a copy to read
    copies->share_with(core, socket);
    line.modified_by = LineState::kNobody;
    return line.busy_until = finish;
  }
  const bool is_near = (copies->sockets & (1u << socket)) != 0;
  copies->share_with(core, socket);
  line.busy_until = start + profile_.shared_load_occupancy_ps;
  return start + (is_near ? profile_.shared_load_ps : profile_.cross_socket_transfer_ps);
}

Ps CoherenceModel::write_slowly(LineState& line, uint32_t core, Ps now) const {
  LineCopies* copies = copies_of(line, core, now);
  const auto writer = static_cast<uint16_t>(core);
  if (copies == nullptr) {
    const bool was_touched = line.only_core == core;
    line.only_core = line.modified_by = writer;
    if (was_touched) return now + profile_.local_rmw_ps;
    const Ps finish = std::max(now, line.busy_until) + profile_.shared_load_ps;
    line.busy_until = finish + profile_.residency_ps;
    return finish;
  }
  if (copies->can_write(core, now)) return now + profile_.local_rmw_ps;
  const uint32_t socket = profile_.socket_of(core);
  if (copies->sharers == 1 && copies->has_current(core)) {
    copies->own(core, socket);
    line.modified_by = writer;
    return now + profile_.local_rmw_ps;
  }
  const Ps start = std::max(now, line.busy_until);
  // All copies must go before the line is written: the farthest one sets the price.
  const bool is_far = (copies->sockets & ~(1u << socket)) != 0;
  const Ps finish = start + (line.modified_by != LineState::kNobody ? transfer(line.modified_by, core)
                             : is_far                               ? profile_.cross_socket_transfer_ps
                                                                    : profile_.same_socket_transfer_ps);
  copies->give_to(core, socket, start);
  line.modified_by = writer;
  line.busy_until = finish + profile_.residency_ps;
  return finish;
}

Ps CoherenceModel::transfer(uint32_t from, uint32_t to) const {
  const bool is_near = profile_.socket_of(from) == profile_.socket_of(to);
  return is_near ? profile_.same_socket_transfer_ps : profile_.cross_socket_transfer_ps;
}

}  // namespace latchscope::platform
