#include "api/lab_host.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/lab_check_json.h"
#include "api/lab_contest.h"
#include "api/lab_program.h"

namespace latchscope::api {

namespace {

constexpr uint32_t kAtOnce = 5'000;

struct CheckOptionsOrErrors {
  lab::CheckOptions options;
  std::vector<FieldError> errors;
};

class CheckOptionsReader {
 public:
  explicit CheckOptionsReader(const Json& json) : json_(json) {}

  CheckOptionsOrErrors read() {
    if (!json_.is_object()) {
      fail("check", json_.dump(), "a JSON object");
      return {options_, std::move(errors_)};
    }
    for (const auto& [name, value] : json_.items()) {
      static constexpr std::string_view kKnown[] = {"threads", "rounds", "schedules", "states", "memory"};
      if (std::ranges::find(kKnown, name) == std::end(kKnown)) fail(name, value.dump(), "no such field");
    }
    read_number("threads", 1, lab::kCheckedThreadsMax, options_.threads);
    read_number("rounds", 1, lab::kRoundsMax, options_.rounds);
    read_number("schedules", 0, lab::kCheckSchedulesMax, options_.schedules);
    read_number("states", 1, lab::kCheckStatesMax, options_.states);
    read_memory();
    return {options_, std::move(errors_)};
  }

 private:
  void fail(std::string_view field, const std::string& value, std::string allowed) {
    errors_.push_back(FieldError::of(field, value, std::move(allowed)));
  }

  void read_number(const char* name, uint32_t min, uint32_t max, uint32_t& number) {
    if (!json_.contains(name)) return;
    const Json& value = json_[name];
    if (value.is_number_unsigned() && value.get<uint64_t>() >= min && value.get<uint64_t>() <= max) {
      number = value.get<uint32_t>();
    } else {
      fail(name, value.dump(), "an integer from " + std::to_string(min) + " to " + std::to_string(max));
    }
  }

  void read_memory() {
    if (!json_.contains("memory")) return;
    const Json& memory = json_["memory"];
    if (memory != "sc" && memory != "tso" && memory != "both")
      return fail("memory", memory.is_string() ? memory.get<std::string>() : memory.dump(),
                  "sc, tso or both");
    options_.with_sequential = memory != "tso";
    options_.with_store_buffers = memory != "sc";
  }

  const Json& json_;
  lab::CheckOptions options_;
  std::vector<FieldError> errors_;
};

LabProgramOrErrors program_of(const Json& given, const char* beside) {
  if (!given.is_object() || !given.contains("program") || !given.contains(beside))
    return {std::nullopt,
            {FieldError::of("given", given.dump(), "a JSON object with program and " + std::string(beside))}};
  return lab_program_of(given["program"]);
}

}  // namespace

std::vector<FieldError> LabHost::begin_check(const Json& given) {
  checker_.reset();
  LabProgramOrErrors read = program_of(given, "check");
  if (!read.program) return std::move(read.errors);
  CheckOptionsOrErrors check = CheckOptionsReader(given["check"]).read();
  if (!check.errors.empty()) return std::move(check.errors);
  check.options.bytes = kPageSearchBytesMax;
  checker_ = std::make_unique<lab::Checker>(std::move(*read.program), check.options);
  is_done_ = false;
  return {};
}

Json LabHost::go_on() {
  if (!checker_) return nullptr;
  is_done_ = !checker_->go_on(kAtOnce);
  const auto& parts = checker_->result().parts;
  return {{"part", parts.size()},
          {"parts", checker_->parts_planned()},
          {"sentence", parts.empty() ? "" : parts.back().sentence()},
          {"is_done", is_done_}};
}

Json LabHost::check_result() const {
  if (!checker_ || !is_done_) return nullptr;
  return lab_check_json(checker_->program(), checker_->result());
}

std::vector<FieldError> LabHost::take_contest(const Json& given) {
  next_contest_.reset();
  LabProgramOrErrors read = program_of(given, "contest");
  if (!read.program) return std::move(read.errors);
  ContestSpecOrErrors contest = read_contest_spec(given["contest"], *read.program);
  if (!contest.spec) return std::move(contest.errors);
  next_contest_ = Contest{std::move(*read.program), *contest.spec};
  return {};
}

void LabHost::hold_contest() {
  const std::optional<Contest> contest = std::exchange(next_contest_, std::nullopt);
  if (!contest) return;
  contest_result_ = contest_json(lab::hold_contest(contest->program, contest->spec), contest->program);
}

}  // namespace latchscope::api
