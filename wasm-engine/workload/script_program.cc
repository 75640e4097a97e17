#include "workload/script_program.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace latchscope::workload {

namespace {

enum class Immediate : uint8_t {
  nothing,
  constant,
  place,
  parameter,
  knob,
  name,
  hold,
  word,
  device,
  counter
};

struct OperationShape {
  std::string_view name;
  bool has_target, has_a, has_b;
  Immediate immediate;
};

constexpr OperationShape kShapes[] = {
#define LATCHSCOPE_SHAPE(name, target, a, b, immediate) \
  {#name, (target) != 0, (a) != 0, (b) != 0, Immediate::immediate},
    LATCHSCOPE_SCRIPT_OPERATIONS(LATCHSCOPE_SHAPE)
#undef LATCHSCOPE_SHAPE
};
static_assert(std::size(kShapes) == kScriptOps);

struct KindShape {
  std::string_view name;
  bool has_size, can_be_shared;
};

constexpr KindShape kKinds[] = {
#define LATCHSCOPE_KIND(name, has_size, can_be_shared) {#name, (has_size) != 0, (can_be_shared) != 0},
    LATCHSCOPE_SCRIPT_LATCH_KINDS(LATCHSCOPE_KIND)
#undef LATCHSCOPE_KIND
};
static_assert(std::size(kKinds) == kScriptLatchKinds);

constexpr std::string_view kDeviceKinds[] = {"nvme", "ssd", "hdd", "network"};
static_assert(std::size(kDeviceKinds) == kScriptDeviceKinds);

constexpr std::string_view kRuns[] = {"again_and_again", "every", "once", "on_action", "at_end"};
static_assert(std::size(kRuns) == kScriptRuns);

constexpr std::string_view kCountersOfEngine[] = {
#define LATCHSCOPE_QUOTE_COUNTER(name, meaning) #name,
    LATCHSCOPE_COUNTERS(LATCHSCOPE_QUOTE_COUNTER)
#undef LATCHSCOPE_QUOTE_COUNTER
};

using Fault = std::optional<ScriptFault>;

const OperationShape& shape_of(ScriptOp op) {
  return kShapes[static_cast<uint32_t>(op)];
}

std::string range(uint64_t from, uint64_t to) {
  return "a number from " + std::to_string(from) + " to " + std::to_string(to);
}

std::string at(const char* list, size_t position, const std::string& field = "") {
  return std::string(list) + "[" + std::to_string(position) + "]" + field;
}

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && name.size() <= kScriptNameLengthMax && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

Fault fault_of_name(const std::string& field, const std::string& name) {
  if (is_name(name)) return std::nullopt;
  return ScriptFault{field, name, "letters, digits and _, at most " + std::to_string(kScriptNameLengthMax)};
}

// A kind may be a latch of the lab, whose name can have hyphens.
Fault fault_of_kind_name(const std::string& field, const std::string& name) {
  std::string without_hyphens = name;
  std::ranges::replace(without_hyphens, '-', '_');
  if (is_name(without_hyphens)) return std::nullopt;
  return ScriptFault{field, name,
                     "letters, digits, _ and -, at most " + std::to_string(kScriptNameLengthMax)};
}

// A text of UTF-8 has at most four bytes per character.
Fault fault_of_text(const std::string& field, const std::string& text, uint32_t characters_max,
                    bool may_be_empty) {
  const bool is_long = text.size() > size_t{4} * characters_max;
  const bool has_controls = std::ranges::any_of(text, [](char c) { return static_cast<uint8_t>(c) < 0x20; });
  if (!is_long && !has_controls && (may_be_empty || !text.empty())) return std::nullopt;
  return ScriptFault{field, text, "a line of at most " + std::to_string(characters_max) + " characters"};
}

template <class Element, class FaultOf>
Fault first_fault(const std::vector<Element>& elements, FaultOf fault_of) {
  for (size_t i = 0; i < elements.size(); ++i) {
    if (Fault fault = fault_of(elements[i], i)) return fault;
  }
  return std::nullopt;
}

template <class Element, class NameOf>
Fault fault_of_repeated(const char* list, const std::vector<Element>& elements, NameOf name_of) {
  std::set<std::string_view> names;
  return first_fault(elements, [&](const Element& element, size_t place) -> Fault {
    if (names.insert(name_of(element)).second) return std::nullopt;
    return ScriptFault{at(list, place), std::string(name_of(element)), "a name that no other has"};
  });
}

Fault fault_of_count(const char* list, size_t count, size_t least, size_t most) {
  if (count >= least && count <= most) return std::nullopt;
  return ScriptFault{list, std::to_string(count),
                     "from " + std::to_string(least) + " to " + std::to_string(most)};
}

Fault fault_of_counts(const ScriptProgram& program) {
  const std::pair<const char*, std::pair<size_t, size_t>> counts[] = {
      {"parameters", {program.parameters.size(), kScriptParametersMax}},
      {"knobs", {program.knobs.size(), kScriptKnobsMax}},
      {"latches", {program.latches.size(), kScriptLatchesMax}},
      {"kinds", {program.kinds.size(), kScriptKindsMax}},
      {"shared_lines", {program.shared_lines.size(), lab::kWordsMax}},
      {"devices", {program.devices.size(), kScriptDevicesMax}},
      {"counters", {program.counters.size(), kScriptCountersMax}},
      {"names", {program.names.size(), kScriptNamesMax}},
      {"holds", {program.holds.size(), kScriptHoldsMax}},
      {"constants", {program.constants.size(), kScriptConstantsMax}},
      {"code", {program.code.size(), kScriptInstructionsMax}},
  };
  for (const auto& [list, count] : counts) {
    if (Fault fault = fault_of_count(list, count.first, 0, count.second)) return fault;
  }
  if (Fault fault = fault_of_count("designs", program.designs.size(), 1, kScriptDesignsMax)) return fault;
  if (Fault fault = fault_of_count("groups", program.groups.size(), 1, kScriptGroupsMax)) return fault;
  if (program.registers < kScriptFirstFreeRegister || program.registers > kScriptRegistersMax) {
    return ScriptFault{"registers", std::to_string(program.registers),
                       range(kScriptFirstFreeRegister, kScriptRegistersMax)};
  }
  if (program.source_lines.size() != program.code.size()) {
    return ScriptFault{"source_lines", std::to_string(program.source_lines.size()),
                       "one for each of " + std::to_string(program.code.size()) + " instructions"};
  }
  return first_fault(program.source_lines, [](uint32_t line, size_t place) -> Fault {
    if (line <= kScriptSourceLinesMax) return std::nullopt;
    return ScriptFault{at("source_lines", place), std::to_string(line), range(0, kScriptSourceLinesMax)};
  });
}

Fault fault_of_parameter(const ScriptParameter& parameter, size_t place) {
  if (Fault fault = fault_of_name(at("parameters", place, ".id"), parameter.id)) return fault;
  if (Fault fault =
          fault_of_text(at("parameters", place, ".title"), parameter.title, kScriptTitleLengthMax, false))
    return fault;
  if (Fault fault = fault_of_text(at("parameters", place, ".unit"), parameter.unit, 3, true)) return fault;
  const auto [id, title, unit, scale, min, max, usual] = parameter;
  if (scale == 0 || scale > kScriptConstantMax)
    return ScriptFault{at("parameters", place, ".scale"), std::to_string(scale),
                       range(1, kScriptConstantMax)};
  const uint64_t most = kScriptConstantMax / scale;
  if (max > most) return ScriptFault{at("parameters", place, ".max"), std::to_string(max), range(0, most)};
  if (min > max) return ScriptFault{at("parameters", place, ".min"), std::to_string(min), range(0, max)};
  if (usual < min || usual > max)
    return ScriptFault{at("parameters", place, ".default"), std::to_string(usual), range(min, max)};
  return std::nullopt;
}

Fault fault_of_kind(const ScriptProgram& program, const std::string& field, const ScriptKind& kind) {
  if (static_cast<uint32_t>(kind.kind) >= kScriptLatchKinds) {
    return ScriptFault{field + ".kind", std::to_string(static_cast<uint32_t>(kind.kind)),
                       range(0, kScriptLatchKinds - 1)};
  }
  if (kind.kind == ScriptLatchKind::lab_latch && kind.program >= program.kinds.size()) {
    return ScriptFault{field + ".program", std::to_string(kind.program),
                       "a kind below " + std::to_string(program.kinds.size())};
  }
  const uint32_t least = has_size(kind.kind) ? 1 : 0;
  const uint32_t most = has_size(kind.kind) ? kScriptKindSizeMax : 0;
  if (kind.size >= least && kind.size <= most) return std::nullopt;
  return ScriptFault{field + ".size", std::to_string(kind.size), range(least, most)};
}

bool is_of_kinds(const ScriptKnob& knob) {
  return knob.variants[0].kind.has_value();
}

Fault fault_of_knob(const ScriptProgram& program, const ScriptKnob& knob, size_t place) {
  if (Fault fault = fault_of_name(at("knobs", place, ".id"), knob.id)) return fault;
  if (Fault fault =
          fault_of_text(at("knobs", place, ".question"), knob.question, kScriptTitleLengthMax, false))
    return fault;
  const std::string variants = at("knobs", place, ".variants");
  if (Fault fault = fault_of_count(variants.c_str(), knob.variants.size(), 2, kScriptVariantsMax))
    return fault;
  if (Fault fault =
          fault_of_repeated(variants.c_str(), knob.variants,
                            [](const ScriptVariant& variant) -> std::string_view { return variant.id; }))
    return fault;
  return first_fault(knob.variants, [&](const ScriptVariant& variant, size_t number) -> Fault {
    const std::string field = at(variants.c_str(), number);
    if (Fault fault = fault_of_name(field + ".id", variant.id)) return fault;
    if (Fault fault = fault_of_text(field + ".origin", variant.origin, kScriptTitleLengthMax, true))
      return fault;
    if (variant.kind.has_value() != is_of_kinds(knob))
      return ScriptFault{field, variant.id, "a kind of latch in all variants of a knob, or a number in all"};
    return variant.kind ? fault_of_kind(program, field, *variant.kind) : std::nullopt;
  });
}

Fault fault_of_design(const ScriptProgram& program, const ScriptDesign& design, size_t place) {
  if (Fault fault = fault_of_name(at("designs", place, ".id"), design.id)) return fault;
  if (design.variants.size() != program.knobs.size()) {
    return ScriptFault{at("designs", place, ".variants"), std::to_string(design.variants.size()),
                       "one for each of " + std::to_string(program.knobs.size()) + " knobs"};
  }
  return first_fault(design.variants, [&](uint32_t variant, size_t knob) -> Fault {
    const size_t variants = program.knobs[knob].variants.size();
    const bool is_original = place > 0 || variant == 0;
    if (variant < variants && is_original) return std::nullopt;
    return ScriptFault{at("designs", place, ".variants[" + std::to_string(knob) + "]"),
                       std::to_string(variant),
                       place == 0 ? "0 in the first design, original" : range(0, variants - 1)};
  });
}

Fault fault_of_latch(const ScriptProgram& program, const ScriptLatch& latch, size_t place) {
  if (Fault fault = fault_of_name(at("latches", place, ".name"), latch.name)) return fault;
  if (latch.elements < 1 || latch.elements > kScriptElementsMax) {
    return ScriptFault{at("latches", place, ".elements"), std::to_string(latch.elements),
                       range(1, kScriptElementsMax)};
  }
  if (!latch.knob) return fault_of_kind(program, at("latches", place), latch.kind);
  const bool is_good = *latch.knob < program.knobs.size() && is_of_kinds(program.knobs[*latch.knob]);
  if (is_good) return std::nullopt;
  return ScriptFault{at("latches", place, ".knob"), std::to_string(*latch.knob), "a knob that selects kinds"};
}

uint32_t shards_of(const ScriptKind& kind) {
  return kind.kind == ScriptLatchKind::sharded_rw_lock ? kind.size : 1;
}

uint32_t most_shards_of(const ScriptProgram& program, const ScriptLatch& latch) {
  uint32_t most = 1;
  for (const ScriptKind& kind : kinds_of(program, latch))
    most = std::max(most, shards_of(kind));
  return most;
}

Fault fault_of_latches_built(const ScriptProgram& program) {
  uint64_t built = 0;
  return first_fault(program.latches, [&](const ScriptLatch& latch, size_t place) -> Fault {
    built += uint64_t{latch.elements} * most_shards_of(program, latch);
    if (built <= kScriptLatchesBuiltMax) return std::nullopt;
    return ScriptFault{at("latches", place, ".elements"), std::to_string(latch.elements),
                       "at most " + std::to_string(kScriptLatchesBuiltMax) +
                           " latches of all names, each shard counted; up to here there are " +
                           std::to_string(built)};
  });
}

Fault fault_of_part(const std::string& name, size_t place) {
  if (Fault fault = fault_of_text(at("names", place), name, kScriptNameLengthMax, false)) return fault;
  if (name.size() <= kScriptNameBytesMax) return std::nullopt;
  return ScriptFault{at("names", place), name,
                     "at most " + std::to_string(kScriptNameBytesMax) + " bytes of UTF-8"};
}

Fault fault_of_sites(const ScriptProgram& program) {
  const size_t slept_on = words_slept_on(program).size();
  if (program.latches.size() + slept_on > kScriptWaitedForMax) {
    return ScriptFault{"latches", std::to_string(program.latches.size()),
                       "at most " + std::to_string(kScriptWaitedForMax) +
                           " names, with those of words on which threads sleep, of which there are " +
                           std::to_string(slept_on)};
  }
  const size_t sites_of_words = sites_of_sleep(program).size();
  const std::string at_most =
      "at most " + std::to_string(kScriptSitesMax) +
      " latches and names of parts that take them, with words and names of parts that "
      "sleep on them";
  if (sites_of_words > kScriptSitesMax) return ScriptFault{"code", std::to_string(sites_of_words), at_most};
  std::set<std::pair<uint32_t, uint32_t>> sites;
  return first_fault(program.holds, [&](const ScriptHold& hold, size_t place) -> Fault {
    sites.emplace(hold.latch, hold.site);
    if (sites.size() + sites_of_words <= kScriptSitesMax) return std::nullopt;
    return ScriptFault{at("holds", place, ".site"), program.names[hold.site], at_most};
  });
}

bool may_be_shared(const ScriptProgram& program, const ScriptLatch& latch) {
  return std::ranges::any_of(kinds_of(program, latch),
                             [&](const ScriptKind& kind) { return can_be_shared(program, kind); });
}

Fault fault_of_hold(const ScriptProgram& program, const ScriptHold& hold, size_t place) {
  if (hold.latch >= program.latches.size()) {
    return ScriptFault{at("holds", place, ".latch"), std::to_string(hold.latch),
                       "a latch below " + std::to_string(program.latches.size())};
  }
  if (hold.site >= program.names.size()) {
    return ScriptFault{at("holds", place, ".site"), std::to_string(hold.site),
                       "a name below " + std::to_string(program.names.size())};
  }
  if (!hold.is_shared || may_be_shared(program, program.latches[hold.latch])) return std::nullopt;
  return ScriptFault{at("holds", place, ".shared"), "true",
                     "false, because no kind of the latch has readers"};
}

Fault fault_of_kind_program(const ScriptKindProgram& kind, size_t place) {
  if (Fault fault = fault_of_kind_name(at("kinds", place, ".name"), kind.name)) return fault;
  if (kind.program == nullptr)
    return ScriptFault{at("kinds", place, ".program"), "nothing", "a latch of the lab"};
  if (auto fault = lab::find_fault(*kind.program)) {
    return ScriptFault{at("kinds", place, ".program.") + fault->field, std::move(fault->value),
                       std::move(fault->allowed)};
  }
  return std::nullopt;
}

// Returns how many words the program has on the line of this one.
size_t words_on_line_of(const ScriptProgram& program, uint32_t word) {
  return static_cast<size_t>(
      std::ranges::count(program.words, program.words[word].line, &lab::WordDeclaration::line));
}

Fault fault_of_shared_line(const ScriptProgram& program, const ScriptSharedLine& line, size_t place) {
  if (line.knob >= program.knobs.size()) {
    return ScriptFault{at("shared_lines", place, ".knob"), std::to_string(line.knob),
                       "a knob below " + std::to_string(program.knobs.size())};
  }
  const size_t variants = program.knobs[line.knob].variants.size();
  if (line.variant >= variants) {
    return ScriptFault{at("shared_lines", place, ".variant"), std::to_string(line.variant),
                       range(0, variants - 1)};
  }
  const std::string words = at("shared_lines", place, ".words");
  if (Fault fault = fault_of_count(words.c_str(), line.words.size(), 2, lab::kWordsOnLineMax)) return fault;
  return first_fault(line.words, [&](uint32_t word, size_t number) -> Fault {
    const bool is_there = word < program.words.size();
    const bool is_alone = is_there && words_on_line_of(program, word) == 1;
    if (is_alone && !program.words[word].is_packed) return std::nullopt;
    return ScriptFault{at(words.c_str(), number), std::to_string(word), "a word that has a line of its own"};
  });
}

Fault fault_of_words(const ScriptProgram& program) {
  if (auto fault = lab::find_fault_of_words(program.words))
    return ScriptFault{std::move(fault->field), std::move(fault->value), std::move(fault->allowed)};
  if (Fault fault = first_fault(program.shared_lines, [&](const ScriptSharedLine& line, size_t place) {
        return fault_of_shared_line(program, line, place);
      }))
    return fault;
  std::set<uint32_t> shared;
  return first_fault(program.shared_lines, [&](const ScriptSharedLine& line, size_t place) -> Fault {
    for (const uint32_t word : line.words) {
      if (!shared.insert(word).second)
        return ScriptFault{at("shared_lines", place, ".words"), std::to_string(word),
                           "words that no other shared line has"};
    }
    return std::nullopt;
  });
}

Fault fault_of_device(const ScriptDevice& device, size_t place) {
  if (Fault fault = fault_of_name(at("devices", place, ".name"), device.name)) return fault;
  const bool is_network = device.kind == ScriptDeviceKind::network;
  const uint64_t least = is_network ? platform::kPsPerNs : 0;
  const uint64_t most = is_network ? kScriptDeviceLatencyMaxPs : 0;
  if (device.latency_ps >= least && device.latency_ps <= most) return std::nullopt;
  return ScriptFault{at("devices", place, ".latency"), std::to_string(device.latency_ps), range(least, most)};
}

Fault fault_of_counter(const std::string& counter, size_t place) {
  if (Fault fault = fault_of_name(at("counters", place), counter)) return fault;
  if (std::ranges::find(kCountersOfEngine, counter) == std::end(kCountersOfEngine)) return std::nullopt;
  return ScriptFault{at("counters", place), counter, "a name other than those of the engine's counters"};
}

Fault fault_of_declarations(const ScriptProgram& program) {
  if (Fault fault = fault_of_text("title", program.title, kScriptTitleLengthMax, false)) return fault;
  if (Fault fault = fault_of_text("unit", program.unit, kScriptTitleLengthMax, false)) return fault;
  if (Fault fault = first_fault(program.parameters, fault_of_parameter)) return fault;
  if (Fault fault = first_fault(program.kinds, fault_of_kind_program)) return fault;
  if (Fault fault = first_fault(program.knobs, [&](const ScriptKnob& knob, size_t place) {
        return fault_of_knob(program, knob, place);
      }))
    return fault;
  if (Fault fault = first_fault(program.designs, [&](const ScriptDesign& design, size_t place) {
        return fault_of_design(program, design, place);
      }))
    return fault;
  if (program.designs[0].id != "original")
    return ScriptFault{"designs[0].id", program.designs[0].id, "original"};
  if (Fault fault = first_fault(program.latches, [&](const ScriptLatch& latch, size_t place) {
        return fault_of_latch(program, latch, place);
      }))
    return fault;
  if (Fault fault = fault_of_latches_built(program)) return fault;
  if (Fault fault = fault_of_words(program)) return fault;
  if (Fault fault = first_fault(program.devices, fault_of_device)) return fault;
  if (Fault fault = first_fault(program.counters, fault_of_counter)) return fault;
  if (Fault fault = first_fault(program.names, fault_of_part)) return fault;
  if (Fault fault = first_fault(program.holds, [&](const ScriptHold& hold, size_t place) {
        return fault_of_hold(program, hold, place);
      }))
    return fault;
  if (Fault fault = fault_of_sites(program)) return fault;
  return first_fault(program.constants, [](uint64_t constant, size_t place) -> Fault {
    if (constant <= kScriptConstantMax) return std::nullopt;
    return ScriptFault{at("constants", place), std::to_string(constant), range(0, kScriptConstantMax)};
  });
}

Fault fault_of_repeated_names(const ScriptProgram& program) {
  if (Fault fault = fault_of_repeated("parameters", program.parameters,
                                      [](const ScriptParameter& one) -> std::string_view { return one.id; }))
    return fault;
  if (Fault fault = fault_of_repeated("knobs", program.knobs,
                                      [](const ScriptKnob& one) -> std::string_view { return one.id; }))
    return fault;
  if (Fault fault = fault_of_repeated("designs", program.designs,
                                      [](const ScriptDesign& one) -> std::string_view { return one.id; }))
    return fault;
  if (Fault fault =
          fault_of_repeated("words", program.words,
                            [](const lab::WordDeclaration& one) -> std::string_view { return one.name; }))
    return fault;
  if (Fault fault = fault_of_repeated("latches", program.latches,
                                      [](const ScriptLatch& one) -> std::string_view { return one.name; }))
    return fault;
  if (Fault fault = fault_of_repeated(
          "kinds", program.kinds, [](const ScriptKindProgram& one) -> std::string_view { return one.name; }))
    return fault;
  if (Fault fault = fault_of_repeated("devices", program.devices,
                                      [](const ScriptDevice& one) -> std::string_view { return one.name; }))
    return fault;
  if (Fault fault = fault_of_repeated("counters", program.counters,
                                      [](const std::string& one) -> std::string_view { return one; }))
    return fault;
  return fault_of_repeated("groups", program.groups,
                           [](const ScriptGroup& one) -> std::string_view { return one.name; });
}

Fault fault_of_runs(const ScriptGroup& group, size_t place) {
  if (group.runs != ScriptRuns::again_and_again && group.has_transaction) {
    return ScriptFault{
        at("groups", place, ".runs"), std::string(name_of(group.runs)),
        std::string(name_of(ScriptRuns::again_and_again)) + ", because it has the transaction"};
  }
  const bool is_alone = group.runs == ScriptRuns::on_action || group.runs == ScriptRuns::at_end;
  if (is_alone && group.threads != 1) {
    return ScriptFault{at("groups", place, ".threads"), std::to_string(group.threads),
                       "1, because it runs " + std::string(name_of(group.runs))};
  }
  const bool has_period = group.runs == ScriptRuns::every;
  const uint64_t least = has_period ? kScriptPeriodMinPs : 0;
  const uint64_t most = has_period ? kScriptPeriodMaxPs : 0;
  if (group.period_ps < least || group.period_ps > most) {
    return ScriptFault{at("groups", place, ".period"), std::to_string(group.period_ps), range(least, most)};
  }
  return fault_of_text(at("groups", place, ".title"), group.title, kScriptTitleLengthMax,
                       group.runs != ScriptRuns::on_action);
}

Fault fault_of_groups(const ScriptProgram& program) {
  uint32_t end = 0;
  if (Fault fault = first_fault(program.groups, [&](const ScriptGroup& group, size_t place) -> Fault {
        if (Fault bad = fault_of_name(at("groups", place, ".name"), group.name)) return bad;
        if (group.threads < 1 || group.threads > kScriptThreadsMax) {
          return ScriptFault{at("groups", place, ".threads"), std::to_string(group.threads),
                             range(1, kScriptThreadsMax)};
        }
        const bool is_good =
            group.begin >= end && group.begin < group.end && group.end <= program.code.size();
        if (!is_good) {
          return ScriptFault{
              at("groups", place, ".code"), std::to_string(group.begin) + " to " + std::to_string(group.end),
              "instructions after those of the group before, up to " + std::to_string(program.code.size())};
        }
        end = group.end;
        return fault_of_runs(group, place);
      }))
    return fault;
  const auto with_transaction = std::ranges::count_if(program.groups, &ScriptGroup::has_transaction);
  if (with_transaction != 1)
    return ScriptFault{"groups", std::to_string(with_transaction) + " with a transaction",
                       "one with a transaction"};
  const auto at_end = std::ranges::count(program.groups, ScriptRuns::at_end, &ScriptGroup::runs);
  if (at_end > 1) return ScriptFault{"groups", std::to_string(at_end) + " at the end", "at most one"};
  uint32_t of_server = 0;
  return first_fault(program.groups, [&](const ScriptGroup& group, size_t place) -> Fault {
    of_server += group.server_threads();
    if (of_server <= kScriptServerThreadsMax) return std::nullopt;
    return ScriptFault{
        at("groups", place, ".threads"), std::to_string(group.threads),
        "at most " + std::to_string(kScriptServerThreadsMax) + " threads without a transaction in all"};
  });
}

Fault fault_of_register(const ScriptProgram& program, std::string field, uint8_t number, uint8_t from) {
  if (number >= from && number < program.registers) return std::nullopt;
  return ScriptFault{
      std::move(field), std::to_string(number),
      "a register from " + std::to_string(from) + " to " + std::to_string(program.registers - 1)};
}

Fault fault_of_exponent(const ScriptProgram& program, size_t place) {
  const uint64_t exponent = program.constants[program.code[place].immediate];
  if (exponent >= kScriptZipfExponentMin && exponent <= kScriptZipfExponentMax) return std::nullopt;
  return ScriptFault{at("code", place, ".immediate"), std::to_string(exponent),
                     "a constant with " + range(kScriptZipfExponentMin, kScriptZipfExponentMax)};
}

Fault fault_of_immediate(const ScriptProgram& program, const ScriptGroup& group, size_t place) {
  const ScriptInstruction& instruction = program.code[place];
  const auto below = [&](size_t limit, const char* what) -> Fault {
    if (instruction.immediate < limit) return std::nullopt;
    return ScriptFault{at("code", place, ".immediate"), std::to_string(instruction.immediate),
                       std::string(what) + " below " + std::to_string(limit)};
  };
  switch (shape_of(instruction.op).immediate) {
    case Immediate::nothing:
      return std::nullopt;
    case Immediate::constant:
      if (Fault fault = below(program.constants.size(), "a constant")) return fault;
      return instruction.op == ScriptOp::zipf ? fault_of_exponent(program, place) : std::nullopt;
    case Immediate::parameter:
      return below(program.parameters.size(), "a parameter");
    case Immediate::name:
      return below(program.names.size(), "a name");
    case Immediate::knob:
      if (Fault fault = below(program.knobs.size(), "a knob")) return fault;
      if (instruction.op != ScriptOp::knob_value || !is_of_kinds(program.knobs[instruction.immediate]))
        return std::nullopt;
      return ScriptFault{at("code", place, ".immediate"), std::to_string(instruction.immediate),
                         "a knob whose variants are numbers"};
    case Immediate::place:
      if (instruction.immediate >= group.begin && instruction.immediate < group.end) return std::nullopt;
      return ScriptFault{at("code", place, ".immediate"), std::to_string(instruction.immediate),
                         "an instruction of the same group, " + range(group.begin, group.end - 1)};
    case Immediate::device:
      return below(program.devices.size(), "a device");
    case Immediate::counter:
      if (Fault fault = below(program.counters.size() + 1, "a counter")) return fault;
      if (instruction.op != ScriptOp::count || instruction.immediate > 0) return std::nullopt;
      return ScriptFault{at("code", place, ".immediate"), "0",
                         "one of the program's counters: transactions count themselves"};
    case Immediate::hold:
    case Immediate::word:
      break;
  }
  const bool is_word = shape_of(instruction.op).immediate == Immediate::word;
  const size_t count = is_word ? program.words.size() : program.holds.size();
  const size_t sites = sleeps(instruction.op) ? program.names.size() : 1;
  if ((instruction.immediate & 0xffff) >= count || instruction.site() >= sites) {
    return ScriptFault{at("code", place, ".immediate"), std::to_string(instruction.immediate),
                       std::string(is_word ? "a word" : "a hold") + " below " + std::to_string(count)};
  }
  if (instruction.index() == kScriptNoIndex) return std::nullopt;
  return fault_of_register(program, at("code", place, ".index"), instruction.index(), 0);
}

// At the end, no thread runs that an operation could have an effect on.
Fault fault_of_place(const ScriptGroup& group, ScriptOp op, size_t place) {
  const bool is_at_end = group.runs == ScriptRuns::at_end;
  const bool has_no_effect =
      op < ScriptOp::work || op == ScriptOp::load || op == ScriptOp::counted || op == ScriptOp::give_back;
  if (is_at_end ? has_no_effect : op != ScriptOp::counted) return std::nullopt;
  return ScriptFault{at("code", place, ".op"), std::string(name_of(op)),
                     is_at_end ? "an operation without an effect at the end of the run"
                               : "counted at the end of the run only"};
}

Fault fault_of_instruction(const ScriptProgram& program, const ScriptGroup& group, size_t place) {
  const ScriptInstruction& instruction = program.code[place];
  if (static_cast<uint32_t>(instruction.op) >= kScriptOps) {
    return ScriptFault{at("code", place, ".op"), std::to_string(static_cast<uint32_t>(instruction.op)),
                       range(0, kScriptOps - 1)};
  }
  if (Fault fault = fault_of_place(group, instruction.op, place)) return fault;
  const OperationShape& shape = shape_of(instruction.op);
  if (shape.has_target) {
    if (Fault fault = fault_of_register(program, at("code", place, ".target"), instruction.target,
                                        kScriptFirstFreeRegister))
      return fault;
  }
  if (shape.has_a) {
    if (Fault fault = fault_of_register(program, at("code", place, ".a"), instruction.a, 0)) return fault;
  }
  if (shape.has_b) {
    if (Fault fault = fault_of_register(program, at("code", place, ".b"), instruction.b, 0)) return fault;
  }
  return fault_of_immediate(program, group, place);
}

// Follows all paths through a body: what each instruction finds written, held and begun.
class Paths {
 public:
  Paths(const ScriptProgram& program, const ScriptGroup& group) : program_(program), group_(group) {}

  Fault fault() {
    arrive(group_.begin, {});
    while (!to_visit_.empty() && !fault_) {
      const uint32_t place = *to_visit_.begin();
      to_visit_.erase(to_visit_.begin());
      visit(place);
    }
    return std::move(fault_);
  }

 private:
  enum class Phase : uint8_t { before, transaction, after };
  static constexpr char kHold = 'h';
  static constexpr char kFrame = 'f';
  static constexpr size_t kNestingMax = 64;

  struct Found {
    uint64_t written = (uint64_t{1} << kScriptFirstFreeRegister) - 1;
    std::string nesting;  // kHold and kFrame, the innermost last
    Phase phase = Phase::before;

    bool holds_latch() const { return nesting.find(kHold) != std::string::npos; }
  };

  void fail(uint32_t place, std::string allowed) {
    if (fault_) return;
    fault_ =
        ScriptFault{at("code", place), std::string(name_of(program_.code[place].op)), std::move(allowed)};
  }

  // All paths to an instruction must hold the same; they may have written different registers.
  void arrive(uint32_t place, const Found& found) {
    if (place >= group_.end) return fail(group_.end - 1, "give_back or jump as the last instruction");
    const auto known = found_.find(place);
    if (known == found_.end()) {
      found_.emplace(place, found);
      to_visit_.insert(place);
      return;
    }
    if (known->second.nesting != found.nesting || known->second.phase != found.phase)
      return fail(place, "an instruction that all paths reach with the same latches held");
    const uint64_t written = known->second.written & found.written;
    if (written == known->second.written) return;
    known->second.written = written;
    to_visit_.insert(place);
  }

  bool is_written(const Found& found, uint8_t number) const { return (found.written >> number & 1) != 0; }

  bool reads_written(const Found& found, const ScriptInstruction& instruction) const {
    const OperationShape& shape = shape_of(instruction.op);
    const bool may_have_index = shape.immediate == Immediate::hold || shape.immediate == Immediate::word;
    const bool has_index = may_have_index && instruction.index() != kScriptNoIndex;
    return (!shape.has_a || is_written(found, instruction.a)) &&
           (!shape.has_b || is_written(found, instruction.b)) &&
           (!has_index || is_written(found, instruction.index()));
  }

  void visit(uint32_t place) {
    const ScriptInstruction& instruction = program_.code[place];
    Found found = found_.at(place);
    if (!reads_written(found, instruction))
      return fail(place, "registers that are written before they are read");
    if (shape_of(instruction.op).has_target) found.written |= uint64_t{1} << instruction.target;
    switch (instruction.op) {
      case ScriptOp::jump:
        return arrive(instruction.immediate, found);
      case ScriptOp::jump_if_zero:
      case ScriptOp::jump_if_not_zero:
        arrive(instruction.immediate, found);
        return arrive(place + 1, found);
      case ScriptOp::try_enter:
        return try_enter(place, found);
      case ScriptOp::give_back:
        return give_back(place, found);
      default:
        change(place, found);
        if (!fault_) arrive(place + 1, found);
    }
  }

  void try_enter(uint32_t place, Found found) {
    const ScriptLatch& latch = program_.latches[program_.holds[program_.code[place].hold()].latch];
    if (std::ranges::any_of(kinds_of(program_, latch),
                            [](const ScriptKind& kind) { return kind.kind == ScriptLatchKind::lab_latch; }))
      return fail(place, "enter: a latch written in the lab's language cannot be tried");
    const bool is_last = place + 1 >= group_.end;
    const ScriptInstruction next = is_last ? ScriptInstruction{} : program_.code[place + 1];
    if (is_last || next.op != ScriptOp::jump_if_zero || next.a != program_.code[place].target)
      return fail(place, "try_enter with jump_if_zero of its target behind it");
    arrive(next.immediate, found);
    push(place, found, kHold);
    if (!fault_) arrive(place + 2, found);
  }

  void give_back(uint32_t place, const Found& found) {
    const Phase last = group_.has_transaction ? Phase::after : Phase::before;
    if (!found.nesting.empty()) return fail(place, "an end at which nothing is held or begun");
    if (found.phase != last) fail(place, "an end after the transaction");
  }

  void push(uint32_t place, Found& found, char kind) {
    found.nesting.push_back(kind);
    const auto held = static_cast<size_t>(std::ranges::count(found.nesting, kHold));
    if (held > kScriptHeldMax || found.nesting.size() > kNestingMax)
      fail(place, "at most " + std::to_string(kScriptHeldMax) + " latches held, and " +
                      std::to_string(kNestingMax) + " parts begun");
  }

  void pop(uint32_t place, Found& found, char kind) {
    if (found.nesting.empty() || found.nesting.back() != kind)
      return fail(place, "an end of what was begun last");
    found.nesting.pop_back();
  }

  void change(uint32_t place, Found& found) {
    switch (program_.code[place].op) {
      case ScriptOp::enter:
        return push(place, found, kHold);
      case ScriptOp::leave:
        return pop(place, found, kHold);
      case ScriptOp::frame_begin:
        return push(place, found, kFrame);
      case ScriptOp::frame_end:
        return pop(place, found, kFrame);
      case ScriptOp::transaction_begin:
        return pass(place, found, Phase::before, Phase::transaction);
      case ScriptOp::transaction_end:
        return pass(place, found, Phase::transaction, Phase::after);
      case ScriptOp::think:
        if (found.phase == Phase::transaction || found.holds_latch())
          fail(place, "think outside of the transaction, while nothing is held");
        return;
      case ScriptOp::arrive:
      case ScriptOp::arrive_exponential:
        if (!group_.has_transaction || found.phase != Phase::before || found.holds_latch())
          fail(place,
               "the arrival of a request before the transaction of the clients, while nothing is held");
        return;
      case ScriptOp::wait:
        if (!found.holds_latch()) fail(place, "wait while a latch is held");
        return;
      default:
        return;
    }
  }

  void pass(uint32_t place, Found& found, Phase from, Phase to) {
    if (!group_.has_transaction || found.phase != from || !found.nesting.empty())
      return fail(place, "one transaction of the clients, while nothing is held or begun");
    found.phase = to;
  }

  const ScriptProgram& program_;
  const ScriptGroup& group_;
  std::map<uint32_t, Found> found_;
  std::set<uint32_t> to_visit_;
  Fault fault_;
};

}  // namespace

std::string_view name_of(ScriptOp op) {
  return shape_of(op).name;
}

std::string_view name_of(ScriptLatchKind kind) {
  return kKinds[static_cast<uint32_t>(kind)].name;
}

bool has_size(ScriptLatchKind kind) {
  return kKinds[static_cast<uint32_t>(kind)].has_size;
}

bool sleeps(ScriptOp op) {
  return op == ScriptOp::futex_wait || op == ScriptOp::wait;
}

std::string_view name_of(ScriptDeviceKind kind) {
  return kDeviceKinds[static_cast<uint32_t>(kind)];
}

std::string_view name_of(ScriptRuns runs) {
  return kRuns[static_cast<uint32_t>(runs)];
}

bool can_be_shared(const ScriptProgram& program, const ScriptKind& kind) {
  if (kind.kind == ScriptLatchKind::lab_latch) return program.kinds[kind.program].program->is_rw_latch();
  return kKinds[static_cast<uint32_t>(kind.kind)].can_be_shared;
}

std::vector<ScriptKind> kinds_of(const ScriptProgram& program, const ScriptLatch& latch) {
  if (!latch.knob) return {latch.kind};
  std::vector<ScriptKind> kinds;
  for (const ScriptVariant& variant : program.knobs[*latch.knob].variants)
    kinds.push_back(*variant.kind);
  return kinds;
}

std::vector<lab::WordDeclaration> words_for(const ScriptProgram& program,
                                            const std::vector<uint32_t>& variants) {
  std::vector<lab::WordDeclaration> words = program.words;
  for (const ScriptSharedLine& line : program.shared_lines) {
    if (variants[line.knob] != line.variant) continue;
    for (const uint32_t word : line.words)
      words[word].line = words[line.words[0]].line;
  }
  return words;
}

std::set<std::pair<uint32_t, uint32_t>> sites_of_sleep(const ScriptProgram& program) {
  std::set<std::pair<uint32_t, uint32_t>> sites;
  for (const ScriptInstruction& instruction : program.code) {
    if (sleeps(instruction.op)) sites.emplace(instruction.word(), instruction.site());
  }
  return sites;
}

std::set<uint32_t> words_slept_on(const ScriptProgram& program) {
  std::set<uint32_t> words;
  for (const auto& [word, site] : sites_of_sleep(program))
    words.insert(word);
  return words;
}

std::set<uint32_t> zipf_exponents(const ScriptProgram& program) {
  std::set<uint32_t> exponents;
  for (const ScriptInstruction& instruction : program.code) {
    if (instruction.op == ScriptOp::zipf)
      exponents.insert(static_cast<uint32_t>(program.constants[instruction.immediate]));
  }
  return exponents;
}

const ScriptGroup& clients_of(const ScriptProgram& program) {
  return *std::ranges::find_if(program.groups, &ScriptGroup::has_transaction);
}

std::optional<ScriptFault> find_fault(const ScriptProgram& program) {
  if (Fault fault = fault_of_counts(program)) return fault;
  if (Fault fault = fault_of_declarations(program)) return fault;
  if (Fault fault = fault_of_repeated_names(program)) return fault;
  if (Fault fault = fault_of_groups(program)) return fault;
  for (const ScriptGroup& group : program.groups) {
    for (uint32_t place = group.begin; place < group.end; ++place) {
      if (Fault fault = fault_of_instruction(program, group, place)) return fault;
    }
    if (Fault fault = Paths(program, group).fault()) return fault;
  }
  const size_t exponents = zipf_exponents(program).size();
  if (exponents <= kScriptZipfExponentsMax) return std::nullopt;
  return ScriptFault{"code", std::to_string(exponents) + " exponents of zipf",
                     "at most " + std::to_string(kScriptZipfExponentsMax)};
}

}  // namespace latchscope::workload
