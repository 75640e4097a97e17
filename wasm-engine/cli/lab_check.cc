#include "cli/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "cli/spec_file.h"
#include "run/lab_check.h"

namespace latchscope::cli {

namespace {

constexpr uint32_t kAtOnce = 10'000;
// Approximate memory of one state of a search. If --states asks for more states than the default,
// they may use more memory.
constexpr uint64_t kBytesPerState = 160;

class LabCheck {
 public:
  LabCheck(const CliLabCheck& arguments, Printed& printed) : arguments_(arguments), printed_(printed) {}

  int run() {
    read_options();
    if (!errors_.empty()) return report(errors_);
    run::LabProgramOrErrors read = read_lab_program_file(arguments_.program);
    if (!read.program) return report(read.errors);
    ResultFile result_file(arguments_.json_path);
    if (const auto error = result_file.check()) return cannot_write(*error);
    return arguments_.has_replay ? replay(*read.program, result_file)
                                 : check(std::move(*read.program), result_file);
  }

 private:
  bool is_quiet() const { return arguments_.json_path == "-"; }
  void fail(const char* option, const std::string& value, std::string allowed) {
    errors_.push_back(FieldError::of(option, value, std::move(allowed)));
  }

  struct Given {
    const char* name;
    const std::string& text;
  };
  std::array<Given, 5> given() const {
    return {{{"threads", arguments_.threads},
             {"rounds", arguments_.rounds},
             {"schedules", arguments_.schedules},
             {"states", arguments_.states},
             {"memory", arguments_.memory}}};
  }

  // Passes the options in the page's form. Errors name the option as given on the command line.
  void read_options() {
    Json json = Json::object();
    for (const auto& [name, text] : given()) {
      if (text.empty()) continue;
      const auto number = integer_of(text);
      json[name] = number && *number >= 0 ? Json(static_cast<uint64_t>(*number)) : Json(text);
    }
    if (arguments_.without_starvation) json["starvation"] = false;
    run::CheckOptionsOrErrors read = run::read_check_options(
        json, arguments_.has_replay ? run::CheckedSchedules::one : run::CheckedSchedules::all);
    options_ = read.options;
    options_.bytes = std::max(options_.bytes, options_.states * kBytesPerState);
    for (FieldError& error : read.errors) {
      const auto options = given();
      const auto option = std::ranges::find(options, error.field, &Given::name);
      fail(("--" + error.field).c_str(), option->text, std::move(error.allowed));
    }
    read_roles();
    if (arguments_.requires_fair && arguments_.has_replay)
      fail("--require-fair", "with --replay", "not with --replay, which checks a schedule as given");
    if (arguments_.without_starvation && arguments_.has_replay)
      fail("--no-starvation", "with --replay", "not with --replay, which runs only that schedule");
    if (arguments_.requires_fair && !options_.includes_starvation())
      fail("--require-fair",
           arguments_.without_starvation ? "with --no-starvation" : searched_threads_and_memory(),
           "with 2 or 3 threads and --memory sc or both, as the search for starvation requires");
  }

  std::string searched_threads_and_memory() const {
    const std::string threads = arguments_.threads.empty() ? "" : " --threads " + arguments_.threads;
    const std::string memory = arguments_.memory.empty() ? "" : " --memory " + arguments_.memory;
    return "with" + threads + memory;
  }

  void read_roles() {
    const std::string& roles = arguments_.roles;
    if (roles.empty()) return;
    const bool fits = arguments_.has_replay && roles.size() == options_.threads &&
                      roles.find_first_not_of("XS") == std::string::npos;
    if (!fits) return fail("--roles", roles, "with --replay: X or S for each thread, such as XS");
    for (size_t thread = 0; thread < roles.size(); ++thread)
      roles_[thread] = roles[thread] == 'S' ? lab::Role::shared : lab::Role::exclusive;
  }

  int check(lab::Program program, ResultFile& result_file) {
    lab::Checker checker(std::move(program), options_);
    while (checker.go_on(kAtOnce)) {
    }
    const lab::CheckResult& result = checker.result();
    if (!result.refused.empty()) {
      fprintf(stderr, "latchscope: %s\n", result.refused.c_str());
      return kBadUsage;
    }
    if (!is_quiet()) {
      printf("%s\n", result.sentence().c_str());
      if (result.fault) print_trace(checker.program(), *result.fault);
      if (!result.fault && result.starvation) print_trace(checker.program(), *result.starvation);
      printf("\nChecked:\n");
      for (const lab::CheckedPart& part : result.parts)
        printf("    %s\n", part.sentence().c_str());
    }
    const int written = deliver(result_file, printed_, run::lab_check_json(checker.program(), result).dump());
    const bool is_wrong = result.fault || (result.starvation && arguments_.requires_fair);
    return written == kOk && is_wrong ? kInvariantBroken : written;
  }

  int replay(const lab::Program& program, ResultFile& result_file) {
    lab::Configuration configuration;
    configuration.memory =
        options_.with_sequential ? lab::MemoryModel::sequential : lab::MemoryModel::store_buffers;
    configuration.threads = options_.threads;
    configuration.rounds = options_.rounds;
    configuration.roles = roles_;
    const lab::Replayed replayed = lab::replay_schedule(program, configuration, arguments_.replay);
    if (!replayed.trace) return report({FieldError::of("--replay", arguments_.replay, replayed.refused)});
    const bool is_wrong = replayed.trace->kind != lab::FaultKind::none;
    if (!is_quiet()) {
      printf("%s\n", is_wrong ? replayed.trace->sentence.c_str() : "No fault under this schedule.");
      print_trace(program, *replayed.trace);
    }
    const int written = deliver(result_file, printed_, run::lab_fault_json(program, *replayed.trace).dump());
    return written == kOk && is_wrong ? kInvariantBroken : written;
  }

  // --- the trace ---------------------------------------------------------------------------------

  static void print_trace(const lab::Program& program, const lab::CheckFault& fault) {
    const lab::Configuration& configuration = fault.configuration;
    printf("\nReplay it: --memory %s --threads %u --rounds %u --roles %s --replay \"%s\"\n",
           std::string(run::lab_memory_name(configuration.memory)).c_str(), configuration.threads,
           configuration.rounds, configuration.roles_text().c_str(), fault.schedule.text().c_str());
    if (fault.steps.empty()) return;
    printf("\n%5s  %6s  %5s  %-44s %s\n", "step", "thread", "line", "what", "afterwards");
    for (size_t i = 0; i < fault.steps.size(); ++i) {
      if (i == fault.schedule.circle_begin) printf("       repeats from here:\n");
      print_step(program, fault.steps[i], i + 1, configuration.threads);
    }
  }

  static void print_step(const lab::Program& program, const lab::TraceStep& step, size_t number,
                         uint32_t threads) {
    std::string phases;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      std::string phase(run::lab_phase_name(step.afterwards.threads[thread].phase));
      for (const lab::Sleeper& sleeper : step.afterwards.sleepers)
        if (sleeper.thread == thread + 1) phase = "asleep";
      phases += (thread == 0 ? "" : ", ") + phase;
    }
    printf("%5zu  %6u  %5u  %-44s %s\n", number, step.happening.thread + 1, step.line,
           what(program, step, threads).c_str(), phases.c_str());
  }

  // Prints large values in hexadecimal, so that a word that packs several fields shows its bits.
  static std::string value_text(uint32_t value) {
    if (value < 1u << 16) return std::to_string(value);
    char text[16];
    snprintf(text, sizeof text, "0x%x", value);
    return text;
  }

  static std::string what(const lab::Program& program, const lab::TraceStep& step, uint32_t threads) {
    using What = lab::Happening::What;
    const lab::Happening& it = step.happening;
    if (it.what == What::choice) return "random returns " + std::to_string(it.result);
    if (it.what == What::leaves) return "exit returns without accessing a word";
    if (!step.has_word) return std::string(lab::name_of(step.op));
    std::string text =
        it.what == What::takes_effect ? "its store takes effect: " : std::string(lab::name_of(step.op)) + " ";
    text += run::lab_element_name(program, step.word, step.index, threads);
    if (it.fell_asleep) return text + ": falls asleep";
    if (step.op == lab::Op::futex_wake) return text + ": wakes " + std::to_string(it.result);
    if (it.is_buffered) return text + " = " + value_text(it.after) + ", not yet visible";
    text += ": " + value_text(it.before);
    if (it.before != it.after) text += " becomes " + value_text(it.after);
    return text;
  }

  const CliLabCheck& arguments_;
  Printed& printed_;
  std::vector<FieldError> errors_;
  lab::CheckOptions options_;
  std::array<lab::Role, lab::kCheckedThreadsMax> roles_{};
};

}  // namespace

void add_lab_check_options(CLI::App& command, CliLabCheck& check) {
  command.add_option("latch", check.program, "The compiled latch (JSON): a file, or - for standard input")
      ->required();
  command.add_option("--threads", check.threads, "Number of threads; default 2 to 6");
  command.add_option("--rounds", check.rounds, "Entries per thread; with --replay, 0 means forever");
  command.add_option("--schedules", check.schedules, "Number of random schedules; default 20000");
  command.add_option("--states", check.states, "Maximum number of states per part; default 2000000");
  command.add_option("--memory", check.memory, "sc, tso (store buffers, as on x86) or both; default both");
  command.add_flag("--no-starvation", check.without_starvation, "Do not search for starvation");
  command.add_flag("--require-fair", check.requires_fair, "Exit code 1 also if a thread can starve");
  command.add_option_function<std::string>(
      "--replay",
      [&check](const std::string& text) {
        check.replay = text;
        check.has_replay = true;
      },
      "Run only this schedule, such as \"1x4 2 2b 1x3\"");
  command.add_option("--roles", check.roles, "With --replay: X or S for each thread; default all X");
  command.add_option("--json", check.json_path, "Write the result to a file, or - for standard output");
}

int lab_check(const CliLabCheck& arguments, Printed& printed) {
  return LabCheck(arguments, printed).run();
}

}  // namespace latchscope::cli
