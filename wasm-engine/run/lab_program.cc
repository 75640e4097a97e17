#include "run/lab_program.h"

#include <string>
#include <utility>
#include <vector>

#include "run/field_reader.h"

namespace latchscope::run {

namespace {

// Reads field by field; after the first error it reads nothing more.
class ProgramReader : private FieldReader {
 public:
  LabProgramOrErrors read(const Json& json) {
    if (!json.is_object()) {
      fail("program", json, "a JSON object");
      return finish();
    }
    refuse_unknown(json, "", {"threads_max", "words", "registers", "functions", "code", "source_lines"});
    read_number(json, "threads_max", "threads_max", program_.threads_max);
    read_word_declarations(json, program_.words);
    read_number(json, "registers", "registers", program_.registers);
    read_functions(json);
    read_code(json);
    read_words(json, "source_lines", lab::kInstructionsMax, program_.source_lines,
               "a line number for each instruction");
    return finish();
  }

 private:
  LabProgramOrErrors finish() {
    if (is_good()) {
      if (const auto fault = lab::find_fault(program_)) refuse(fault->field, fault->value, fault->allowed);
    }
    if (!is_good()) return {std::nullopt, errors()};
    return {std::move(program_), {}};
  }

  void read_functions(const Json& json) {
    if (!is_good()) return;
    if (!has(json, "functions", &Json::is_object))
      return fail("functions", json.contains("functions") ? json["functions"] : Json(), "an object");
    refuse_unknown(json["functions"], "functions.",
                   {"enter", "exit", "enter_shared", "exit_shared", "client", "at_end"});
    for (uint32_t i = 0; i < lab::kFunctions; ++i)
      read_function(json["functions"], std::string(lab::name_of(static_cast<lab::FunctionName>(i))),
                    program_.functions[i]);
  }

  void read_function(const Json& functions, const std::string& name, lab::FunctionRange& function) {
    if (!is_good() || !functions.contains(name)) return;
    const Json& range = functions[name];
    const bool is_range = range.is_array() && range.size() == 2 && is_word(range[0]) && is_word(range[1]) &&
                          range[0].get<uint32_t>() < range[1].get<uint32_t>();
    if (!is_range)
      return fail("functions." + name, range,
                  "its first instruction and the one after its last, such as [0, 6]");
    function = {range[0].get<uint32_t>(), range[1].get<uint32_t>()};
  }

  void read_code(const Json& json) {
    std::vector<uint32_t> words;
    constexpr const char* kAllowed = "two integers from 0 to 4294967295 for each instruction";
    read_words(json, "code", size_t{2} * lab::kInstructionsMax, words, kAllowed);
    if (words.size() % 2 != 0) return fail("code", words.size(), kAllowed);
    for (size_t i = 0; i < words.size(); i += 2) {
      program_.code.push_back({static_cast<lab::Op>(words[i] & 0xff), static_cast<uint8_t>(words[i] >> 8),
                               static_cast<uint8_t>(words[i] >> 16), static_cast<uint8_t>(words[i] >> 24),
                               words[i + 1]});
    }
  }

  lab::Program program_;
};

}  // namespace

LabProgramOrErrors read_lab_program(std::string_view text) {
  const auto json = text.size() <= kLabProgramBytesMax ? read_json(text) : std::nullopt;
  if (json) return lab_program_of(*json);
  return {std::nullopt,
          {FieldError::of("program", text,
                          "JSON of at most " + std::to_string(kLabProgramBytesMax / 1024) + " KiB")}};
}

LabProgramOrErrors lab_program_of(const Json& json) {
  return ProgramReader().read(json);
}

}  // namespace latchscope::run
