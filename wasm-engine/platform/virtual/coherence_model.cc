#include "platform/virtual/coherence_model.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <vector>

namespace latchscope::platform {

namespace {

// One generation, in slot generation % ring: until when its copies can be read, and until when its
// owner can write.
struct Generation {
  Ps readable_until = 0;
  Ps writable_until = 0;
};

// How many complexes of a socket have a copy of a generation.
struct InSocket {
  uint32_t generation = 0;
  uint32_t complexes = 0;
};

}  // namespace

// The copies of a line. The array of per-core copies follows directly in memory, so that the line's
// one pointer leads to both.
struct LineCopies {
  static LineCopies* make(uint32_t cores, uint32_t complexes, uint32_t sockets, uint32_t ring) {
    void* room = ::operator new(sizeof(LineCopies) + cores * sizeof(CoreCopy));
    auto* copies = new (room) LineCopies(complexes, sockets, ring);
    std::uninitialized_value_construct_n(&copies->of_core(0), cores);
    return copies;
  }
  static LineCopies* before(CoreCopy* copies) { return reinterpret_cast<LineCopies*>(copies) - 1; }
  static void drop(CoreCopy* of_cores) {
    if (of_cores == nullptr) return;
    LineCopies* copies = before(of_cores);
    copies->~LineCopies();
    ::operator delete(copies);
  }

  CoreCopy& of_core(uint32_t core) { return reinterpret_cast<CoreCopy*>(this + 1)[core]; }
  Generation& of(uint32_t some_generation) {
    return generations[some_generation & (static_cast<uint32_t>(generations.size()) - 1)];
  }
  bool is_remembered(uint32_t some_generation) const {
    return generation - some_generation < generations.size();
  }
  bool can_read(uint32_t core, Ps now) {
    const uint32_t own = of_core(core).generation;
    return own == generation || (is_remembered(own) && now < of(own).readable_until);
  }
  bool can_write(uint32_t core, Ps now) {
    const CoreCopy& own = of_core(core);
    return own.is_owner && is_remembered(own.generation) && now < of(own.generation).writable_until;
  }
  bool has_current(uint32_t core) { return of_core(core).generation == generation; }
  bool is_in(CorePlace place) const { return generation_in_complex[place.complex] == generation; }
  bool is_only_in_socket(CorePlace place) const {
    return sockets == (complexes_in(place.socket) > 0 ? 1u : 0u);
  }
  bool is_only_in_complex(CorePlace place) const {
    return is_only_in_socket(place) && complexes_in(place.socket) == (is_in(place) ? 1u : 0u);
  }
  uint32_t complexes_in(uint16_t socket) const {
    const InSocket& copies = in_socket[socket];
    return copies.generation == generation ? copies.complexes : 0;
  }
  Ps usable(uint32_t core, Ps now) { return std::max(now, of_core(core).arrives); }

  void share_with(uint32_t core, CorePlace place, Ps arrives) {
    if (!has_current(core)) ++sharers;
    note(place);
    of_core(core) = {generation, false, arrives};
  }
  // All other copies become invalid at `start`.
  void give_to(uint32_t core, CorePlace place, Ps start, Ps arrives) {
    Generation& ending = of(generation);
    ending.readable_until = start;
    ending.writable_until = std::min(ending.writable_until, start);
    ++generation;
    own(core, place, arrives);
  }
  void own(uint32_t core, CorePlace place, Ps arrives) {
    of(generation) = {kNever, kNever};
    of_core(core) = {generation, true, arrives};
    sharers = 1;
    sockets = 1;
    in_socket[place.socket] = {generation, 1};
    generation_in_complex[place.complex] = generation;
  }
  void note(CorePlace place) {
    if (is_in(place)) return;
    generation_in_complex[place.complex] = generation;
    const uint32_t complexes = complexes_in(place.socket);
    if (complexes == 0) ++sockets;
    in_socket[place.socket] = {generation, complexes + 1};
  }

  uint32_t generation;   // current; starts above the ring, so that no core seems to have a copy
  uint32_t sharers = 0;  // cores with a copy of the current generation
  uint32_t sockets = 0;  // sockets with a copy of the current generation
  std::vector<Generation> generations;
  std::vector<uint32_t> generation_in_complex;  // generation of the newest copy in each complex
  std::vector<InSocket> in_socket;

 private:
  LineCopies(uint32_t complexes, uint32_t sockets, uint32_t ring)
      : generation(ring), generations(ring), generation_in_complex(complexes), in_socket(sockets) {}
};
static_assert(sizeof(LineCopies) % alignof(CoreCopy) == 0);

LineState::~LineState() {
  LineCopies::drop(copies);
}

CoherenceModel::CoherenceModel(const ServerProfile& profile, uint32_t epoch)
    : profile_(profile), epoch_(epoch), ring_(std::bit_ceil(profile.cores() + 2)) {
  for (uint32_t core = 0; core <= profile.cores(); ++core)
    place_of_core_.push_back(
        {static_cast<uint16_t>(profile.socket_of(core)), static_cast<uint16_t>(profile.complex_of(core))});
}

inline LineCopies* CoherenceModel::copies_of(LineState& line, uint32_t core, Ps now) const {
  if (line.copies != nullptr && line.epoch == epoch_) [[likely]]
    return LineCopies::before(line.copies);
  return new_copies_of(line, core, now);
}

LineCopies* CoherenceModel::new_copies_of(LineState& line, uint32_t core, Ps now) const {
  if (line.epoch != epoch_) {
    LineCopies::drop(line.copies);
    line.copies = nullptr;
    line.only_core = line.modified_by = LineState::kNobody;
    line.busy_until = 0;
    line.epoch = epoch_;
  }
  if (line.only_core == LineState::kNobody || line.only_core == core) return nullptr;
  const auto sockets = static_cast<uint32_t>(profile_.sockets);
  auto* copies = LineCopies::make(profile_.cores() + 1, profile_.complexes() + 1, sockets + 1, ring_);
  copies->own(line.only_core, place_of_core_[line.only_core], 0);
  if (line.modified_by == LineState::kNobody)
    copies->of(copies->generation).writable_until = now;  // it has only read the line
  line.only_core = LineState::kNobody;
  line.generation = copies->generation;
  line.copies = &copies->of_core(0);
  return copies;
}

Ps CoherenceModel::load_slowly(LineState& line, uint32_t core, Ps now) const {
  if (is_still(line)) [[unlikely]]
    return now + profile_.load_hit_ps;
  LineCopies* copies = copies_of(line, core, now);
  if (copies == nullptr) {
    if (line.only_core == core) return now + profile_.load_hit_ps;
    line.only_core = static_cast<uint16_t>(core);
    const Ps start = std::max(now, line.busy_until);
    line.busy_until = start + profile_.shared_load_occupancy_ps;
    return start + profile_.shared_load_ps;
  }
  if (copies->can_read(core, now)) return copies->usable(core, now) + profile_.load_hit_ps;
  ++transfers_;
  const Ps start = std::max(now, line.busy_until);
  const CorePlace place = place_of_core_[core];
  if (line.modified_by != LineState::kNobody) {
    const Ps finish = start + transfer(place_of_core_[line.modified_by], place);
    // The owner keeps a copy that it can read.
    copies->of(copies->generation).writable_until = start;
    copies->share_with(core, place, finish);
    line.modified_by = LineState::kNobody;
    return line.busy_until = finish;
  }
  const Ps finish = start + shared_load(*copies, place);
  copies->share_with(core, place, finish);
  line.busy_until = start + profile_.shared_load_occupancy_ps;
  return finish;
}

Ps CoherenceModel::take_slowly(LineState& line, uint32_t core, Ps now, Ps when_owned) const {
  if (is_still(line)) [[unlikely]]
    return now + when_owned;
  LineCopies* copies = copies_of(line, core, now);
  const auto writer = static_cast<uint16_t>(core);
  if (copies == nullptr) {
    const bool was_touched = line.only_core == core;
    line.only_core = line.modified_by = writer;
    if (was_touched) return now + when_owned;
    const Ps finish = std::max(now, line.busy_until) + profile_.shared_load_ps;
    line.busy_until = finish + profile_.residency_ps;
    return finish;
  }
  if (copies->can_write(core, now)) return copies->usable(core, now) + when_owned;
  const CorePlace place = place_of_core_[core];
  if (copies->sharers == 1 && copies->has_current(core)) {
    const Ps arrives = copies->of_core(core).arrives;
    copies->own(core, place, arrives);
    line.modified_by = writer;
    return std::max(now, arrives) + when_owned;
  }
  ++transfers_;
  const Ps start = std::max(now, line.busy_until);
  const Ps finish =
      start + (line.modified_by != LineState::kNobody ? transfer(place_of_core_[line.modified_by], place)
                                                      : transfer_from_farthest(*copies, place));
  copies->give_to(core, place, start, finish);
  line.generation = copies->generation;
  line.modified_by = writer;
  line.busy_until = finish + profile_.residency_ps;
  return finish;
}

Ps CoherenceModel::transfer(CorePlace from, CorePlace to) const {
  if (from.complex == to.complex) return profile_.same_socket_transfer_ps;
  return from.socket == to.socket ? profile_.cross_complex_transfer_ps : profile_.cross_socket_transfer_ps;
}

Ps CoherenceModel::shared_load(const LineCopies& copies, CorePlace to) const {
  if (copies.is_in(to)) return profile_.shared_load_ps;
  return copies.complexes_in(to.socket) > 0 ? profile_.cross_complex_transfer_ps
                                            : profile_.cross_socket_transfer_ps;
}

// All copies must be invalidated before the line is written, so the farthest one sets the cost.
Ps CoherenceModel::transfer_from_farthest(const LineCopies& copies, CorePlace to) const {
  if (copies.is_only_in_complex(to)) return profile_.same_socket_transfer_ps;
  return copies.is_only_in_socket(to) ? profile_.cross_complex_transfer_ps
                                      : profile_.cross_socket_transfer_ps;
}

}  // namespace latchscope::platform
