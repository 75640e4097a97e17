// What a scenario's workload offers to the engine: it builds the server it needs, makes clients, turns knobs,
// fires actions and checks its invariants. One file per bug implements it.
//
// Threads: the coordinator calls everything except Client::transaction() and EngineThread::body. "Clients
// stopped" means that every client is at a transaction boundary.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/your_latch.h"
#include "telemetry/layout.h"
#include "workload/scenario_manifest.h"

namespace latchscope::workload {

struct WorkloadConfig {
  const ScenarioManifest* manifest;
  uint32_t clients;
  uint64_t seed;
  std::vector<uint32_t> design;     // variant per knob, in the manifest's order
  std::vector<int64_t> parameters;  // value per parameter, in the manifest's order
  std::optional<lab::YourLatchSpec> your_latch = std::nullopt;

  int64_t parameter(std::string_view id) const;
  uint32_t variant(std::string_view knob) const;
  // Where `your_latch` may be put; null without one.
  std::unique_ptr<lab::LatchPlace> latch_place(std::string_view knob) const;
};

// A value that is wrong only in combination with others.
struct ConfigError {
  std::string field;  // as in the run spec, such as "parameters.tables"
  std::string value;
  std::string allowed;
};

struct Invariant {
  std::string name;
  bool ok;
  std::string detail;
};

// What a reader has to wait for, and how far it is.
struct LongWait {
  telemetry::LongWait what = telemetry::LongWait::none;
  uint64_t done = 0;
  uint64_t total = 0;
};

class Client {
 public:
  virtual ~Client() = default;
  virtual void transaction() = 0;
  // Called before each transaction. An inactive client calls it again a few milliseconds later.
  virtual bool is_active() const { return true; }
};

// A thread of the server itself, such as the page cleaner.
struct EngineThread {
  std::string name;
  std::function<void()> body;  // returns soon after request_stop()
  std::function<void()> request_stop;
};

class Workload {
 public:
  virtual ~Workload() = default;

  // Loads the data. Called once, before anything else.
  virtual void build() = 0;
  virtual std::vector<EngineThread> engine_threads() = 0;
  virtual std::unique_ptr<Client> make_client(uint32_t ordinal) = 0;

  // Clients stopped: ends the phase in which one design was in force, so that its counts can be checked.
  virtual void phase_ends() = 0;
  // Clients stopped.
  virtual void set_knob(uint32_t knob, uint32_t variant) = 0;

  virtual bool action_stops_clients(uint32_t action) const = 0;
  // Carries out an action. Returns why it is impossible now, or "".
  virtual std::string fire(uint32_t action) = 0;

  // Where a latch of the reader's is, or may be put.
  virtual std::vector<lab::LatchPlace*> latch_places() { return {}; }

  // What goes on now that takes long. Asked every few milliseconds; takes no lock and changes nothing.
  virtual LongWait long_wait() const { return {}; }

  // The run is about to end early: slow work that may be cut short takes no time from now on.
  virtual void cut_short() {}

  // Clients stopped, after phase_ends().
  virtual std::vector<Invariant> check_invariants() = 0;
};

// Those of them that there are.
template <class... Places>
std::vector<lab::LatchPlace*> places_of(const Places&... places) {
  std::vector<lab::LatchPlace*> there;
  for (lab::LatchPlace* place : {places.get()...}) {
    if (place != nullptr) there.push_back(place);
  }
  return there;
}

// Errors of values that are wrong only in combination.
std::vector<ConfigError> check_config(const WorkloadConfig& config);
std::unique_ptr<Workload> make_workload(const WorkloadConfig& config);

}  // namespace latchscope::workload
