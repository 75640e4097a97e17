// The run spec: everything that determines a run (JSON, version 1). The URL, the command line, the
// C ABI, exports and tests all use it.
//
//   {"version":1, "scenario":"fil-mutex-69276", "design":{"tablespace_lookup":"global_mutex"},
//    "platform":"threads", "threads":8, "seed":1, "duration_s":10, "parameters":{"tables":8},
//    "actions":[{"at_s":2,"action":"one_table"},
//               {"at_s":3,"knob":"tablespace_lookup","variant":"atomic_word"}]}
//
// All fields except version and scenario are optional:
//   - "actions" are in the order of their times, none later than duration_s.
//   - "design" may also name a preset ("original", "fixed").
//   - duration_s is from 0.000001 to 3600. If it is null or absent, the run lasts until it is
//     stopped, or until it has kRunIntervalsMax intervals.
//   - threads defaults to the manifest's value, or to the machine's cores if there are more.
//   - interval_s is sysbench's --report-interval.
//   - "latch":{"program":{...}, "source":"..."} is the latch that variants called "yours" use. The
//     program has the form of lab_program.h; the source is for people.
//   - "workload":{"program":{...}, "source":"..."} is the compiled workload file of the scenario
//     "workload", which only that scenario has (workload_program.h).
//
// JSON nested deeper than any run spec is rejected. An error shortens long values and escapes
// unprintable ones (printable.h).
//
// The virtual platform, whose defaults are those of the report, has more fields:
//
//   "server":"epyc-cloud-2025"                                 one of scenarios/servers.json, or
//   "server":{"based_on":"epyc-cloud-2025","pause_ps":43000}   one with some values changed
//   "events_max":5000000000                                    stop after this many events
//   "stack_samples":{"sampler":"stop_the_world","count":40,"every_s":0.002}
//                           samples of all threads' stacks: at one moment ("instant"), or as a
//                           debugger takes them, which stops one thread after another
//   "what_if":{"costs":{"pause_ps":50},
//              "latches":[{"latch":"fil_system->mutex","section_percent":80}]}
//                           the same run, if some costs of its server, or some of its latches, were
//                           different (docs/guide/what-if.md)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/json.h"
#include "run/limits.h"
#include "telemetry/what_if.h"
#include "workload/servers.h"
#include "workload/workload.h"

namespace latchscope::run {

inline constexpr int kRunSpecVersion = 1;
inline constexpr uint64_t kEventsMaxDefault = 5'000'000'000;

struct FieldError {
  std::string field;
  std::string value;
  std::string allowed;

  // Makes text from outside printable.
  static FieldError of(std::string_view field, std::string_view value, std::string allowed);

  std::string sentence() const {
    return field + ": got " + (value.empty() ? "\"\"" : value) + "; allowed: " + allowed;
  }
};

// An action or a change of a knob at a stated time.
struct TimedStep {
  double at_s = 0;
  std::optional<uint32_t> action;
  uint32_t knob = 0;
  uint32_t variant = 0;
  // An interactive change, recorded in the result's spec (Engine::do_by_hand).
  bool is_by_hand = false;
};

// A modelled server: a named one, or one with changed values.
struct ServerSpec {
  const platform::NamedServer* based_on = nullptr;
  platform::ServerProfile profile;
};

enum class StackSampler : uint8_t { instant, stop_the_world };

struct StackSamplesSpec {
  StackSampler sampler = StackSampler::instant;
  uint32_t count = 0;
  double every_s = 0;
};

// A cost of the server, in percent of its normal value.
struct CostWhatIf {
  const platform::ServerField* field;
  uint32_t percent;
};

struct WhatIfSpec {
  std::vector<CostWhatIf> costs;
  std::vector<telemetry::LatchWhatIf> latches;
  double from_s = 0;        // run time; until then the run has no what-if
  bool is_by_hand = false;  // applied interactively (Engine::suppose_by_hand)

  bool is_empty() const { return costs.empty() && latches.empty(); }
};

struct RunSpec {
  workload::WorkloadConfig config;
  std::string platform;
  ServerSpec server;               // of the virtual platform
  uint64_t events_max = 0;         // of the virtual platform
  StackSamplesSpec stack_samples;  // of the virtual platform
  WhatIfSpec what_if;              // of the virtual platform
  Json latch;                      // as given, or null; compiled in config.your_latch
  Json workload;                   // as given, or null; compiled in config.script
  std::optional<double> duration_s;
  double interval_s = 1;
  std::vector<TimedStep> steps;  // by time
};

// Returns the server of the run, with the what-if applied.
platform::ServerProfile profile_of_run(const RunSpec& spec);

struct RunSpecOrErrors {
  std::optional<RunSpec> spec;  // present exactly if there are no errors
  std::vector<FieldError> errors;
};

// Returns the platform that this engine was built for.
const char* platform_name();
// Returns the number of clients that can be ready: the thread pool less the engine's own threads.
uint32_t clients_max();

RunSpecOrErrors parse_run_spec(std::string_view json);
// Returns the run of this spec with this what-if. Errors are those of the what-if alone.
RunSpecOrErrors supposing(const std::string& spec_json, std::string_view what_if_json);
// Returns the errors of single fields. Fields that are only wrong in combination are not checked.
std::vector<FieldError> check_fields(std::string_view json);
// Returns the full spec, with every field present, as JSON text.
std::string to_json(const RunSpec& spec);
// Does the same for a spec from any source: a page's numbers do not distinguish 1 from 1.0. Returns
// `spec` unchanged if it is no run spec.
Json spec_as_written(const Json& spec);
// Returns [{"field":...,"value":...,"allowed":...}].
std::string to_json(const std::vector<FieldError>& errors);

// Where the user named a knob and one of its variants.
struct KnobFields {
  std::string knob;
  std::string variant;
};
// Resolve names that the user gave. The error lists the allowed names.
std::optional<FieldError> find_knob(const workload::ScenarioManifest& manifest, std::string_view knob,
                                    std::string_view variant, const KnobFields& fields, uint32_t& knob_index,
                                    uint32_t& variant_index);
// Returns what is allowed instead if the variant cannot be in force in a run of this spec; empty if
// it can.
std::string latch_lacking(const RunSpec& spec, uint32_t knob, uint32_t variant);
std::optional<FieldError> find_action(const workload::ScenarioManifest& manifest, std::string_view action,
                                      const std::string& field, uint32_t& action_index);

}  // namespace latchscope::run
