#include "api/lab_contest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "workload/servers.h"

namespace latchscope::api {

namespace {

constexpr uint64_t kContestDurationUsMax = 1'000'000;
constexpr uint64_t kTimeSlicesOfEach = 4;

class SpecReader {
 public:
  SpecReader(const Json& json, const lab::Program& program) : json_(json), program_(program) {}

  ContestSpecOrErrors read() {
    for (const auto& [name, value] : json_.items()) {
      static constexpr std::string_view kKnown[] = {"server",         "threads",     "hold_ns", "think_ns",
                                                    "shared_percent", "duration_us", "seed",    "events_max"};
      if (std::ranges::find(kKnown, name) == std::end(kKnown)) fail(name, value.dump(), "no such field");
    }
    read_server();
    uint64_t threads = spec_.threads;
    const uint64_t made_for = program_.threads_max == 0 ? kContestThreadsMax : program_.threads_max;
    read("threads", 1, std::min<uint64_t>(made_for, kContestThreadsMax), threads);
    spec_.threads = static_cast<uint32_t>(threads);
    read("hold_ns", 0, 1'000'000, spec_.hold_ns);
    read("think_ns", 0, 1'000'000, spec_.think_ns);
    uint64_t shared = 0;
    read("shared_percent", 0, program_.is_rw_latch() ? 100 : 0, shared);
    spec_.shared_percent = static_cast<uint32_t>(shared);
    uint64_t duration_us = usual_duration_us();
    read("duration_us", 1, kContestDurationUsMax, duration_us);
    spec_.duration_ns = duration_us * 1'000;
    read("seed", 0, ~uint32_t{0}, spec_.seed);
    read("events_max", 1'000, 10'000'000'000, spec_.events_max);
    if (!errors_.empty()) return {std::nullopt, std::move(errors_)};
    return {spec_, {}};
  }

 private:
  void fail(std::string_view field, std::string_view value, std::string allowed) {
    errors_.push_back(FieldError::of(field, value, std::move(allowed)));
  }

  void read_server() {
    const auto servers = workload::named_servers();
    spec_.server = servers.front().profile;
    if (!json_.contains("server")) return;
    std::string known;
    for (const platform::NamedServer& server : servers) {
      if (json_["server"] == server.id) {
        spec_.server = server.profile;
        return;
      }
      known += (known.empty() ? "one of " : ", ") + std::string(server.id);
    }
    fail("server", json_["server"].is_string() ? json_["server"].get<std::string>() : json_["server"].dump(),
         known);
  }

  void read(const char* name, uint64_t min, uint64_t max, uint64_t& number) {
    if (!json_.contains(name)) return;
    const Json& value = json_[name];
    if (value.is_number_unsigned() && value.get<uint64_t>() >= min && value.get<uint64_t>() <= max) {
      number = value.get<uint64_t>();
    } else {
      fail(name, value.dump(), "an integer from " + std::to_string(min) + " to " + std::to_string(max));
    }
  }

  uint64_t usual_duration_us() const {
    if (spec_.threads <= spec_.server.cpus()) return spec_.duration_ns / 1'000;
    const uint64_t turns = spec_.threads / spec_.server.cpus() + 1;
    return kTimeSlicesOfEach * turns * spec_.server.time_slice_ps / platform::kPsPerUs;
  }

  const Json& json_;
  const lab::Program& program_;
  lab::ContestSpec spec_;
  std::vector<FieldError> errors_;
};

Json rounded(double number) {
  return std::round(number * 1e3) / 1e3;
}

Json ratio(double part, double whole) {
  return whole == 0 ? Json(nullptr) : rounded(part / whole);
}

Json lines_json(const lab::ContestResult& result, const lab::Program& program) {
  std::map<uint32_t, lab::InstructionCost> by_line;
  for (size_t i = 0; i < result.costs.size(); ++i) {
    if (result.costs[i].times == 0) continue;
    lab::InstructionCost& line = by_line[program.source_lines[i]];
    line.times += result.costs[i].times;
    line.ps += result.costs[i].ps;
    line.transfers += result.costs[i].transfers;
  }
  const auto acquisitions = static_cast<double>(result.acquisitions);
  Json lines = Json::array();
  for (const auto& [line, cost] : by_line) {
    lines.push_back({{"line", line},
                     {"accesses", ratio(static_cast<double>(cost.times), acquisitions)},
                     {"ns", ratio(static_cast<double>(cost.ps) / 1e3, acquisitions)},
                     {"transfers", ratio(static_cast<double>(cost.transfers), acquisitions)}});
  }
  return lines;
}

// Why it is not sound; or that nothing was seen, which proves nothing.
std::pair<std::string, std::string> verdict_of(const lab::ContestResult& result,
                                               const lab::Program& program) {
  if (result.broken) {
    return {"broken", "Threads " + std::to_string(result.broken->other) + " and " +
                          std::to_string(result.broken->thread) + " were inside at one time, " +
                          std::to_string(result.broken->at_ns) + " ns after the start."};
  }
  if (result.problem.wrong != lab::Wrong::nothing) {
    return {"wrong", "Thread " + std::to_string(result.problem.thread) + " could not go on in line " +
                         std::to_string(program.source_lines[result.problem.instruction]) + ": " +
                         lab::describe(result.problem.wrong) + "."};
  }
  if (result.hangs) return {"hangs", "It hangs: threads wait, and nobody gets in any more."};
  return {"sound", "Nobody was inside together, and everybody got out."};
}

}  // namespace

ContestSpecOrErrors read_contest_spec(const Json& json, const lab::Program& program) {
  if (!json.is_object()) return {std::nullopt, {FieldError::of("contest", json.dump(), "a JSON object")}};
  return SpecReader(json, program).read();
}

Json contest_json(const lab::ContestResult& result, const lab::Program& program) {
  const auto acquisitions = static_cast<double>(result.acquisitions);
  const auto ns = [&](uint64_t ps) {
    return acquisitions == 0 ? Json(nullptr) : rounded(static_cast<double>(ps) / 1e3);
  };
  const auto [verdict, sentence] = verdict_of(result, program);
  return {{"threads", result.threads},
          {"duration_us", rounded(static_cast<double>(result.duration_ps) / 1e6)},
          {"acquisitions", result.acquisitions},
          {"acquisitions_per_s", std::round(result.acquisitions_per_s())},
          {"shared_acquisitions", result.shared_acquisitions},
          {"fairness", acquisitions == 0 ? Json(nullptr) : rounded(result.fairness())},
          {"wait_ns",
           {{"median", ns(result.wait_median_ps)},
            {"p99", ns(result.wait_p99_ps)},
            {"max", ns(result.wait_max_ps)}}},
          {"hand_over_ns",
           ratio(static_cast<double>(result.hand_over_ps) / 1e3, static_cast<double>(result.hand_overs))},
          {"hand_overs", result.hand_overs},
          {"in_order_percent", ratio(100 * static_cast<double>(result.in_order), acquisitions)},
          {"overtaken_max", result.overtaken_max},
          {"line_transfers_per_acquisition", ratio(static_cast<double>(result.line_transfers), acquisitions)},
          {"futex_waits", result.futex_waits},
          {"context_switches", result.context_switches},
          {"events", result.events},
          {"ended_early", result.ended_early},
          {"lines", lines_json(result, program)},
          {"verdict", verdict},
          {"sentence", sentence}};
}

}  // namespace latchscope::api
