#include "lab/checker.h"

#include <algorithm>
#include <utility>

#include "lab/check_starvation.h"

namespace latchscope::lab {

namespace {

constexpr uint32_t kSearchedThreadsMax = 3;

std::string why_too_large(const CheckedProgram& program, uint32_t threads) {
  const uint64_t elements = program.elements_for(threads);
  if (elements <= kCheckedElementsMax) return "";
  return "The words have " + std::to_string(elements) + " elements for " + std::to_string(threads) +
         " threads; at most " + std::to_string(kCheckedElementsMax) + " can be checked.";
}

std::string plural(uint64_t number, const char* thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string memory_text(MemoryModel memory) {
  return memory == MemoryModel::sequential ? "without store buffers" : "with store buffers, as on x86";
}

}  // namespace

// --- sentences -----------------------------------------------------------------------------------

std::string CheckedPart::sentence() const {
  const bool has_roles = configuration.roles_text().find('S') != std::string::npos;
  std::string who = plural(configuration.threads, "thread");
  if (how == How::at_random && threads_min != configuration.threads)
    who = std::to_string(threads_min) + " to " + who;
  if (has_roles && how != How::at_random) who += " (" + configuration.roles_text() + ")";
  std::string rounds = runs_client              ? " that run client()"
                       : how == How::starvation ? " that enter and exit forever"
                                                : ", " + plural(configuration.rounds, "round");
  std::string text;
  if (how == How::at_random) {
    text = plural(schedules, "random schedule") + " of " + who + rounds + " (" + plural(moves, "step") + ")";
    if (schedules_without_end > 0)
      text += "; " + std::to_string(schedules_without_end) + " of them had not ended after " +
              std::to_string(kRandomStepsMax) + " steps: undecided";
    return text + ".";
  }
  text = (how == How::starvation ? "Starvation, "
          : is_complete          ? "Every schedule of "
                                 : "Not every schedule of ") +
         who + rounds + ", " + memory_text(configuration.memory) + " (" + plural(states, "state") + ")";
  if (can_starve) {
    text += "; a thread can starve";
  } else if (over_limit != Limit::none) {
    text += over_limit == Limit::memory ? "; stopped at the memory limit" : "; stopped at the state limit";
    if (how == How::starvation) text += ": undecided";
  } else if (!is_complete) {
    text += "; stopped at the fault";
  }
  if (left_out_choices) text += "; random(n) with n above 4 returned only 0, n/2 and n-1";
  return text + ".";
}

std::string CheckResult::sentence() const {
  if (!refused.empty()) return refused;
  if (fault) return fault->sentence;
  if (starvation) return "A thread can starve. No other fault was found. " + starvation->sentence;
  const bool all_decided = std::ranges::all_of(parts, [](const CheckedPart& part) {
    return part.how == CheckedPart::How::at_random ? part.schedules_without_end == 0
                                                   : part.is_complete && !part.left_out_choices;
  });
  if (all_decided) return "No fault found. Every part of the check is complete.";
  return "No fault found, but not every part of the check is complete.";
}

// --- the plan ------------------------------------------------------------------------------------

Checker::Checker(Program program, const CheckOptions& options)
    : program_(std::move(program)), options_(options) {
  const uint32_t most = program_.threads_max();
  if (options.threads > most) {
    result_.refused = "The latch supports at most " + plural(most, "thread") + ", not " +
                      std::to_string(options.threads) + ".";
    return;
  }
  plan(options);
  for (const CheckedPart& part : plan_) {
    if (result_.refused.empty()) result_.refused = why_too_large(program_, part.configuration.threads);
  }
}

Checker::~Checker() = default;

// Plans the role combinations. 2 threads: XX, XS. 3 threads: XXX, XXS, XSS.
void Checker::plan_searches(MemoryModel memory, uint32_t threads, uint32_t rounds, CheckedPart::How how) {
  if (threads > program_.threads_max() || (options_.threads != 0 && options_.threads != threads)) return;
  CheckedPart part;
  part.how = how;
  part.configuration.memory = memory;
  part.configuration.threads = threads;
  part.configuration.rounds = how == CheckedPart::How::starvation ? kForEver
                              : options_.rounds != 0              ? options_.rounds
                                                                  : rounds;
  part.runs_client = part.configuration.runs_client(program_.program());
  const bool has_roles = program_.program().is_rw_latch() && !part.runs_client;
  for (uint32_t shared = 0; shared < (has_roles ? std::max(threads, 2u) : 1); ++shared) {
    for (uint32_t thread = 0; thread < threads; ++thread)
      part.configuration.roles[thread] = thread + shared >= threads ? Role::shared : Role::exclusive;
    plan_.push_back(part);
  }
}

bool CheckOptions::includes_starvation() const {
  const bool has_threads = threads == 0 || (threads > 1 && threads <= kSearchedThreadsMax);
  return with_starvation && with_sequential && has_threads;
}

void Checker::plan(const CheckOptions& options) {
  using How = CheckedPart::How;
  const bool all = options.threads == 0;
  const std::vector<uint32_t> numbers =
      all ? std::vector<uint32_t>{2, kSearchedThreadsMax} : std::vector{options.threads};
  const bool is_for_one = program_.threads_max() == 1;
  for (const MemoryModel memory : {MemoryModel::sequential, MemoryModel::store_buffers}) {
    const bool is_sequential = memory == MemoryModel::sequential;
    if (!(is_sequential ? options.with_sequential : options.with_store_buffers)) continue;
    if (is_for_one && all) plan_searches(memory, 1, 3, How::every_schedule);
    for (const uint32_t threads : numbers)
      plan_searches(memory, threads, (is_sequential ? 3 : 2) - (threads > 2 ? 1 : 0), How::every_schedule);
    if (is_sequential && all) plan_searches(memory, kSearchedThreadsMax + 1, 1, How::every_schedule);
  }
  if (options.includes_starvation()) {
    for (const uint32_t threads : numbers)
      plan_searches(MemoryModel::sequential, threads, kForEver, How::starvation);
  }
  if (options.schedules == 0) return;
  CheckedPart random;
  random.how = How::at_random;
  random.configuration.threads = all ? program_.threads_max() : options.threads;
  random.threads_min = std::min(random.configuration.threads, all ? 3u : options.threads);
  random.configuration.rounds = options.rounds != 0 ? options.rounds : 3;
  random.runs_client = random.configuration.runs_client(program_.program());
  plan_.push_back(random);
}

// --- running the plan ----------------------------------------------------------------------------

void Checker::begin_part() {
  const CheckedPart& part = plan_[current_];
  result_.parts.push_back(part);
  if (part.how == CheckedPart::How::at_random) {
    random_ = std::make_unique<RandomSchedules>(
        program_, RandomLimits{part.threads_min, part.configuration.threads, part.configuration.rounds,
                               options_.with_sequential, options_.with_store_buffers});
    return;
  }
  machine_ = std::make_unique<CheckedMachine>(program_, part.configuration);
  found_reduced_.reset();
  const bool has_buffers = part.configuration.memory == MemoryModel::store_buffers;
  begin_search(has_buffers ? Reduction::unseen_first : Reduction::none);
}

void Checker::begin_search(Reduction reduction) {
  is_reduced_ = reduction != Reduction::none;
  search_ = search_of(*machine_, plan_[current_].how == CheckedPart::How::starvation, reduction);
}

std::unique_ptr<Search> Checker::search_of(const CheckedMachine& machine, bool keeps_states,
                                           Reduction reduction) const {
  SearchLimits limits;
  limits.states = keeps_states ? std::min(options_.states, kStarvationStatesMax) : options_.states;
  limits.bytes = options_.bytes;
  return std::make_unique<Search>(machine, limits, keeps_states, reduction);
}

bool Checker::go_on(uint32_t amount) {
  if (!result_.refused.empty() || result_.fault || current_ == plan_.size()) return false;
  if (!search_ && !random_) begin_part();
  const bool has_more = search_ ? go_on_searching(amount) : go_on_at_random(amount);
  if (has_more) return true;
  search_.reset();
  random_.reset();
  ++current_;
  return !result_.fault && current_ < plan_.size();
}

bool Checker::go_on_searching(uint32_t amount) {
  CheckedPart& part = result_.parts.back();
  const bool has_more = search_->go_on(amount);
  part.states = search_->states();
  part.moves = search_->moves();
  part.is_complete = search_->is_complete();
  part.over_limit = search_->over_limit();
  part.left_out_choices = search_->has_left_out_choices();
  return has_more || end_search();
}

std::optional<Search::Found> Checker::what_is_wrong(const Search& search) {
  if (search.found()) return search.found();
  if (auto way = search.find_trap()) return Search::Found{FaultKind::no_end, std::move(*way)};
  return std::nullopt;
}

// Returns true if there is more to search.
bool Checker::end_search() {
  const CheckedPart part = result_.parts.back();
  const bool is_starvation = part.how == CheckedPart::How::starvation;
  auto wrong = is_starvation ? search_->found() : what_is_wrong(*search_);
  if (wrong && is_reduced_) {  // search again, for a shortest path
    found_reduced_ = std::move(wrong);
    begin_search(Reduction::none);
    return true;
  }
  if (!wrong) wrong = std::move(found_reduced_);  // the full search exceeded its limit
  if (wrong) {
    if (!found_with_fewer_rounds()) found(*machine_, std::move(*wrong));
    return false;
  }
  if (is_starvation) {
    look_for_starvation();
    return false;
  }
  const bool can_be_less =
      !part.is_complete && !part.runs_client && options_.rounds == 0 && part.configuration.rounds > 1;
  if (!can_be_less) return false;
  CheckedPart less = plan_[current_];
  less.configuration.rounds = 1;
  plan_.insert(plan_.begin() + static_cast<std::ptrdiff_t>(current_) + 1, less);
  return false;
}

// A fault that shows only once all threads have ended takes more moves the more rounds there are.
// So fewer rounds come first.
bool Checker::found_with_fewer_rounds() {
  const CheckedPart& part = plan_[current_];
  if (part.runs_client || options_.rounds != 0 || part.configuration.rounds == kForEver) return false;
  for (uint32_t rounds = 1; rounds < part.configuration.rounds; ++rounds) {
    Configuration fewer = part.configuration;
    fewer.rounds = rounds;
    const CheckedMachine machine(program_, fewer);
    const auto search = search_of(machine, false, Reduction::none);
    search->go_on(options_.states);
    if (auto wrong = what_is_wrong(*search)) {
      found(machine, std::move(*wrong));
      return true;
    }
  }
  return false;
}

// One cycle is enough: the parts that would look for another are dropped.
void Checker::look_for_starvation() {
  auto starvation = find_starvation(*machine_, *search_);
  if (!starvation) return;
  CheckSchedule schedule{std::move(starvation->way), 0};
  schedule.circle_begin = static_cast<uint32_t>(schedule.moves.size());
  schedule.moves.insert(schedule.moves.end(), starvation->circle.begin(), starvation->circle.end());
  result_.starvation = follow(*machine_, schedule);
  result_.parts.back().can_starve = true;
  const auto next = plan_.begin() + static_cast<std::ptrdiff_t>(current_) + 1;
  const auto looks_for_another = [](const CheckedPart& part) {
    return part.how == CheckedPart::How::starvation;
  };
  plan_.erase(std::remove_if(next, plan_.end(), looks_for_another), plan_.end());
}

bool Checker::go_on_at_random(uint32_t amount) {
  CheckedPart& part = result_.parts.back();
  for (uint32_t done = 0; done < amount && random_->schedules() < options_.schedules && !random_->found();
       ++done)
    random_->run(random_->schedules());
  part.schedules = random_->schedules();
  part.moves = random_->steps();
  part.schedules_without_end = random_->without_end();
  if (const auto& fault = random_->found()) {
    const CheckedMachine machine(program_, fault->configuration);
    result_.fault = follow(machine, shorten(machine, fault->schedule, fault->kind));
    return false;
  }
  part.is_complete = part.schedules == options_.schedules;
  return !part.is_complete;
}

void Checker::found(const CheckedMachine& machine, Search::Found wrong) {
  const CheckSchedule schedule{std::move(wrong.way), kNoCircle};
  result_.fault =
      follow(machine, wrong.kind == FaultKind::no_end ? with_endless_circle(machine, schedule)
                                                      : with_fewer_switches(machine, schedule, wrong.kind));
}

Replayed replay_schedule(const Program& program, const Configuration& configuration, std::string_view text) {
  const CheckedProgram checked(program);
  Replayed replayed;
  if (configuration.threads > checked.threads_max())
    replayed.refused = "The latch supports at most " + plural(checked.threads_max(), "thread") + ".";
  if (replayed.refused.empty()) replayed.refused = why_too_large(checked, configuration.threads);
  if (!replayed.refused.empty()) return replayed;
  const auto schedule = CheckSchedule::read(text);
  if (!schedule) {
    replayed.refused = "a schedule such as 1x4 2 2b 1x3";
    return replayed;
  }
  replayed.trace = follow(CheckedMachine(checked, configuration), *schedule);
  if (!replayed.trace) replayed.refused = "a schedule that fits the latch and the number of threads";
  return replayed;
}

}  // namespace latchscope::lab
