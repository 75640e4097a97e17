#include "run/lab_check.h"

#include "run/lab_fields.h"

namespace latchscope::run {

namespace {

constexpr std::string_view kMemories[] = {"sc", "tso", "both"};
constexpr size_t kSc = 0, kTso = 1, kBoth = 2;
constexpr std::string_view kPhases[] = {"outside", "entering", "holding", "exiting"};
constexpr std::string_view kHow[] = {"every_schedule", "starvation", "at_random"};
constexpr std::string_view kWhat[] = {"access", "takes_effect", "choice", "leaves"};

Json configuration_json(const lab::Configuration& configuration) {
  return {{"memory", lab_memory_name(configuration.memory)},
          {"threads", configuration.threads},
          {"roles", configuration.roles_text()},
          {"rounds", configuration.rounds}};
}

Json thread_json(const lab::Program& program, const lab::TracedThread& thread) {
  Json json = {{"phase", lab_phase_name(thread.phase)}};
  if (thread.line > 0) json["line"] = thread.line;
  if (thread.is_shared) json["shared"] = true;
  if (thread.has_ended) json["ended"] = true;
  if (thread.goes_round) json["goes_round"] = true;
  if (thread.waits_for_its_stores) json["waits_for_its_stores"] = true;
  json["unseen_stores"] = Json::array();
  for (const lab::UnseenStore& store : thread.stores) {
    json["unseen_stores"].push_back(
        {{"word", program.words[store.word].name}, {"index", store.index}, {"value", store.value}});
  }
  return json;
}

Json moment_json(const lab::Program& program, const lab::TraceMoment& moment) {
  const auto threads = static_cast<uint32_t>(moment.threads.size());
  Json json = {{"words", Json::array()}, {"threads", Json::array()}, {"sleepers", Json::array()}};
  auto value = moment.elements.begin();
  for (const lab::WordDeclaration& word : program.words) {
    const auto end = value + word.elements_for(threads);
    json["words"].push_back({{"word", word.name}, {"values", Json(std::vector<uint32_t>(value, end))}});
    value = end;
  }
  for (const lab::TracedThread& thread : moment.threads)
    json["threads"].push_back(thread_json(program, thread));
  for (const lab::Sleeper& sleeper : moment.sleepers) {
    json["sleepers"].push_back(
        {{"thread", sleeper.thread}, {"word", program.words[sleeper.word].name}, {"index", sleeper.index}});
  }
  return json;
}

Json step_json(const lab::Program& program, const lab::TraceStep& step) {
  const lab::Happening& happening = step.happening;
  Json json = {{"thread", happening.thread + 1},
               {"what", kWhat[static_cast<uint32_t>(happening.what)]},
               {"function", lab::name_of(step.function)},
               {"line", step.line},
               {"operation", lab::name_of(step.op)}};
  if (step.has_word) {
    json["word"] = program.words[step.word].name;
    json["index"] = step.index;
    json["before"] = happening.before;
    json["after"] = happening.after;
  }
  if (happening.has_read) json["read"] = happening.before;
  if (happening.has_written) json["wrote"] = happening.after;
  if (happening.is_buffered) json["buffered"] = true;
  if (happening.has_result) json["result"] = happening.result;
  if (happening.fell_asleep) json["falls_asleep"] = true;
  json["afterwards"] = moment_json(program, step.afterwards);
  return json;
}

Json part_json(const lab::CheckedPart& part) {
  Json json = {{"how", kHow[static_cast<uint32_t>(part.how)]}, {"sentence", part.sentence()}};
  if (part.runs_client) json["client"] = true;
  if (part.how == lab::CheckedPart::How::at_random) {
    json["threads_min"] = part.threads_min;
    json["threads_max"] = part.configuration.threads;
    json["rounds"] = part.configuration.rounds;
    json["schedules"] = part.schedules;
    json["first_seed"] = 0;
    json["steps"] = part.moves;
    json["without_end"] = part.schedules_without_end;
    return json;
  }
  json.update(configuration_json(part.configuration));
  json["states"] = part.states;
  json["moves"] = part.moves;
  json["complete"] = part.is_complete;
  json["choices_left_out"] = part.left_out_choices;
  return json;
}

}  // namespace

CheckOptionsOrErrors read_check_options(const Json& json, CheckedSchedules schedules) {
  lab::CheckOptions options;
  if (!json.is_object()) return {options, {FieldError::of("check", json.dump(), "a JSON object")}};
  const bool is_one = schedules == CheckedSchedules::one;
  if (is_one) {
    options.threads = 2;
    options.rounds = 3;
  }
  LabFields fields(json);
  if (is_one) {
    fields.refuse_others_than({"threads", "rounds", "schedules", "states", "memory"});
  } else {
    fields.refuse_others_than({"threads", "rounds", "schedules", "states", "memory", "starvation"});
    fields.read_truth("starvation", options.with_starvation);
  }
  fields.read_number("threads", 1, lab::kCheckedThreadsMax, options.threads);
  fields.read_number("rounds", is_one ? lab::kForEver : 1, lab::kRoundsMax, options.rounds);
  fields.read_number("schedules", 0, lab::kCheckSchedulesMax, options.schedules);
  fields.read_number("states", 1, lab::kCheckStatesMax, options.states);
  const std::span<const std::string_view> memories{kMemories, is_one ? size_t{2} : size_t{3}};
  const size_t memory =
      fields.read_choice("memory", memories, is_one ? kSc : kBoth, is_one ? "sc or tso" : "sc, tso or both");
  options.with_sequential = memory != kTso;
  options.with_store_buffers = memory != kSc;
  return {options, fields.take_errors()};
}

std::string lab_element_name(const lab::Program& program, uint32_t word, uint32_t index, uint32_t threads) {
  const lab::WordDeclaration& declaration = program.words[word];
  if (declaration.elements_for(threads) == 1) return declaration.name;
  return declaration.name + "[" + std::to_string(index) + "]";
}

std::string_view lab_phase_name(lab::Phase phase) {
  return kPhases[static_cast<uint32_t>(phase)];
}

std::string_view lab_memory_name(lab::MemoryModel memory) {
  return memory == lab::MemoryModel::sequential ? "sc" : "tso";
}

Json lab_fault_json(const lab::Program& program, const lab::CheckFault& fault) {
  Json json = {{"kind", lab::name_of(fault.kind)}, {"sentence", fault.sentence}};
  json.update(configuration_json(fault.configuration));
  json["schedule"] = fault.schedule.text();
  if (fault.schedule.circle_begin != lab::kNoCircle)
    json["repeats_from_step"] = fault.schedule.circle_begin + 1;
  json["begin"] = moment_json(program, fault.begin);
  json["steps"] = Json::array();
  for (const lab::TraceStep& step : fault.steps)
    json["steps"].push_back(step_json(program, step));
  return json;
}

Json lab_check_json(const lab::Program& program, const lab::CheckResult& result) {
  const char* verdict = !result.refused.empty() ? "refused"
                        : result.fault          ? "fault_found"
                        : result.starvation     ? "can_starve"
                                                : "no_fault_found";
  Json json = {{"version", 1}, {"verdict", verdict}, {"sentence", result.sentence()}};
  if (result.fault) json["fault"] = lab_fault_json(program, *result.fault);
  if (result.starvation) json["starvation"] = lab_fault_json(program, *result.starvation);
  json["checked"] = Json::array();
  for (const lab::CheckedPart& part : result.parts)
    json["checked"].push_back(part_json(part));
  return json;
}

}  // namespace latchscope::run
