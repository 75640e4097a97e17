#include "api/lab_host.h"

#include <string>
#include <utility>

#include "api/lab_check_json.h"
#include "api/lab_check_options.h"
#include "api/lab_contest.h"
#include "api/lab_program.h"

namespace latchscope::api {

namespace {

constexpr uint32_t kAtOnce = 5'000;

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
  CheckOptionsOrErrors check = read_check_options(given["check"], CheckedSchedules::all);
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
