#include "run/lab_contest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "run/lab_fields.h"
#include "workload/servers.h"

namespace latchscope::run {

namespace {

constexpr uint64_t kContestDurationUsMax = 1'000'000;
constexpr uint64_t kTimeSlicesOfEach = 4;

class SpecReader {
 public:
  SpecReader(const Json& json, const lab::Program& program) : fields_(json), program_(program) {}

  ContestSpecOrErrors read() {
    fields_.refuse_others_than(
        {"server", "threads", "hold_ns", "think_ns", "shared_percent", "duration_us", "seed", "events_max"});
    read_server();
    const uint32_t made_for = program_.threads_max == 0 ? kContestThreadsMax : program_.threads_max;
    fields_.read_number("threads", 1, std::min(made_for, kContestThreadsMax), spec_.threads);
    fields_.read_number("hold_ns", 0, 1'000'000, spec_.hold_ns);
    fields_.read_number("think_ns", 0, 1'000'000, spec_.think_ns);
    fields_.read_number("shared_percent", 0, program_.is_rw_latch() ? 100 : 0, spec_.shared_percent);
    uint64_t duration_us = usual_duration_us();
    fields_.read_number("duration_us", 1, kContestDurationUsMax, duration_us);
    spec_.duration_ns = duration_us * 1'000;
    fields_.read_number("seed", 0, ~uint32_t{0}, spec_.seed);
    fields_.read_number("events_max", 1'000, 10'000'000'000, spec_.events_max);
    std::vector<FieldError> errors = fields_.take_errors();
    if (!errors.empty()) return {std::nullopt, std::move(errors)};
    return {spec_, {}};
  }

 private:
  void read_server() {
    const auto servers = workload::named_servers();
    std::vector<std::string_view> ids;
    std::string known;
    for (const platform::NamedServer& server : servers) {
      known += (known.empty() ? "one of " : ", ") + std::string(server.id);
      ids.push_back(server.id);
    }
    spec_.server = servers[fields_.read_choice("server", ids, 0, std::move(known))].profile;
  }

  uint64_t usual_duration_us() const {
    if (spec_.threads <= spec_.server.cpus()) return spec_.duration_ns / 1'000;
    const uint64_t turns = spec_.threads / spec_.server.cpus() + 1;
    return kTimeSlicesOfEach * turns * spec_.server.time_slice_ps / platform::kPsPerUs;
  }

  LabFields fields_;
  const lab::Program& program_;
  lab::ContestSpec spec_;
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

// Returns the verdict: why the latch is unsound, or that no fault was observed, which proves
// nothing.
std::pair<std::string, std::string> verdict_of(const lab::ContestResult& result,
                                               const lab::Program& program) {
  if (result.broken) {
    return {"broken", "Threads " + std::to_string(result.broken->other) + " and " +
                          std::to_string(result.broken->thread) + " held the latch at the same time, " +
                          std::to_string(result.broken->at_ns) + " ns after the start."};
  }
  if (result.problem.wrong != lab::Wrong::nothing) {
    return {"wrong", "Thread " + std::to_string(result.problem.thread) + " could not continue in line " +
                         std::to_string(program.source_lines[result.problem.instruction]) + ": " +
                         lab::describe(result.problem.wrong) + "."};
  }
  if (result.hangs) return {"hangs", "The latch hangs: threads wait, and none gets in any more."};
  return {"sound", "No two threads held the latch at the same time, and every thread got out."};
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

}  // namespace latchscope::run
