#include "run/lab_program.h"

#include <algorithm>
#include <string>
#include <utility>

namespace latchscope::run {

namespace {

constexpr uint64_t kWordMax = 0xffffffff;

// Reads field by field; after the first error it reads nothing more.
class ProgramReader {
 public:
  LabProgramOrErrors read(const Json& json) {
    if (!json.is_object()) {
      fail("program", json, "a JSON object");
      return finish();
    }
    refuse_unknown(json, "", {"threads_max", "words", "registers", "functions", "code", "source_lines"});
    read_number(json, "threads_max", "threads_max", program_.threads_max);
    read_words(json);
    read_number(json, "registers", "registers", program_.registers);
    read_functions(json);
    read_code(json);
    read_source_lines(json);
    return finish();
  }

 private:
  bool is_good() const { return errors_.empty(); }

  void fail(const std::string& field, const Json& value, std::string allowed) {
    if (is_good()) errors_.push_back(FieldError::of(field, value.dump(), std::move(allowed)));
  }

  LabProgramOrErrors finish() {
    if (is_good()) {
      if (const auto fault = lab::find_fault(program_))
        errors_.push_back(FieldError::of(fault->field, fault->value, fault->allowed));
    }
    if (!is_good()) return {std::nullopt, std::move(errors_)};
    return {std::move(program_), {}};
  }

  void refuse_unknown(const Json& json, const std::string& prefix,
                      std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : json.items()) {
      if (std::ranges::find(known, name) == known.end()) fail(prefix + name, value, "no such field");
    }
  }

  static bool is_word(const Json& value) {
    return value.is_number_unsigned() && value.get<uint64_t>() <= kWordMax;
  }

  // Leaves `number` unchanged if the field is absent.
  void read_number(const Json& json, const char* name, const std::string& field, uint32_t& number) {
    if (!is_good() || !json.contains(name)) return;
    if (!is_word(json[name])) return fail(field, json[name], "an integer from 0 to 4294967295");
    number = json[name].get<uint32_t>();
  }

  void read_truth(const Json& json, const char* name, const std::string& field, bool& truth) {
    if (!is_good() || !json.contains(name)) return;
    if (!json[name].is_boolean()) return fail(field, json[name], "true or false");
    truth = json[name].get<bool>();
  }

  // Returns null, after an error, if the field is absent or is no list of at most `elements_max`
  // elements.
  const Json* list(const Json& json, const char* name, size_t elements_max) {
    if (!is_good()) return nullptr;
    const bool is_list = has(json, name, &Json::is_array) && json[name].size() <= elements_max;
    if (is_list) return &json[name];
    fail(name, json.contains(name) ? json[name] : Json(),
         "a list of at most " + std::to_string(elements_max) + " elements");
    return nullptr;
  }

  void read_words(const Json& json) {
    const Json* words = list(json, "words", lab::kWordsMax);
    if (words == nullptr) return;
    for (const Json& word : *words)
      read_word(word, "words[" + std::to_string(program_.words.size()) + "].");
  }

  void read_word(const Json& json, const std::string& prefix) {
    if (!json.is_object() || !has(json, "name", &Json::is_string))
      return fail(prefix + "name", json, "an object with a name");
    refuse_unknown(
        json, prefix,
        {"name", "line", "elements", "per_thread", "packed", "initial", "initial_is_index", "source_line"});
    lab::WordDeclaration word;
    word.name = json["name"].get<std::string>();
    read_number(json, "line", prefix + "line", word.line);
    read_number(json, "elements", prefix + "elements", word.elements);
    read_truth(json, "per_thread", prefix + "per_thread", word.per_thread);
    read_truth(json, "packed", prefix + "packed", word.is_packed);
    read_number(json, "initial", prefix + "initial", word.initial);
    read_truth(json, "initial_is_index", prefix + "initial_is_index", word.initial_is_index);
    read_number(json, "source_line", prefix + "source_line", word.source_line);
    program_.words.push_back(std::move(word));
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
    const Json* code = list(json, "code", size_t{2} * lab::kInstructionsMax);
    if (code == nullptr) return;
    if (code->size() % 2 != 0 || !std::ranges::all_of(*code, is_word))
      return fail("code", code->size(), "two integers from 0 to 4294967295 for each instruction");
    for (size_t i = 0; i < code->size(); i += 2) {
      const auto first = (*code)[i].get<uint32_t>();
      program_.code.push_back({static_cast<lab::Op>(first & 0xff), static_cast<uint8_t>(first >> 8),
                               static_cast<uint8_t>(first >> 16), static_cast<uint8_t>(first >> 24),
                               (*code)[i + 1].get<uint32_t>()});
    }
  }

  void read_source_lines(const Json& json) {
    const Json* lines = list(json, "source_lines", lab::kInstructionsMax);
    if (lines == nullptr) return;
    if (!std::ranges::all_of(*lines, is_word))
      return fail("source_lines", lines->size(), "a line number for each instruction");
    for (const Json& line : *lines)
      program_.source_lines.push_back(line.get<uint32_t>());
  }

  lab::Program program_;
  std::vector<FieldError> errors_;
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
