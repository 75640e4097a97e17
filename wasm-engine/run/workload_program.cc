#include "run/workload_program.h"

#include <algorithm>
#include <string>
#include <utility>

#include "run/field_reader.h"
#include "run/lab_program.h"

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
                   {"title", "unit", "parameters", "knobs", "designs", "latches", "kinds", "words",
                    "shared_lines", "devices", "counters", "groups", "names", "holds", "registers",
                    "constants", "code", "source_lines"});
    read_text(json, "title", "title", program_.title);
    read_text(json, "unit", "unit", program_.unit);
    each(json, "parameters", workload::kScriptParametersMax, &WorkloadProgramReader::read_parameter);
    each(json, "knobs", workload::kScriptKnobsMax, &WorkloadProgramReader::read_knob);
    each(json, "designs", workload::kScriptDesignsMax, &WorkloadProgramReader::read_design);
    each(json, "latches", workload::kScriptLatchesMax, &WorkloadProgramReader::read_latch);
    each_if_any(json, "kinds", workload::kScriptKindsMax, &WorkloadProgramReader::read_kind_program);
    if (json.contains("words")) read_word_declarations(json, program_.words);
    each_if_any(json, "shared_lines", lab::kWordsMax, &WorkloadProgramReader::read_shared_line);
    each_if_any(json, "devices", workload::kScriptDevicesMax, &WorkloadProgramReader::read_device);
    if (json.contains("counters"))
      read_texts(json, "counters", workload::kScriptCountersMax, program_.counters);
    each(json, "groups", workload::kScriptGroupsMax, &WorkloadProgramReader::read_group);
    each(json, "holds", workload::kScriptHoldsMax, &WorkloadProgramReader::read_hold);
    read_texts(json, "names", workload::kScriptNamesMax, program_.names);
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

  void each_if_any(const Json& json, const char* name, size_t elements_max, ReadElement read_element) {
    if (json.contains(name)) each(json, name, elements_max, read_element);
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
    refuse_unknown(json, field + ".", {"kind", "size", "program"});
    read_number(json, "size", field + ".size", kind.size);
    read_number(json, "program", field + ".program", kind.program);
    kind.kind = one_of<workload::ScriptLatchKind>(json, "kind", field + ".kind", workload::kScriptLatchKinds);
    return kind;
  }

  // Reads one of the names of an enumeration.
  template <class Enumeration>
  Enumeration one_of(const Json& json, const char* field_name, const std::string& field, uint32_t count) {
    std::string name;
    read_text(json, field_name, field, name);
    std::string allowed;
    for (uint32_t i = 0; i < count; ++i) {
      const auto one = static_cast<Enumeration>(i);
      if (workload::name_of(one) == name) return one;
      allowed += (i == 0 ? "" : ", ") + std::string(workload::name_of(one));
    }
    refuse(field, name, allowed);
    return static_cast<Enumeration>(0);
  }

  void read_kind_program(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"name", "program"});
    workload::ScriptKindProgram kind;
    read_text(json, "name", prefix + "name", kind.name);
    auto [program, errors] = lab_program_of(json.contains("program") ? json["program"] : Json());
    if (!program) return refuse(prefix + "program." + errors[0].field, errors[0].value, errors[0].allowed);
    kind.program = std::make_shared<const lab::Program>(std::move(*program));
    program_.kinds.push_back(std::move(kind));
  }

  void read_shared_line(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"words", "knob", "variant"});
    workload::ScriptSharedLine line;
    read_words(json, "words", lab::kWordsMax, line.words, "numbers of words");
    read_number(json, "knob", prefix + "knob", line.knob);
    read_number(json, "variant", prefix + "variant", line.variant);
    program_.shared_lines.push_back(std::move(line));
  }

  void read_device(const Json& json, const std::string& prefix) {
    refuse_unknown(json, prefix, {"name", "kind", "latency"});
    workload::ScriptDevice device;
    read_text(json, "name", prefix + "name", device.name);
    device.kind =
        one_of<workload::ScriptDeviceKind>(json, "kind", prefix + "kind", workload::kScriptDeviceKinds);
    if (json.contains("latency")) read_wide(json, "latency", prefix + "latency", device.latency_ps);
    program_.devices.push_back(std::move(device));
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
    refuse_unknown(json, prefix, {"name", "threads", "has_transaction", "code", "runs", "period", "title"});
    workload::ScriptGroup group;
    read_text(json, "name", prefix + "name", group.name);
    read_number(json, "threads", prefix + "threads", group.threads);
    read_truth(json, "has_transaction", prefix + "has_transaction", group.has_transaction);
    if (json.contains("runs"))
      group.runs = one_of<workload::ScriptRuns>(json, "runs", prefix + "runs", workload::kScriptRuns);
    if (json.contains("period")) read_wide(json, "period", prefix + "period", group.period_ps);
    if (json.contains("title")) read_text(json, "title", prefix + "title", group.title);
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

  void read_texts(const Json& json, const char* name, size_t texts_max, std::vector<std::string>& texts) {
    const Json* given = list(json, name, texts_max);
    if (given == nullptr) return;
    for (const Json& text : *given) {
      if (!text.is_string()) return fail(name, text, "texts");
      texts.push_back(text.get<std::string>());
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

Json manifest_json(const workload::ScenarioManifest& manifest) {
  Json json = {{"id", manifest.id},
               {"title", manifest.title},
               {"unit_of_work",
                {{"transaction", manifest.transaction},
                 {"operation", manifest.operation},
                 {"operation_counter", manifest.operation_counter}}},
               {"threads",
                {{"min", manifest.threads_min},
                 {"max", manifest.threads_max},
                 {"default", manifest.threads_default},
                 {"virtual_default", manifest.threads_virtual_default}}},
               {"virtual_server", manifest.virtual_server},
               {"sysbench_percentile", manifest.sysbench_percentile},
               {"knobs", Json::array()},
               {"designs", Json::object()},
               {"parameters", Json::array()},
               {"actions", Json::array()},
               {"latches", manifest.latches}};
  for (const auto& knob : manifest.knobs) {
    Json variants = Json::array();
    for (const auto& variant : knob.variants)
      variants.push_back({{"id", variant.id}, {"origin", variant.origin}});
    json["knobs"].push_back({{"id", knob.id}, {"question", knob.question}, {"variants", variants}});
  }
  for (const auto& design : manifest.designs) {
    Json of_design = Json::object();
    for (size_t knob = 0; knob < manifest.knobs.size(); ++knob)
      of_design[std::string(manifest.knobs[knob].id)] =
          manifest.knobs[knob].variants[design.variants[knob]].id;
    json["designs"][std::string(design.id)] = of_design;
  }
  for (const auto& parameter : manifest.parameters) {
    json["parameters"].push_back({{"id", parameter.id},
                                  {"title", parameter.title},
                                  {"unit", parameter.unit},
                                  {"min", parameter.min},
                                  {"max", parameter.max},
                                  {"default", parameter.default_value}});
  }
  for (const auto& action : manifest.actions)
    json["actions"].push_back({{"id", action.id}, {"title", action.title}});
  return json;
}

}  // namespace latchscope::run
