#include "cli/lab_program.h"

#include "cli/spec_file.h"

namespace latchscope::cli {

using run::FieldError;
using run::LabProgramOrErrors;
using run::read_lab_program;

LabProgramOrErrors read_lab_program_file(const std::string& path) {
  const SpecText text = read_spec_file(path);
  if (text.error) return {std::nullopt, {FieldError::of("latch", text.error->value, text.error->allowed)}};
  return read_lab_program(text.text);
}

}  // namespace latchscope::cli
