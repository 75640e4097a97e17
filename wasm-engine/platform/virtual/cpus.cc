#include "platform/virtual/cpus.h"

#include <algorithm>

namespace latchscope::platform {

void Cpus::boot(const ServerProfile& profile) {
  profile_ = profile;
  on_cpu_.assign(profile.cpus(), nullptr);
  idle_of_socket_.assign(static_cast<size_t>(profile.sockets), profile.cpus_per_socket());
  idle_of_complex_.assign(profile.complexes(), 0);
  for (uint32_t cpu = 0; cpu < profile.cpus(); ++cpu)
    ++idle_of_complex_[profile.complex_of(profile.core_of(cpu))];
  idle_ = profile.cpus();
  ready_first_ = ready_last_ = nullptr;
  busy_before_ = 0;
  context_switches_ = 0;
}

void Cpus::give_idle(Fiber& fiber, Ps starts) {
  const uint32_t cpu = pick_idle(fiber);
  note_idle(cpu, false);
  give(fiber, cpu, starts);
}

void Cpus::line_up(Fiber& fiber) {
  fiber.next_in_queue = nullptr;
  (ready_last_ == nullptr ? ready_first_ : ready_last_->next_in_queue) = &fiber;
  ready_last_ = &fiber;
}

Fiber* Cpus::release(Fiber& fiber, Ps now) {
  const uint32_t cpu = fiber.cpu;
  const Ps leaves = std::max(now, fiber.stores.empty_from());
  busy_before_ += leaves - fiber.on_cpu_since;
  fiber.cpu_time += leaves - fiber.on_cpu_since;
  fiber.cpu = kNoCpu;
  fiber.slice_ends = kNever;
  Fiber* next = take_first_in_line();
  if (next == nullptr) {
    on_cpu_[cpu] = nullptr;
    note_idle(cpu, true);
    return nullptr;
  }
  ++context_switches_;
  busy_before_ += profile_.context_switch_ps;
  give(*next, cpu, std::max(leaves, next->stores.empty_from()) + profile_.context_switch_ps);
  return next;
}

Ps Cpus::busy(Ps now) const {
  Ps busy = busy_before_;
  for (const Fiber* fiber : on_cpu_) {
    if (fiber != nullptr && now > fiber->on_cpu_since) busy += now - fiber->on_cpu_since;
  }
  return busy;
}

namespace {

// Returns the first index with the highest count.
uint32_t richest(const std::vector<uint32_t>& counts, uint32_t first, uint32_t end) {
  return static_cast<uint32_t>(std::max_element(counts.begin() + first, counts.begin() + end) -
                               counts.begin());
}

}  // namespace

// Prefers the fiber's last CPU. Otherwise takes the emptiest socket, its emptiest complex, and
// there an idle core before a busy core's sibling.
uint32_t Cpus::pick_idle(const Fiber& fiber) const {
  if (fiber.last_cpu != kNoCpu && on_cpu_[fiber.last_cpu] == nullptr) return fiber.last_cpu;
  const uint32_t socket = richest(idle_of_socket_, 0, static_cast<uint32_t>(profile_.sockets));
  const uint32_t first_complex = socket * profile_.complexes_per_socket();
  const uint32_t complex =
      richest(idle_of_complex_, first_complex, first_complex + profile_.complexes_per_socket());
  uint32_t beside_a_sibling = kNoCpu;
  for (uint32_t cpu = socket * profile_.cpus_per_socket(); cpu < profile_.cpus(); ++cpu) {
    if (on_cpu_[cpu] != nullptr || profile_.complex_of(profile_.core_of(cpu)) != complex) continue;
    if (sibling_of(cpu) == nullptr) return cpu;
    if (beside_a_sibling == kNoCpu) beside_a_sibling = cpu;
  }
  return beside_a_sibling;
}

void Cpus::note_idle(uint32_t cpu, bool is_idle) {
  const uint32_t change = is_idle ? 1u : ~0u;
  idle_of_socket_[profile_.socket_of_cpu(cpu)] += change;
  idle_of_complex_[profile_.complex_of(profile_.core_of(cpu))] += change;
  idle_ += change;
}

void Cpus::give(Fiber& fiber, uint32_t cpu, Ps starts) {
  on_cpu_[cpu] = &fiber;
  fiber.cpu = fiber.last_cpu = cpu;
  fiber.core = profile_.core_of(cpu);
  fiber.on_cpu_since = starts;
  fiber.slice_ends = starts + profile_.time_slice_ps;
}

Fiber* Cpus::take_first_in_line() {
  Fiber* first = ready_first_;
  if (first == nullptr) return nullptr;
  ready_first_ = first->next_in_queue;
  if (ready_first_ == nullptr) ready_last_ = nullptr;
  return first;
}

}  // namespace latchscope::platform
