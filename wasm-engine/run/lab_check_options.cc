#include "run/lab_check_options.h"

#include <string_view>

#include "run/lab_fields.h"

namespace latchscope::run {

namespace {

constexpr std::string_view kMemories[] = {"sc", "tso", "both"};
constexpr size_t kSc = 0, kTso = 1, kBoth = 2;

}  // namespace

CheckOptionsOrErrors read_check_options(const Json& json, CheckedSchedules schedules) {
  lab::CheckOptions options;
  if (!json.is_object()) return {options, {FieldError::of("check", json.dump(), "a JSON object")}};
  const bool is_one = schedules == CheckedSchedules::one;
  if (is_one) {
    options.threads = 2;
    options.rounds = 3;
  }
  LabFields fields(json);
  if (is_one) {
    fields.refuse_others_than({"threads", "rounds", "schedules", "states", "memory"});
  } else {
    fields.refuse_others_than({"threads", "rounds", "schedules", "states", "memory", "starvation"});
    fields.read_truth("starvation", options.with_starvation);
  }
  fields.read_number("threads", 1, lab::kCheckedThreadsMax, options.threads);
  fields.read_number("rounds", is_one ? lab::kForEver : 1, lab::kRoundsMax, options.rounds);
  fields.read_number("schedules", 0, lab::kCheckSchedulesMax, options.schedules);
  fields.read_number("states", 1, lab::kCheckStatesMax, options.states);
  const std::span<const std::string_view> memories{kMemories, is_one ? size_t{2} : size_t{3}};
  const size_t memory =
      fields.read_choice("memory", memories, is_one ? kSc : kBoth, is_one ? "sc or tso" : "sc, tso or both");
  options.with_sequential = memory != kTso;
  options.with_store_buffers = memory != kSc;
  return {options, fields.take_errors()};
}

}  // namespace latchscope::run
