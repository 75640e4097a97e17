#include "wasm/lab_host.h"

#include <string>
#include <utility>

#include "run/lab_check.h"
#include "run/lab_contest.h"
#include "run/lab_program.h"

namespace latchscope::wasm {

namespace {

constexpr uint32_t kAtOnce = 5'000;

run::LabProgramOrErrors program_of(const run::Json& given, const char* beside) {
  if (!given.is_object() || !given.contains("program") || !given.contains(beside))
    return {std::nullopt,
            {run::FieldError::of("given", given.dump(),
                                 "a JSON object with program and " + std::string(beside))}};
  return run::lab_program_of(given["program"]);
}

}  // namespace

std::vector<run::FieldError> LabHost::begin_check(const run::Json& given) {
  checker_.reset();
  run::LabProgramOrErrors read = program_of(given, "check");
  if (!read.program) return std::move(read.errors);
  run::CheckOptionsOrErrors check = run::read_check_options(given["check"], run::CheckedSchedules::all);
  if (!check.errors.empty()) return std::move(check.errors);
  check.options.bytes = kPageSearchBytesMax;
  checker_ = std::make_unique<lab::Checker>(std::move(*read.program), check.options);
  is_done_ = false;
  return {};
}

run::Json LabHost::go_on() {
  if (!checker_) return nullptr;
  is_done_ = !checker_->go_on(kAtOnce);
  const auto& parts = checker_->result().parts;
  return {{"part", parts.size()},
          {"parts", checker_->parts_planned()},
          {"sentence", parts.empty() ? "" : parts.back().sentence()},
          {"is_done", is_done_}};
}

run::Json LabHost::check_result() const {
  if (!checker_ || !is_done_) return nullptr;
  return run::lab_check_json(checker_->program(), checker_->result());
}

std::vector<run::FieldError> LabHost::take_contest(const run::Json& given) {
  next_contest_.reset();
  run::LabProgramOrErrors read = program_of(given, "contest");
  if (!read.program) return std::move(read.errors);
  run::ContestSpecOrErrors contest = run::read_contest_spec(given["contest"], *read.program);
  if (!contest.spec) return std::move(contest.errors);
  next_contest_ = Contest{std::move(*read.program), *contest.spec};
  return {};
}

void LabHost::hold_contest() {
  const std::optional<Contest> contest = std::exchange(next_contest_, std::nullopt);
  if (!contest) return;
  contest_result_ = run::contest_json(lab::hold_contest(contest->program, contest->spec), contest->program);
}

}  // namespace latchscope::wasm
