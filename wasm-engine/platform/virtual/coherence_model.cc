#include "platform/virtual/coherence_model.h"

#include <algorithm>

namespace latchscope::platform {

Ps CoherenceModel::load(LineState& line, uint32_t core, Ps now) const {
  prepare(line);
  if (line.readable_until[core] > now) return now + profile_.coherence.load_hit;
  const Ps start = std::max(now, line.busy_until);
  const Ps finish = start + cost_of_reading(line, core);
  if (line.modified_by != LineState::kNobody) {
    line.writable_until[line.modified_by] = start;  // it keeps a copy to read
    line.modified_by = LineState::kNobody;
    line.busy_until = finish;
  } else {
    line.busy_until = start + profile_.coherence.shared_load_occupancy;
  }
  line.copies.set(core);
  line.readable_until[core] = kNever;
  return finish;
}

Ps CoherenceModel::write(LineState& line, uint32_t core, Ps now) const {
  prepare(line);
  if (line.writable_until[core] > now) return now + profile_.coherence.local_rmw;
  const bool has_only_copy = line.copies.test(core) && line.copies.count() == 1;
  const Ps start = std::max(now, line.busy_until);
  const Ps finish = has_only_copy ? now + profile_.coherence.local_rmw : start + cost_of_taking(line, core);
  if (!has_only_copy) {
    take_from_all(line, start);
    line.busy_until = finish + profile_.coherence.residency;
  }
  line.copies.set(core);
  line.readable_until[core] = kNever;
  line.writable_until[core] = kNever;
  line.modified_by = core;
  return finish;
}

void CoherenceModel::prepare(LineState& line) const {
  if (!line.readable_until.empty()) return;
  line.readable_until.assign(profile_.cores(), 0);
  line.writable_until.assign(profile_.cores(), 0);
}

Ps CoherenceModel::transfer(uint32_t from, uint32_t to) const {
  const bool is_near = profile_.socket_of(from) == profile_.socket_of(to);
  return is_near ? profile_.coherence.same_socket_transfer : profile_.coherence.cross_socket_transfer;
}

bool CoherenceModel::has_copy_in_socket(const LineState& line, uint32_t socket) const {
  const uint32_t first = socket * profile_.cores_per_socket;
  for (uint32_t core = first; core < first + profile_.cores_per_socket; ++core) {
    if (line.copies.test(core)) return true;
  }
  return false;
}

Ps CoherenceModel::cost_of_reading(const LineState& line, uint32_t core) const {
  if (line.modified_by != LineState::kNobody) return transfer(line.modified_by, core);
  const bool is_near = line.copies.none() || has_copy_in_socket(line, profile_.socket_of(core));
  return is_near ? profile_.coherence.shared_load : profile_.coherence.cross_socket_transfer;
}

// All copies must go before the line is written: the farthest one sets the price.
Ps CoherenceModel::cost_of_taking(const LineState& line, uint32_t core) const {
  if (line.modified_by != LineState::kNobody) return transfer(line.modified_by, core);
  if (line.copies.none()) return profile_.coherence.shared_load;
  for (uint32_t socket = 0; socket < profile_.sockets; ++socket) {
    if (socket != profile_.socket_of(core) && has_copy_in_socket(line, socket))
      return profile_.coherence.cross_socket_transfer;
  }
  return profile_.coherence.same_socket_transfer;
}

void CoherenceModel::take_from_all(LineState& line, Ps start) const {
  for (uint32_t core = 0; core < profile_.cores(); ++core) {
    if (line.copies.test(core)) line.readable_until[core] = start;
  }
  line.copies.reset();
  if (line.modified_by != LineState::kNobody) line.writable_until[line.modified_by] = start;
}

}  // namespace latchscope::platform
