#include "cli/sliced_run.h"

#include <cmath>

#include "platform/platform.h"
#include "wasm/latchscope.h"

namespace latchscope::cli {

namespace {

using telemetry::RunState;

constexpr uint32_t kEventsPerSlice = 1'000'000;

const telemetry::BlockHeader& header_of_block() {
  return static_cast<const telemetry::TelemetryBlock*>(latchscope_telemetry())->header;
}

RunState state_of_run() {
  return static_cast<RunState>(header_of_block().run_state[0].read_acquire());
}

bool is_settled() {
  const telemetry::BlockHeader& header = header_of_block();
  return header.commands_done[0].read_acquire() == header.commands_posted[0].read();
}

void settle() {
  while (!is_settled())
    latchscope_run_slice(kEventsPerSlice, INFINITY);
}

void expect_accepted(int32_t outcome) {
  LATCHSCOPE_ASSERT(outcome == static_cast<int32_t>(wasm::Outcome::accepted), "the spec was checked before");
}

}  // namespace

SlicedRun::SlicedRun(const RunSpec& spec) {
  latchscope_open();
  platform::set_failure_handler(report_failure);  // this process has no page to report to
  expect_accepted(latchscope_create(run::to_json(spec).c_str()));
  settle();
  began_at_ns_ = latchscope_clock_ns();
  expect_accepted(latchscope_start());
  settle();
}

void SlicedRun::go_to(uint64_t run_ns) {
  const double at_ns = began_at_ns_ + static_cast<double>(run_ns);
  while (!is_over() && latchscope_clock_ns() < at_ns)
    latchscope_run_slice(kEventsPerSlice, at_ns);
}

void SlicedRun::go_to_the_end() {
  while (!is_over())
    latchscope_run_slice(kEventsPerSlice, INFINITY);
}

bool SlicedRun::is_over() const {
  return state_of_run() == RunState::finished;
}

std::optional<std::string> SlicedRun::do_by_hand(const RunSpec& spec, const run::TimedStep& step) {
  const workload::ScenarioManifest& manifest = *spec.config.manifest;
  if (step.action) {
    return outcome_of(latchscope_fire(std::string(manifest.actions[*step.action].id).c_str()));
  }
  const auto& knob = manifest.knobs[step.knob];
  const std::string_view variant = knob.variants[step.variant].id;
  return outcome_of(latchscope_set_knob(std::string(knob.id).c_str(), std::string(variant).c_str()));
}

std::optional<std::string> SlicedRun::suppose(const Json& what_if) {
  return outcome_of(latchscope_suppose(what_if.dump().c_str()));
}

std::optional<std::string> SlicedRun::outcome_of(int32_t posted) {
  if (posted != static_cast<int32_t>(wasm::Outcome::accepted)) return latchscope_refusal();
  settle();
  if (header_of_block().command_outcome[0].read_acquire() == 0) return std::nullopt;
  std::string why;
  for (const auto& cell : header_of_block().error_text) {
    if (cell.read_acquire() == 0) break;
    why.push_back(static_cast<char>(cell.read_acquire()));
  }
  return why;
}

std::string SlicedRun::result() const {
  return latchscope_result();
}

}  // namespace latchscope::cli
