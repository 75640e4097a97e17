#include "telemetry/event_notes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "telemetry/publish.h"
#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

struct Notes {
  uint64_t after = 0, count = 0;
  std::function<void(uint64_t)> on_first;
  std::vector<EventNote> kept;
  std::unordered_map<uint32_t, uint32_t> sites;  // by latch number
};

Notes& notes() {
  // Never destroyed: the machine may report events until the process exits.
  static Notes* the_notes = new Notes;
  return *the_notes;
}

// Records which latches the thread holds and waits for, and at which sites it acquired them.
void learn_names(const ThreadSlot& slot) {
  const uint32_t held = std::min(slot.held_count[0].read(), kHeldLatchesMax);
  for (uint32_t i = 0; i < held; ++i)
    notes().sites[slot.held_latches[i].read()] = slot.held[i].read() - 1;
  const uint32_t wait_site = slot.wait_site[0].read();
  if (wait_site != 0) notes().sites[slot.wait_latch[0].read()] = wait_site - 1;
}

// Some threads may have no event of their own in the recorded range.
void learn_names_of_all() {
  for (const ThreadSlot& slot : block().threads)
    learn_names(slot);
}

void note_thread(EventNote& note, const void* thread) {
  if (thread == nullptr) return;
  note.slot = static_cast<const ThreadRecorder*>(thread)->thread_number() - 1;
  const ThreadSlot& slot = block().threads[note.slot];
  note.state = static_cast<ThreadState>(slot.state[0].read());
  copy_stack(slot, note.stack);
  learn_names(slot);
}

void note_event(const platform::NotedEvent& event) {
  // Discards the events of an earlier run.
  if (event.number == notes().after + 1) notes().kept.clear();
  if (notes().kept.empty() && notes().after > 0 && notes().on_first) notes().on_first(event.at_ps);
  EventNote& note = notes().kept.emplace_back();
  note.event = event;
  const void* thread = std::exchange(note.event.thread, nullptr);
  if (notes().count > kNotesInFullMax) return;
  note_thread(note, thread);
  const uint64_t last = notes().after + notes().count;
  if (event.number == notes().after + 1 || event.number == last) learn_names_of_all();
}

void note_access(const platform::LineAccess& access) {
  if (notes().kept.empty() || access.thread == nullptr) return;
  EventNote& last = notes().kept.back();
  const uint32_t slot = static_cast<const ThreadRecorder*>(access.thread)->thread_number() - 1;
  if (last.slot != slot || last.event.at_ps != access.at_ps || last.event.line.latch != access.line.latch)
    return;
  last.has_access = true;
  last.access = access.kind;
  last.word = access.word;
}

}  // namespace

void note_events(uint64_t after, uint64_t count, std::function<void(uint64_t)> on_first) {
  notes() = {after, count, std::move(on_first), {}, {}};
  platform::note_events(after, count, {note_event, note_access});
}

const std::vector<EventNote>& event_notes() {
  return notes().kept;
}

std::string name_of_noted_latch(uint32_t latch) {
  const auto site = notes().sites.find(latch);
  return site == notes().sites.end() ? "" : latch_name_of_site(site->second);
}

}  // namespace latchscope::telemetry
