// The interface between a scenario's workload and the engine. A workload builds the server it
// needs, creates clients, changes knobs, runs actions and checks its invariants. One file per bug
// implements it.
//
// Threads: the coordinator calls everything except Client::transaction() and EngineThread::body.
// "Clients stopped" means that every client is at a transaction boundary.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/your_latch.h"
#include "platform/platform.h"
#include "telemetry/layout.h"
#include "workload/scenario_manifest.h"

namespace latchscope::workload {

class ClientGate;
class ScriptScenario;

struct WorkloadConfig {
  const ScenarioManifest* manifest;
  uint32_t clients;
  uint64_t seed;
  std::vector<uint32_t> design;     // variant per knob, in the manifest's order
  std::vector<int64_t> parameters;  // value per parameter, in the manifest's order
  std::optional<lab::YourLatchSpec> your_latch = std::nullopt;
  // A latch of the lab counts as hanging if threads want it and it lets none in for this long.
  uint64_t latch_patience_ns = 0;
  // The workload file of a run, which owns `manifest`; null for the scenarios that are compiled in.
  std::shared_ptr<const ScriptScenario> script = nullptr;

  int64_t parameter(std::string_view id) const;
  // Returns the place for `your_latch` at this knob; null if there is no such latch.
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

// A long operation that the user waits for, and its progress.
struct LongWait {
  telemetry::LongWait what = telemetry::LongWait::none;
  uint64_t done = 0;
  uint64_t total = 0;
};

class Client {
 public:
  virtual ~Client() = default;
  // Called before each transaction: waits until it may begin. Returns false when the run is over.
  virtual bool comes_to_transaction(ClientGate& gate);
  virtual void transaction() = 0;
  // Returns when the request of the next transaction arrived, from which its latency counts. 0: the
  // transaction begins at once.
  virtual uint64_t arrived_ps() const { return 0; }
  // Returns false if the last transaction was cut short. It does not count then.
  virtual bool has_ended_transaction() const { return true; }
  // Called before each transaction. If it returns false, the client calls it again a few
  // milliseconds later.
  virtual bool is_active() const { return true; }
};

// A background worker of the server, such as the page cleaner.
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

  // Ends the phase of one design, so that its counts can be checked.
  // REQUIRES: clients stopped.
  virtual void phase_ends() = 0;
  // REQUIRES: clients stopped.
  virtual void set_knob(uint32_t knob, uint32_t variant) = 0;

  // Called while the coordinator waits for the clients to stop. Clients asleep inside a transaction
  // may look at the gate then.
  virtual void wake_clients() {}
  // Called before the clients continue after they have stood still.
  virtual void clients_stand_still(uint64_t /*duration_ps*/) {}

  virtual bool action_stops_clients(uint32_t action) const = 0;
  // Runs an action. Returns why it is impossible now, or "".
  virtual std::string fire(uint32_t action) = 0;

  // Returns the places where a latch written in the lab is in force or may be.
  virtual std::vector<lab::LatchPlace*> latch_places() { return {}; }

  // Returns the long operation in progress. Called every few milliseconds; acquires no lock and
  // changes nothing.
  virtual LongWait long_wait() const { return {}; }

  // Called every few milliseconds, also while clients are stopped.
  virtual void look() {}
  // Returns why the run cannot continue, or "".
  virtual std::string trouble() const { return ""; }

  // Called when the run is about to end early, or has ended: from now on, slow work that may be cut
  // short takes no time.
  virtual void cut_short() {}
  // How long the coordinator waits for the clients to stop. After that it calls lose_patience()
  // during a run, and cut_short() at its end.
  virtual uint64_t patience_ns() const { return platform::kForeverNs; }
  virtual void lose_patience() {}

  // REQUIRES: clients stopped, after phase_ends().
  virtual std::vector<Invariant> check_invariants() = 0;
};

// Returns those places that are not null.
template <class... Places>
std::vector<lab::LatchPlace*> places_of(const Places&... places) {
  std::vector<lab::LatchPlace*> there;
  for (lab::LatchPlace* place : {places.get()...}) {
    if (place != nullptr) there.push_back(place);
  }
  return there;
}

// Returns errors of values that are wrong only in combination.
std::vector<ConfigError> check_config(const WorkloadConfig& config);
std::unique_ptr<Workload> make_workload(const WorkloadConfig& config);

}  // namespace latchscope::workload
