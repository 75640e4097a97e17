#include "explain/course.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>

#include "explain/explain_names.h"
#include "latch/latch_class.h"
#include "run/engine.h"
#include "telemetry/event_notes.h"

namespace latchscope::explain {

namespace {

using platform::LineAccess;
using platform::NotedEvent;
using telemetry::EventNote;
using telemetry::LatchSiteSum;

constexpr const char* kNamesOfAccesses[] = {"load", "poll", "store", "read_modify_write",
                                            "failed_compare_exchange"};
constexpr const char* kNamesOfKinds[] = {"goes_on", "access", "store", "wakes", "timer", "polls"};

struct NamedClass {
  const char* name;
  std::vector<const char*> words;
};

const NamedClass& named_class(uint8_t latch_class) {
  static const std::vector<NamedClass> kClasses = {
#define NAMED_CLASS(name, ...) {#name, {__VA_ARGS__}},
      LATCHSCOPE_LATCH_CLASSES(NAMED_CLASS)
#undef NAMED_CLASS
  };
  return kClasses[latch_class];
}

run::CountedReading& from_reading() {
  static auto* the_reading = new run::CountedReading;
  return *the_reading;
}

std::string hexadecimal(uint64_t hash) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

// Returns the offset of the engine's clock from run time. Before the clients run it may exceed the
// clock.
int64_t clock_less_run_ns() {
  const telemetry::BlockHeader& header = telemetry::block().header;
  return static_cast<int64_t>(header.clock_ns[0].read()) - static_cast<int64_t>(header.run_ns[0].read());
}

bool has_started() {
  const uint32_t state = telemetry::block().header.run_state[0].read_acquire();
  return state >= static_cast<uint32_t>(telemetry::RunState::running);
}

void read_at(uint64_t clock_ps) {
  const int64_t run_ns = static_cast<int64_t>(clock_ps / 1000) - clock_less_run_ns();
  from_reading() = has_started() && run_ns > 0 ? run::CountedReading::at(static_cast<uint64_t>(run_ns))
                                               : run::CountedReading::of_beginning();
}

std::string thread_name(const run::Engine& engine, uint32_t slot) {
  const std::vector<std::string>& others = engine.engine_thread_names();
  const uint32_t clients = engine.spec().config.clients;
  if (slot == telemetry::kThreadSlots) return "";
  if (slot < clients) return "client " + std::to_string(slot);
  return slot - clients < others.size() ? others[slot - clients] : "coordinator";
}

void add_latch(run::Json& json, const EventNote& note) {
  const platform::LatchLine& line = note.event.line;
  if (line.latch == 0) return;
  const NamedClass& named = named_class(line.latch_class);
  const std::string name = telemetry::name_of_noted_latch(line.latch);
  json["latch"] = name.empty() ? named.name : name;
  if (!note.has_access) return;
  json["access"] = kNamesOfAccesses[static_cast<size_t>(note.access)];
  json["word"] = note.word < named.words.size() ? named.words[note.word] : "";
}

struct LatchFigures {
  uint64_t acquisitions = 0, contended = 0, waits = 0, wait_ns = 0, cost_ns = 0;

  void add(const LatchSiteSum& before, const LatchSiteSum& after) {
    acquisitions += after.acquisitions - before.acquisitions;
    contended += after.contended - before.contended;
    waits += after.waits - before.waits;
    wait_ns += after.wait_ns - before.wait_ns;
    cost_ns += after.cost_ns - before.cost_ns;
  }
  run::Json json() const {
    return {{"acquisitions", acquisitions},
            {"contended", contended},
            {"waits", waits},
            {"wait_ns", wait_ns},
            {"cost_ns", cost_ns}};
  }
};

run::Json latches_json(const run::CountedReading& from, const run::CountedReading& to) {
  std::map<std::string, LatchFigures> by_name;
  for (uint32_t site = 0; site < to.sites.size(); ++site) {
    if (to.sites[site].acquisitions == 0 && to.sites[site].contended == 0) continue;
    by_name[telemetry::latch_name_of_site(site)].add(from.sites[site], to.sites[site]);
  }
  run::Json json = run::Json::object();
  for (const auto& [latch, figures] : by_name)
    json[latch] = figures.json();
  return json;
}

}  // namespace

void note_course(uint64_t after, uint64_t count) {
  from_reading() = run::CountedReading::of_beginning();
  telemetry::note_events(after, count, read_at);
}

run::Json event_trail_json() {
  const platform::ModelTotals totals = platform::model_totals();
  run::Json json = {
      {"events", totals.events}, {"every", platform::event_trail_step()}, {"hashes", run::Json::array()}};
  for (uint64_t hash : platform::event_trail())
    json["hashes"].push_back(hexadecimal(hash));
  json["hashes"].push_back(hexadecimal(totals.hash));
  return json;
}

run::Json noted_hashes_json() {
  run::Json json = run::Json::array();
  for (const EventNote& note : telemetry::event_notes())
    json.push_back(hexadecimal(note.event.hash));
  return json;
}

run::Json noted_server_events_json() {
  run::Json json = run::Json::array();
  uint64_t hash = 0;
  for (const EventNote& note : telemetry::event_notes()) {
    if (!note.event.is_of_server) continue;
    const uint64_t words[] = {note.event.at_ps,
                              note.slot,
                              static_cast<uint64_t>(note.event.kind),
                              note.event.line.latch_class,
                              note.has_access ? 1 + static_cast<uint64_t>(note.access) : 0,
                              note.word};
    for (uint64_t word : words)
      hash = mixed(hash, word);
    json.push_back({note.event.number, hexadecimal(hash)});
  }
  return json;
}

run::Json noted_event_json(const run::Engine& engine, uint64_t number) {
  const std::vector<EventNote>& notes = telemetry::event_notes();
  const auto found = std::find_if(notes.begin(), notes.end(),
                                  [&](const EventNote& note) { return note.event.number == number; });
  if (found == notes.end()) return nullptr;
  const double clock_ns = static_cast<double>(found->event.at_ps) / 1000;
  run::Json json = {{"event", number},
                    {"run_ns", clock_ns - static_cast<double>(clock_less_run_ns())},
                    {"thread", thread_name(engine, found->slot)},
                    {"kind", kNamesOfKinds[static_cast<size_t>(found->event.kind)]}};
  add_latch(json, *found);
  if (found->slot == telemetry::kThreadSlots) return json;
  json["state"] = name_of(found->state);
  json["stack"] = run::Json::array();
  for (uint32_t function : found->stack)
    json["stack"].push_back(telemetry::function_name(function));
  return json;
}

run::Json course_json(const run::Engine& engine) {
  return {{"trail", event_trail_json()},
          {"hashes", noted_hashes_json()},
          {"server_events", noted_server_events_json()},
          {"figures", course_figures_json(engine)}};
}

run::Json course_figures_json(const run::Engine& engine) {
  const run::CountedReading& from = from_reading();
  const run::CountedReading& to = engine.reading_at_end();
  const run::Interval since = run::interval_between(from.run, to.run);
  return {{"from_s", static_cast<double>(from.run.run_ns) / 1e9},
          {"to_s", since.t_s},
          {"transactions", to.run.totals.transactions - from.run.totals.transactions},
          {"tps", since.per_s.transactions},
          {"latency_ms",
           {{"mean", since.latency_ms.mean},
            {"p50", since.latency_ms.p50},
            {"p95", since.latency_ms.p95},
            {"p99", since.latency_ms.p99},
            {"max", since.latency_ms.max}}},
          {"latches", latches_json(from, to)}};
}

}  // namespace latchscope::explain
