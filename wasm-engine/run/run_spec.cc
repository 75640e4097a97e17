#include "run/run_spec.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "lab/patience.h"
#include "platform/platform.h"
#include "run/lab_program.h"
#include "run/printable.h"
#include "run/workload_program.h"
#include "telemetry/layout.h"
#include "workload/script_scenario.h"

namespace latchscope::run {

namespace {

using workload::ScenarioManifest;

static_assert(!platform::kIsModelled || platform::kThreadsMax >= kClientsMost + kEngineThreads,
              "a modeled server has enough threads for all clients of a page");

static_assert(kWhatIfLatchesMax == telemetry::kLatchWhatIfsMax);

std::string listed(const auto& names) {
  std::string list;
  for (const std::string_view name : names)
    list += (list.empty() ? "" : ", ") + std::string(name);
  return list.empty() ? "none" : list;
}

std::vector<std::string_view> ids_of(const auto& elements) {
  std::vector<std::string_view> ids;
  for (const auto& element : elements)
    ids.push_back(element.id);
  return ids;
}

std::string list_ids(const auto& elements) {
  return listed(ids_of(elements));
}

// Uses the page's form (web/contract/schema-parts.ts): a single name has no "one of".
std::string one_of(const std::vector<std::string_view>& names) {
  return (names.size() > 1 ? "one of " : "") + listed(names);
}

std::string one_of_ids(const auto& elements) {
  return one_of(ids_of(elements));
}

// Returns whether a value of a server is a time or a percentage, and not a number of something.
bool is_cost(const platform::ServerField& field) {
  return field.id.ends_with("_ps") || field.id.ends_with("_percent");
}

std::vector<std::string_view> cost_names() {
  std::vector<std::string_view> names;
  for (const platform::ServerField& field : workload::server_fields()) {
    if (is_cost(field)) names.push_back(field.id);
  }
  return names;
}

std::string integer_range(int64_t min, int64_t max) {
  return "an integer from " + std::to_string(min) + " to " + std::to_string(max);
}

// Returns the number to the nanosecond, without trailing zeros.
std::string in_digits(double number) {
  char text[32];
  snprintf(text, sizeof text, "%.9f", number);
  std::string digits(text);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

bool has_variant_of_reader(const workload::KnobManifest& knob) {
  return std::ranges::any_of(
      knob.variants, [](const auto& variant) { return variant.needs != workload::LatchNeeded::none; });
}

// On real threads other load of the machine is unknown, so the limit is far above what they should
// need.
uint64_t latch_patience_ns(const platform::ServerProfile& server, uint32_t threads) {
  constexpr uint64_t kOnRealThreadsNs = 3'000'000'000;
  return platform::kIsModelled ? lab::patience_ns(server, threads) : kOnRealThreadsNs;
}

class Parser {
 public:
  RunSpecOrErrors parse(std::string_view text) {
    read_fields(text);
    if (errors_.empty()) check_together();
    return finish();
  }

  std::vector<FieldError> check_fields(std::string_view text) {
    read_fields(text);
    return std::move(errors_);
  }

 private:
  const ScenarioManifest& manifest() const { return *spec_.config.manifest; }

  void read_fields(std::string_view text) {
    const std::optional<Json> json = read_json(text);
    if (json && json->is_object()) {
      read_fields(*json);
    } else {
      fail("run spec", text,
           "a JSON object, nested at most " + std::to_string(kJsonDepthMax) + " levels deep");
    }
  }

  void read_fields(const Json& json) {
    read_version(json);
    read_scenario(json);
    if (spec_.config.manifest == nullptr) return;
    refuse_unknown(
        json, "",
        {"version", "scenario", "workload", "design", "platform", "server", "events_max", "stack_samples",
         "what_if", "latch", "threads", "seed", "duration_s", "interval_s", "parameters", "actions"});
    read_platform(json);
    read_server(json);
    read_events_max(json);
    read_stack_samples(json);
    read_what_if(json);
    read_threads(json);
    read_seed(json);
    read_duration(json);
    read_interval(json);
    read_design(json);
    read_parameters(json);
    read_steps(json);
    read_latch(json);
  }

  void fail(std::string_view field, std::string_view value, std::string allowed) {
    errors_.push_back(FieldError::of(field, value, std::move(allowed)));
  }
  void fail(std::string_view field, const Json& value, std::string allowed) {
    fail(field, std::string_view(value.dump()), std::move(allowed));
  }

  RunSpecOrErrors finish() {
    if (!errors_.empty()) return {std::nullopt, std::move(errors_)};
    return {std::move(spec_), {}};
  }

  void refuse_unknown(const Json& object, const std::string& prefix,
                      std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      fail(prefix + key, value, one_of(known));
    }
  }

  void read_version(const Json& json) {
    const Json version = json.value("version", Json());
    if (version != kRunSpecVersion) {
      fail("version", version, std::to_string(kRunSpecVersion));
    }
  }

  void read_scenario(const Json& json) {
    const Json id = json.value("scenario", Json());
    if (id == workload::kScriptScenario) return read_workload(json.value("workload", Json()));
    spec_.config.manifest = id.is_string() ? workload::find_scenario(id.get<std::string>()) : nullptr;
    if (spec_.config.manifest == nullptr) {
      std::vector<std::string_view> scenarios = ids_of(workload::scenario_manifests());
      scenarios.push_back(workload::kScriptScenario);
      return fail("scenario", id, one_of(scenarios));
    }
    if (json.contains("workload"))
      fail("workload", json["workload"],
           "omitted: only of the scenario " + std::string(workload::kScriptScenario));
  }

  void read_workload(const Json& workload) {
    if (!workload.is_object()) return fail("workload", workload, "an object with source, program");
    refuse_unknown(workload, "workload.", {"source", "program"});
    if (workload.contains("source") && !workload["source"].is_string())
      fail("workload.source", workload["source"], "a text");
    WorkloadProgramOrErrors read = workload_program_of(workload.value("program", Json()));
    add_errors_of_program("workload", std::move(read.errors));
    if (!read.program) return;
    spec_.workload = workload;
    spec_.config.script = std::make_shared<const workload::ScriptScenario>(*std::move(read.program));
    spec_.config.manifest = &spec_.config.script->manifest();
  }

  void add_errors_of_program(const std::string& of, std::vector<FieldError> errors) {
    for (FieldError& error : errors) {
      error.field = of + (error.field == "program" ? ".program" : ".program." + error.field);
      errors_.push_back(std::move(error));
    }
  }

  void read_platform(const Json& json) {
    spec_.platform = platform_name();
    const auto found = json.find("platform");
    if (found != json.end() && *found != spec_.platform) fail("platform", *found, spec_.platform);
  }

  // Rejects values that only a modelled server has.
  bool may_be_given(const Json& json, const char* field) {
    const auto found = json.find(field);
    if (found == json.end()) return false;
    if (platform::kIsModelled) return true;
    fail(field, *found, "omitted: virtual only");
    return false;
  }

  void read_server(const Json& json) {
    use_server(manifest().virtual_server);
    if (!may_be_given(json, "server")) return;
    const Json& server = json["server"];
    if (!server.is_object()) {
      if (!is_named(server)) {
        fail("server", server,
             one_of_ids(workload::named_servers()) + ", or an object with based_on and changed values");
      }
      return;
    }
    read_based_on(server.value("based_on", Json()));
    for (const auto& [id, value] : server.items()) {
      if (id != "based_on") read_server_value(id, value);
    }
    const platform::ServerProfile& profile = spec_.server.profile;
    if (profile.cpus() > platform::kCpusMax) {
      const uint64_t most = platform::kCpusMax / (profile.sockets * profile.threads_per_core);
      fail("server.cores_per_socket", std::string_view(std::to_string(profile.cores_per_socket)),
           "at most " + std::to_string(most) + ": a server has at most " +
               std::to_string(platform::kCpusMax) + " CPUs");
    }
  }

  bool use_server(std::string_view id) {
    for (const platform::NamedServer& server : workload::named_servers()) {
      if (server.id != id) continue;
      spec_.server = {&server, server.profile};
      return true;
    }
    return false;
  }

  bool is_named(const Json& server) { return server.is_string() && use_server(server.get<std::string>()); }

  void read_based_on(const Json& id) {
    if (!is_named(id)) fail("server.based_on", id, one_of_ids(workload::named_servers()));
  }

  void read_server_value(const std::string& id, const Json& value) {
    const int32_t index = workload::index_of(workload::server_fields(), id);
    if (index < 0)
      return fail("server." + id, value, "one of based_on, " + list_ids(workload::server_fields()));
    const platform::ServerField& field = workload::server_fields()[static_cast<size_t>(index)];
    int64_t number = 0;
    if (read_integer(value, "server." + id, static_cast<int64_t>(field.min), static_cast<int64_t>(field.max),
                     number)) {
      spec_.server.profile.*field.member = static_cast<uint64_t>(number);
    }
  }

  void read_events_max(const Json& json) {
    int64_t events = kEventsMaxDefault;
    if (may_be_given(json, "events_max"))
      read_integer(json["events_max"], "events_max", 1, kEventsMaxMost, events);
    spec_.events_max = static_cast<uint64_t>(events);
  }

  void read_stack_samples(const Json& json) {
    if (!may_be_given(json, "stack_samples")) return;
    const Json& samples = json["stack_samples"];
    if (!samples.is_object()) return fail("stack_samples", samples, "an object with sampler, count, every_s");
    refuse_unknown(samples, "stack_samples.", {"sampler", "count", "every_s"});
    const Json sampler = samples.value("sampler", Json());
    if (sampler == "stop_the_world") {
      spec_.stack_samples.sampler = StackSampler::stop_the_world;
    } else if (sampler != "instant") {
      fail("stack_samples.sampler", sampler, one_of({"instant", "stop_the_world"}));
    }
    int64_t count = 0;
    read_integer(samples.value("count", Json()), "stack_samples.count", 1, kStackSamplesMax, count);
    spec_.stack_samples.count = static_cast<uint32_t>(count);
    read_seconds(samples.value("every_s", Json()), "stack_samples.every_s", kIntervalMinS, kIntervalMaxS,
                 spec_.stack_samples.every_s);
  }

  void read_what_if(const Json& json) {
    if (!may_be_given(json, "what_if")) return;
    const Json& what_if = json["what_if"];
    if (!what_if.is_object()) return fail("what_if", what_if, "an object with costs, latches, from_s");
    const size_t faults_before = errors_.size();
    refuse_unknown(what_if, "what_if.", {"costs", "latches", "from_s"});
    if (what_if.contains("costs")) read_costs(what_if["costs"]);
    if (what_if.contains("latches")) read_latches(what_if["latches"]);
    if (what_if.contains("from_s"))
      read_seconds(what_if["from_s"], "what_if.from_s", 0, kDurationMaxS, spec_.what_if.from_s);
    if (spec_.what_if.is_empty() && errors_.size() == faults_before)
      fail("what_if", what_if, "at least one cost or latch");
  }

  void read_costs(const Json& costs) {
    if (!costs.is_object()) return fail("what_if.costs", costs, "an object of costs and percents");
    for (const auto& [id, percent] : costs.items())
      read_cost(id, percent);
  }

  void read_cost(const std::string& id, const Json& percent) {
    const std::string name = "what_if.costs." + id;
    const int32_t index = workload::index_of(workload::server_fields(), id);
    if (index < 0 || !is_cost(workload::server_fields()[static_cast<size_t>(index)]))
      return fail(name, percent, one_of(cost_names()));
    int64_t number = 0;
    if (!read_integer(percent, name, 0, kWhatIfPercentMax, number)) return;
    const platform::ServerField& field = workload::server_fields()[static_cast<size_t>(index)];
    const uint64_t value = spec_.server.profile.*field.member * static_cast<uint64_t>(number) / 100;
    if (value < field.min || value > field.max) {
      fail(name, percent,
           "a percentage that keeps " + id + " from " + std::to_string(field.min) + " to " +
               std::to_string(field.max) + "; this server has " +
               std::to_string(spec_.server.profile.*field.member));
      return;
    }
    spec_.what_if.costs.push_back({&field, static_cast<uint32_t>(number)});
  }

  void read_latches(const Json& latches) {
    if (!latches.is_array() || latches.size() > kWhatIfLatchesMax)
      return fail("what_if.latches", latches,
                  "a list of at most " + std::to_string(kWhatIfLatchesMax) + " latches");
    for (size_t i = 0; i < latches.size(); ++i)
      read_latch(latches[i], "what_if.latches[" + std::to_string(i) + "]");
  }

  void read_latch(const Json& json, const std::string& field) {
    if (!json.is_object())
      return fail(field, json, "an object with latch, site, section_percent, hand_over, line, wake_up");
    refuse_unknown(json, field + ".", {"latch", "site", "section_percent", "hand_over", "line", "wake_up"});
    telemetry::LatchWhatIf what_if;
    const bool is_known =
        read_name(json.value("latch", Json()), field + ".latch", latch_names(), what_if.latch);
    int64_t percent = what_if.section_percent;
    if (json.contains("section_percent"))
      read_integer(json["section_percent"], field + ".section_percent", 0, kWhatIfPercentMax, percent);
    what_if.section_percent = static_cast<uint32_t>(percent);
    what_if.is_line_still = is_given_as(json, field, "line", "still");
    what_if.is_wake_up_free = is_given_as(json, field, "wake_up", "free");
    what_if.is_hand_over_free = is_given_as(json, field, "hand_over", "free");
    if (is_known && json.contains("site")) read_site(json, field, what_if);
    spec_.what_if.latches.push_back(std::move(what_if));
  }

  // Returns the latches of the scenario's server, in any design.
  std::vector<std::string_view> latch_names() const {
    const auto known = spec_.config.manifest->latches;
    return known.empty() && !spec_.config.script ? telemetry::latch_names()
                                                 : std::vector(known.begin(), known.end());
  }

  bool read_name(const Json& name, const std::string& field, const std::vector<std::string_view>& known,
                 std::string& result) {
    if (name.is_string() && std::find(known.begin(), known.end(), name.get<std::string>()) != known.end()) {
      result = name.get<std::string>();
      return true;
    }
    fail(field, name, one_of(known));
    return false;
  }

  bool is_given_as(const Json& json, const std::string& field, const char* name, const char* only_value) {
    const auto found = json.find(name);
    if (found == json.end()) return false;
    if (*found != only_value) fail(field + "." + name, *found, only_value);
    return true;
  }

  // Cache lines, sleepers and spinners belong to the whole latch, not to one site.
  void read_site(const Json& json, const std::string& field, telemetry::LatchWhatIf& what_if) {
    if (!json["site"].is_string())
      return fail(field + ".site", json["site"], "a function that acquires the latch");
    if (json.contains("hand_over") || json.contains("line") || json.contains("wake_up"))
      return fail(field + ".site", json["site"],
                  "no site with hand_over, line or wake_up, which apply to the whole latch");
    const auto sites = spec_.config.script ? spec_.config.script->sites_of(what_if.latch)
                                           : telemetry::functions_that_take(what_if.latch);
    read_name(json["site"], field + ".site", sites, what_if.site);
  }

  bool read_integer(const Json& value, const std::string& field, int64_t min, int64_t max, int64_t& result) {
    if (value.is_number_integer() && value.get<int64_t>() >= min && value.get<int64_t>() <= max &&
        !(value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(max))) {
      result = value.get<int64_t>();
      return true;
    }
    fail(field, value, integer_range(min, max));
    return false;
  }

  bool read_seconds(const Json& value, const std::string& field, double min, double max, double& result,
                    const char* or_else = "") {
    if (value.is_number() && value.get<double>() >= min && value.get<double>() <= max) {
      result = value.get<double>();
      return true;
    }
    fail(field, value, "a number from " + in_digits(min) + " to " + in_digits(max) + or_else);
    return false;
  }

  void read_threads(const Json& json) {
    const int64_t most = threads_most();
    int64_t threads = platform::kIsModelled
                          ? manifest().threads_virtual_default
                          : std::max(manifest().threads_default, platform::hardware_cores());
    threads = std::clamp<int64_t>(threads, manifest().threads_min, most);
    const auto found = json.find("threads");
    if (found != json.end()) read_integer(*found, "threads", manifest().threads_min, most, threads);
    spec_.config.clients = static_cast<uint32_t>(threads);
  }

  int64_t threads_most() const {
    if (platform::kIsModelled) return clients_max();
    return std::min<int64_t>(manifest().threads_max, clients_max());
  }

  void read_seed(const Json& json) {
    int64_t seed = 1;
    const auto found = json.find("seed");
    if (found != json.end()) read_integer(*found, "seed", 0, kSeedMax, seed);
    spec_.config.seed = static_cast<uint64_t>(seed);
  }

  void read_duration(const Json& json) {
    const auto found = json.find("duration_s");
    if (found == json.end() || found->is_null()) return;
    double duration_s = 0;
    if (read_seconds(*found, "duration_s", kDurationMinS, kDurationMaxS, duration_s,
                     ", or null: until stopped"))
      spec_.duration_s = duration_s;
  }

  void read_interval(const Json& json) {
    const auto found = json.find("interval_s");
    if (found == json.end()) return;
    if (!read_seconds(*found, "interval_s", kIntervalMinS, kIntervalMaxS, spec_.interval_s)) return;
    // web/contract/run-spec-rules.ts checks this with the same text.
    if (spec_.duration_s && *spec_.duration_s / spec_.interval_s > kRunIntervalsMax) {
      fail("interval_s", *found,
           "long enough that duration_s has at most " + std::to_string(kRunIntervalsMax) + " intervals");
    }
  }

  std::string design_in_words() const {
    return "an object of knobs and variants, or a preset: " + list_ids(manifest().designs);
  }

  void read_design(const Json& json) {
    const Json design = json.value("design", Json("original"));
    auto& variants = spec_.config.design;
    variants.assign(manifest().designs[0].variants.begin(), manifest().designs[0].variants.end());
    if (design.is_string()) {
      const int32_t preset = index_of(manifest().designs, design.get<std::string>());
      if (preset < 0) return fail("design", design, design_in_words());
      const auto& chosen = manifest().designs[static_cast<size_t>(preset)].variants;
      variants.assign(chosen.begin(), chosen.end());
      return;
    }
    if (!design.is_object()) return fail("design", design, design_in_words());
    for (const auto& [knob, variant] : design.items()) {
      const std::string variant_id = variant.is_string() ? variant.get<std::string>() : variant.dump();
      uint32_t knob_index = 0;
      uint32_t variant_index = 0;
      const std::string field = "design." + knob;
      const auto error = find_knob(manifest(), knob, variant_id, {field, field}, knob_index, variant_index);
      if (error) {
        errors_.push_back(*error);
      } else {
        variants[knob_index] = variant_index;
      }
    }
  }

  void read_parameters(const Json& json) {
    for (const auto& parameter : manifest().parameters) {
      spec_.config.parameters.push_back(platform::kIsModelled ? parameter.virtual_default
                                                              : parameter.default_value);
    }
    const Json parameters = json.value("parameters", Json::object());
    if (!parameters.is_object()) return fail("parameters", parameters, "an object of parameters");
    for (const auto& [id, value] : parameters.items()) {
      const int32_t index = index_of(manifest().parameters, id);
      if (index < 0) {
        fail("parameters." + id, value, one_of_ids(manifest().parameters));
        continue;
      }
      const auto& parameter = manifest().parameters[static_cast<size_t>(index)];
      read_integer(value, "parameters." + id, parameter.min, parameter.max,
                   spec_.config.parameters[static_cast<size_t>(index)]);
    }
  }

  void read_steps(const Json& json) {
    const Json steps = json.value("actions", Json::array());
    if (!steps.is_array() || steps.size() > kTimedStepsMax)
      return fail("actions", steps, "a list of at most " + std::to_string(kTimedStepsMax) + " actions");
    for (size_t i = 0; i < steps.size(); ++i)
      read_step(steps[i], "actions[" + std::to_string(i) + "]");
  }

  static constexpr std::initializer_list<std::string_view> kActionFields = {"at_s", "action"};
  static constexpr std::initializer_list<std::string_view> kTurnFields = {"at_s", "knob", "variant"};

  static size_t foreign_fields(const Json& object, std::initializer_list<std::string_view> known) {
    size_t count = object.size();
    for (std::string_view name : known)
      count -= object.is_object() && object.contains(name) ? 1 : 0;
    return count;
  }

  static bool has_all(const Json& object, std::initializer_list<std::string_view> fields) {
    return std::all_of(fields.begin(), fields.end(),
                       [&](std::string_view name) { return object.is_object() && object.contains(name); });
  }

  // Decides the kind of a step by its fields: the kind with the fewest foreign fields. In a tie,
  // the kind whose fields are all there.
  void read_step(const Json& json, const std::string& field) {
    const size_t not_of_action = foreign_fields(json, kActionFields);
    const size_t not_of_turn = foreign_fields(json, kTurnFields);
    const bool is_whole_action = has_all(json, kActionFields);
    if (!json.is_object() || (not_of_action == not_of_turn && is_whole_action == has_all(json, kTurnFields)))
      return fail(field, json, "an object with at_s, and either an action, or a knob and a variant");
    const bool is_action = not_of_action == not_of_turn ? is_whole_action : not_of_action < not_of_turn;
    refuse_unknown(json, field + ".", is_action ? kActionFields : kTurnFields);
    TimedStep step;
    const Json at_s = json.value("at_s", Json());
    if (read_seconds(at_s, field + ".at_s", 0, kDurationMaxS, step.at_s))
      check_place_in_time(step.at_s, field + ".at_s", at_s);
    const auto error = is_action ? resolve_action(json, field, step) : resolve_knob(json, field, step);
    if (error) errors_.push_back(*error);
    spec_.steps.push_back(step);
  }

  void check_place_in_time(double at_s, const std::string& field, const Json& given) {
    const double before_s = spec_.steps.empty() ? 0 : spec_.steps.back().at_s;
    if (at_s < before_s) {
      fail(field, given, "at least " + in_digits(before_s) + ": actions are sorted by time");
    } else if (spec_.duration_s && at_s > *spec_.duration_s) {
      fail(field, given, "at most " + in_digits(*spec_.duration_s) + ", the end of the run (duration_s)");
    }
  }

  static std::string text_of(const Json& json) {
    return json.is_string() ? json.get<std::string>() : json.dump();
  }

  std::optional<FieldError> resolve_action(const Json& json, const std::string& field, TimedStep& step) {
    uint32_t action = 0;
    const auto error =
        find_action(manifest(), text_of(json.value("action", Json())), field + ".action", action);
    step.action = action;
    return error;
  }

  std::optional<FieldError> resolve_knob(const Json& json, const std::string& field, TimedStep& step) {
    return find_knob(manifest(), text_of(json.value("knob", Json())), text_of(json.value("variant", Json())),
                     {field + ".knob", field + ".variant"}, step.knob, step.variant);
  }

  // Reads the latch after the clients and the design, which decide what it is for.
  void read_latch(const Json& json) {
    const auto found = json.find("latch");
    if (found != json.end()) read_latch_itself(*found);
    const auto& knobs = manifest().knobs;
    for (uint32_t knob = 0; knob < spec_.config.design.size(); ++knob)
      refuse_without_latch("design." + std::string(knobs[knob].id), knob, spec_.config.design[knob]);
    for (size_t i = 0; i < spec_.steps.size(); ++i) {
      const TimedStep& step = spec_.steps[i];
      if (!step.action)
        refuse_without_latch("actions[" + std::to_string(i) + "].variant", step.knob, step.variant);
    }
  }

  void read_latch_itself(const Json& latch) {
    if (!std::ranges::any_of(manifest().knobs, has_variant_of_reader))
      return fail("latch", latch, "omitted: no variant of this scenario is a latch of your own");
    if (!latch.is_object()) return fail("latch", latch, "an object with source, program");
    refuse_unknown(latch, "latch.", {"source", "program"});
    if (latch.contains("source") && !latch["source"].is_string())
      fail("latch.source", latch["source"], "a text");
    LabProgramOrErrors read = lab_program_of(latch.value("program", Json()));
    add_errors_of_program("latch", std::move(read.errors));
    if (!read.program) return;
    const uint32_t threads = spec_.config.clients + kEngineThreads;
    if (read.program->threads_max != 0 && read.program->threads_max < threads)
      return fail("latch.program.threads_max", Json(read.program->threads_max),
                  "at least " + std::to_string(threads) + " (the clients and " +
                      std::to_string(kEngineThreads) + " server threads), or 0 for any number");
    spec_.latch = latch;
    spec_.config.your_latch = {std::make_shared<const lab::Program>(*std::move(read.program)), threads,
                               latch_patience_ns(spec_.server.profile, threads)};
  }

  void refuse_without_latch(const std::string& field, uint32_t knob, uint32_t variant) {
    const std::string lacking = latch_lacking(spec_, knob, variant);
    if (!lacking.empty()) fail(field, std::string_view(manifest().knobs[knob].variants[variant].id), lacking);
  }

  void check_together() {
    spec_.config.latch_patience_ns =
        latch_patience_ns(spec_.server.profile, spec_.config.clients + kEngineThreads);
    for (auto& error : check_config(spec_.config))
      fail(error.field, std::string_view(error.value), error.allowed);
  }

  RunSpec spec_;
  std::vector<FieldError> errors_;
};

}  // namespace

const char* platform_name() {
  return platform::kPlatformName;
}

uint32_t clients_max() {
  return std::min(platform::threads_max() - kEngineThreads, kClientsMost);
}

std::optional<FieldError> find_knob(const ScenarioManifest& manifest, std::string_view knob,
                                    std::string_view variant, const KnobFields& fields, uint32_t& knob_index,
                                    uint32_t& variant_index) {
  const int32_t found_knob = index_of(manifest.knobs, knob);
  if (found_knob < 0) return FieldError::of(fields.knob, knob, one_of_ids(manifest.knobs));
  const auto& variants = manifest.knobs[static_cast<size_t>(found_knob)].variants;
  const int32_t found_variant = index_of(variants, variant);
  if (found_variant < 0) return FieldError::of(fields.variant, variant, one_of_ids(variants));
  knob_index = static_cast<uint32_t>(found_knob);
  variant_index = static_cast<uint32_t>(found_variant);
  return std::nullopt;
}

std::string latch_lacking(const RunSpec& spec, uint32_t knob, uint32_t variant) {
  const auto& variants = spec.config.manifest->knobs[knob].variants;
  const workload::LatchNeeded needs = variants[variant].needs;
  const bool needs_rw = needs == workload::LatchNeeded::rw_latch;
  const auto& latch = spec.config.your_latch;
  if (needs == workload::LatchNeeded::none || (latch && (!needs_rw || latch->program->is_rw_latch())))
    return "";
  std::vector<std::string_view> others;
  for (const workload::VariantManifest& other : variants) {
    if (other.needs == workload::LatchNeeded::none) others.push_back(other.id);
  }
  return std::string(variants[variant].id) + " with " + (needs_rw ? "an rw-latch" : "a latch") +
         " (the field latch), or " + one_of(others);
}

std::optional<FieldError> find_action(const ScenarioManifest& manifest, std::string_view action,
                                      const std::string& field, uint32_t& action_index) {
  const int32_t found = index_of(manifest.actions, action);
  if (found < 0) return FieldError::of(field, action, one_of_ids(manifest.actions));
  action_index = static_cast<uint32_t>(found);
  return std::nullopt;
}

FieldError FieldError::of(std::string_view field, std::string_view value, std::string allowed) {
  return {printable(field), printable(value), std::move(allowed)};
}

platform::ServerProfile profile_of_run(const RunSpec& spec) {
  platform::ServerProfile profile = spec.server.profile;
  for (const CostWhatIf& cost : spec.what_if.costs)
    profile.*cost.field->member = spec.server.profile.*cost.field->member * cost.percent / 100;
  return profile;
}

RunSpecOrErrors parse_run_spec(std::string_view json) {
  return Parser().parse(json);
}

RunSpecOrErrors supposing(const std::string& spec_json, std::string_view what_if_json) {
  const std::optional<Json> what_if = read_json(what_if_json);
  if (!what_if || !what_if->is_object())
    return {std::nullopt, {FieldError::of("what_if", what_if_json, "an object with costs, latches")}};
  if (what_if->contains("from_s"))
    return {
        std::nullopt,
        {FieldError::of("what_if.from_s", (*what_if)["from_s"].dump(), "omitted: it applies from now on")}};
  Json spec = Json::parse(spec_json);
  spec["what_if"] = *what_if;
  return parse_run_spec(spec.dump());
}

std::vector<FieldError> check_fields(std::string_view json) {
  return Parser().check_fields(json);
}

namespace {

// Returns the server's name if all values are its own; otherwise the values that differ.
Json server_json(const ServerSpec& server) {
  Json based_on = server.based_on->id;
  if (server.profile == server.based_on->profile) return based_on;
  Json json = {{"based_on", based_on}};
  for (const platform::ServerField& field : workload::server_fields()) {
    const uint64_t value = server.profile.*field.member;
    if (value != server.based_on->profile.*field.member) json[std::string(field.id)] = value;
  }
  return json;
}

Json latch_what_if_json(const telemetry::LatchWhatIf& what_if) {
  Json json = {{"latch", what_if.latch}, {"section_percent", what_if.section_percent}};
  if (!what_if.site.empty()) json["site"] = what_if.site;
  if (what_if.is_hand_over_free) json["hand_over"] = "free";
  if (what_if.is_line_still) json["line"] = "still";
  if (what_if.is_wake_up_free) json["wake_up"] = "free";
  return json;
}

Json what_if_json(const WhatIfSpec& what_if) {
  Json json = Json::object();
  for (const CostWhatIf& cost : what_if.costs)
    json["costs"][std::string(cost.field->id)] = cost.percent;
  for (const telemetry::LatchWhatIf& latch : what_if.latches)
    json["latches"].push_back(latch_what_if_json(latch));
  if (what_if.from_s > 0) json["from_s"] = what_if.from_s;
  return json;
}

}  // namespace

std::string to_json(const RunSpec& spec) {
  const ScenarioManifest& manifest = *spec.config.manifest;
  Json json = {{"version", kRunSpecVersion},
               {"scenario", manifest.id},
               {"design", Json::object()},
               {"platform", spec.platform},
               {"threads", spec.config.clients},
               {"seed", spec.config.seed},
               {"duration_s", spec.duration_s ? Json(*spec.duration_s) : Json()},
               {"interval_s", spec.interval_s},
               {"parameters", Json::object()},
               {"actions", Json::array()}};
  for (size_t i = 0; i < manifest.knobs.size(); ++i) {
    json["design"][std::string(manifest.knobs[i].id)] = manifest.knobs[i].variants[spec.config.design[i]].id;
  }
  for (size_t i = 0; i < manifest.parameters.size(); ++i) {
    json["parameters"][std::string(manifest.parameters[i].id)] = spec.config.parameters[i];
  }
  if (platform::kIsModelled) {
    json["server"] = server_json(spec.server);
    json["events_max"] = spec.events_max;
    const StackSamplesSpec& samples = spec.stack_samples;
    if (samples.count > 0) {
      json["stack_samples"] = {
          {"sampler", samples.sampler == StackSampler::instant ? "instant" : "stop_the_world"},
          {"count", samples.count},
          {"every_s", samples.every_s}};
    }
  }
  if (!spec.what_if.is_empty()) json["what_if"] = what_if_json(spec.what_if);
  if (!spec.latch.is_null()) json["latch"] = spec.latch;
  if (!spec.workload.is_null()) json["workload"] = spec.workload;
  for (const TimedStep& step : spec.steps) {
    if (step.action) {
      json["actions"].push_back({{"at_s", step.at_s}, {"action", manifest.actions[*step.action].id}});
    } else {
      const auto& knob = manifest.knobs[step.knob];
      json["actions"].push_back(
          {{"at_s", step.at_s}, {"knob", knob.id}, {"variant", knob.variants[step.variant].id}});
    }
  }
  return json.dump();
}

Json spec_as_written(const Json& spec) {
  const RunSpecOrErrors read = parse_run_spec(spec.dump());
  return read.spec ? Json::parse(to_json(*read.spec)) : spec;
}

std::string to_json(const std::vector<FieldError>& errors) {
  Json json = Json::array();
  for (const FieldError& error : errors) {
    json.push_back({{"field", error.field}, {"value", error.value}, {"allowed", error.allowed}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace latchscope::run
