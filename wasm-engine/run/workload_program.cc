#include "run/workload_program.h"

#include <algorithm>
#include <string>
#include <utility>

#include "run/field_reader.h"

namespace latchscope::run {

namespace {

using workload::ScriptKind;
using workload::ScriptProgram;

class WorkloadProgramReader : private FieldReader {
 public:
  WorkloadProgramOrErrors read(const Json& json) {
    if (!json.is_object()) {
      fail("program", json, "a JSON object");
      return {std::nullopt, errors()};
    }
    refuse_unknown(json, "",
                   {"title", "unit", "parameters", "knobs", "designs", "latches", "words", "groups", "names",
                    "holds", "registers", "constants", "code", "source_lines"});
    read_text(json, "title", "title", program_.title);
    read_text(json, "unit", "unit", program_.unit);
    each(json, "parameters", workload::kScriptParametersMax, &WorkloadProgramReader::read_parameter);
    each(json, "knobs", workload::kScriptKnobsMax, &WorkloadProgramReader::read_knob);
    each(json, "designs", workload::kScriptDesignsMax, &WorkloadProgramReader::read_design);
    each(json, "latches", workload::kScriptLatchesMax, &WorkloadProgramReader::read_latch);
    if (json.contains("words")) read_word_declarations(json, program_.words);
    each(json, "groups", workload::kScriptGroupsMax, &WorkloadProgramReader::read_group);
    each(json, "holds", workload::kScriptHoldsMax, &WorkloadProgramReader::read_hold);
    read_names(json);
    read_number(json, "registers", "registers", program_.registers);
    read_constants(json);
    read_code(json);
    read_words(json, "source_lines", workload::kScriptInstructionsMax, program_.source_lines,
               "a line number for each instruction");
    if (is_good()) {
      if (const auto fault = workload::find_fault(program_))
        refuse(fault->field, fault->value, fault->allowed);
    }
    if (!is_good()) return {std::nullopt, errors()};
    return {std::move(program_), {}};
  }

 private:
  using ReadElement = void (WorkloadProgramReader::*)(const Json&, const std::string&);

  // Reads a list of objects. `prefix` of an element ends in a dot.
  void each(const Json& json, const char* name, size_t elements_max, ReadElement read_element) {
    const Json* elements = list(json, name, elements_max);
    if (elements == nullptr) return;
    for (size_t i = 0; i < elements->size() && is_good(); ++i) {
      const std::string field = std::string(name) + "[" + std::to_string(i) + "]";
      if (!(*elements)[i].is_object()) return fail(field, (*elements)[i], "an object");
      (this->*read_element)((*elements)[i], field + ".");
    }
  }

  void read_text(const Json& json, const char* name, const std::string& field, std::string& text) {
    if (!is_good()) return;
    if (!has(json, name, &Json::is_string))
      return fail(field, json.contains(name) ? json[name] : Json(), "a text");
    text = json[name].get<std::string>();
  }

  void read_wide(const Json& json, const char* name, const std::string& field, uint64_t& number) {
    if (!is_good()) return;
    const Json value = json.contains(name) ? json[name] : Json();
    if (!is_wide(value))
      return fail(field, value, "an integer from 0 to " + std::to_string(workload::kScriptConstantMax));
    number = value.get<uint64_t>();
  }

  static bool is_wide(const Json& value) {
    return value.is_number_unsigned() && value.get<uint64_t>() <= workload::kScriptConstantMax;
  }

  void read_parameter(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"id", "title", "unit", "scale", "min", "max", "default"});
    workload::ScriptParameter parameter;
    read_text(json, "id", prefix + "id", parameter.id);
    read_text(json, "title", prefix + "title", parameter.title);
    read_text(json, "unit", prefix + "unit", parameter.unit);
    read_wide(json, "scale", prefix + "scale", parameter.scale);
    read_wide(json, "min", prefix + "min", parameter.min);
    read_wide(json, "max", prefix + "max", parameter.max);
    read_wide(json, "default", prefix + "default", parameter.default_value);
    program_.parameters.push_back(std::move(parameter));
  }

  ScriptKind kind_of(const Json& json, const std::string& field) {
    ScriptKind kind;
    if (!is_good()) return kind;
    if (!json.is_object()) {
      fail(field, json, "an object");
      return kind;
    }
    refuse_unknown(json, field + ".", {"kind", "size"});
    std::string name;
    read_text(json, "kind", field + ".kind", name);
    read_number(json, "size", field + ".size", kind.size);
    std::string allowed;
    for (uint32_t i = 0; i < workload::kScriptLatchKinds; ++i) {
      kind.kind = static_cast<workload::ScriptLatchKind>(i);
      if (workload::name_of(kind.kind) == name) return kind;
      allowed += (i == 0 ? "" : ", ") + std::string(workload::name_of(kind.kind));
    }
    refuse(field + ".kind", name, allowed);
    return kind;
  }

  void read_knob(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"id", "question", "variants"});
    workload::ScriptKnob knob;
    read_text(json, "id", prefix + "id", knob.id);
    read_text(json, "question", prefix + "question", knob.question);
    const Json* variants = list(json, "variants", workload::kScriptVariantsMax, prefix);
    if (variants == nullptr) return;
    for (const Json& variant : *variants) {
      const std::string field = prefix + "variants[" + std::to_string(knob.variants.size()) + "]";
      if (!variant.is_object()) return fail(field, variant, "an object");
      refuse_unknown(variant, field + ".", {"id", "origin", "kind", "value"});
      workload::ScriptVariant read;
      read_text(variant, "id", field + ".id", read.id);
      read_text(variant, "origin", field + ".origin", read.origin);
      if (variant.contains("kind")) read.kind = kind_of(variant["kind"], field + ".kind");
      read_number(variant, "value", field + ".value", read.value);
      knob.variants.push_back(std::move(read));
    }
    program_.knobs.push_back(std::move(knob));
  }

  void read_design(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"id", "variants"});
    workload::ScriptDesign design;
    read_text(json, "id", prefix + "id", design.id);
    const Json* variants = list(json, "variants", workload::kScriptKnobsMax, prefix);
    if (variants == nullptr) return;
    if (!std::ranges::all_of(*variants, is_word))
      return fail(prefix + "variants", *variants, "the number of a variant for each knob");
    for (const Json& variant : *variants)
      design.variants.push_back(variant.get<uint32_t>());
    program_.designs.push_back(std::move(design));
  }

  void read_latch(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"name", "elements", "kind", "knob", "source_line"});
    workload::ScriptLatch latch;
    read_text(json, "name", prefix + "name", latch.name);
    read_number(json, "elements", prefix + "elements", latch.elements);
    read_number(json, "source_line", prefix + "source_line", latch.source_line);
    if (json.contains("knob")) {
      uint32_t knob = 0;
      read_number(json, "knob", prefix + "knob", knob);
      latch.knob = knob;
    } else {
      latch.kind = kind_of(json.contains("kind") ? json["kind"] : Json(), prefix + "kind");
    }
    program_.latches.push_back(std::move(latch));
  }

  void read_group(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"name", "threads", "has_transaction", "code"});
    workload::ScriptGroup group;
    read_text(json, "name", prefix + "name", group.name);
    read_number(json, "threads", prefix + "threads", group.threads);
    read_truth(json, "has_transaction", prefix + "has_transaction", group.has_transaction);
    const Json code = json.contains("code") ? json["code"] : Json();
    if (!code.is_array() || code.size() != 2 || !std::ranges::all_of(code, is_word))
      return fail(prefix + "code", code, "its first instruction and the one after its last, such as [0, 6]");
    group.begin = code[0].get<uint32_t>();
    group.end = code[1].get<uint32_t>();
    program_.groups.push_back(std::move(group));
  }

  void read_hold(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"latch", "shared", "site"});
    workload::ScriptHold hold;
    read_number(json, "latch", prefix + "latch", hold.latch);
    read_truth(json, "shared", prefix + "shared", hold.is_shared);
    read_number(json, "site", prefix + "site", hold.site);
    program_.holds.push_back(hold);
  }

  void read_names(const Json& json) {
    const Json* names = list(json, "names", workload::kScriptNamesMax);
    if (names == nullptr) return;
    for (const Json& name : *names) {
      if (!name.is_string()) return fail("names", name, "texts");
      program_.names.push_back(name.get<std::string>());
    }
  }

  void read_constants(const Json& json) {
    const Json* constants = list(json, "constants", workload::kScriptConstantsMax);
    if (constants == nullptr) return;
    if (!std::ranges::all_of(*constants, is_wide)) {
      return fail("constants", constants->size(),
                  "integers from 0 to " + std::to_string(workload::kScriptConstantMax));
    }
    for (const Json& constant : *constants)
      program_.constants.push_back(constant.get<uint64_t>());
  }

  void read_code(const Json& json) {
    std::vector<uint32_t> words;
    constexpr const char* kAllowed = "two integers from 0 to 4294967295 for each instruction";
    read_words(json, "code", size_t{2} * workload::kScriptInstructionsMax, words, kAllowed);
    if (words.size() % 2 != 0) return fail("code", words.size(), kAllowed);
    for (size_t i = 0; i < words.size(); i += 2) {
      program_.code.push_back({static_cast<workload::ScriptOp>(words[i] & 0xff),
                               static_cast<uint8_t>(words[i] >> 8), static_cast<uint8_t>(words[i] >> 16),
                               static_cast<uint8_t>(words[i] >> 24), words[i + 1]});
    }
  }

  ScriptProgram program_;
};

}  // namespace

WorkloadProgramOrErrors read_workload_program(std::string_view text) {
  const auto json = text.size() <= kWorkloadProgramBytesMax ? read_json(text) : std::nullopt;
  if (json) return workload_program_of(*json);
  return {std::nullopt,
          {FieldError::of("program", text,
                          "JSON of at most " + std::to_string(kWorkloadProgramBytesMax / 1024) + " KiB")}};
}

WorkloadProgramOrErrors workload_program_of(const Json& json) {
  return WorkloadProgramReader().read(json);
}

}  // namespace latchscope::run
