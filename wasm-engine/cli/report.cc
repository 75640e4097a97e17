#include "cli/report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace latchscope::cli {

using run::FieldError;

namespace {

constexpr size_t kErrorsShown = 20;

}  // namespace

int report(const std::vector<FieldError>& errors) {
  const size_t shown = std::min(errors.size(), kErrorsShown);
  for (size_t i = 0; i < shown; ++i)
    fprintf(stderr, "latchscope: %s\n", errors[i].sentence().c_str());
  if (shown < errors.size()) fprintf(stderr, "latchscope: and %zu more errors\n", errors.size() - shown);
  return kBadUsage;
}

int cannot_write(const FieldError& error) {
  report({error});
  return kCannotWrite;
}

int cannot_print(const Printed& printed) {
  fprintf(stderr, "latchscope: cannot write to standard output: %s\n", printed.problem().c_str());
  return kCannotWrite;
}

void report_failure(const char* text) {
  fprintf(stderr, "latchscope: the engine stopped: %s\n", text);
  fflush(nullptr);
  std::_Exit(kEngineFailed);
}

}  // namespace latchscope::cli
