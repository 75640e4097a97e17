#include <algorithm>
#include <utility>

#include "workload/script_body.h"
#include "workload/script_scenario.h"

namespace latchscope::workload {

namespace {

std::vector<uint64_t> parameter_values(const WorkloadConfig& config) {
  const auto& parameters = config.script->program().parameters;
  std::vector<uint64_t> values;
  values.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i)
    values.push_back(static_cast<uint64_t>(config.parameters[i]) * parameters[i].scale);
  return values;
}

constexpr uint32_t kArrivals = 0xffff'ffff;  // beyond all groups

// A network is as fast as its latency, whatever the size and the number of requests.
platform::DeviceProfile profile_of(const ScriptDevice& device) {
  switch (device.kind) {
    case ScriptDeviceKind::nvme:
      return platform::kNvmeDevice;
    case ScriptDeviceKind::ssd:
      return platform::kSataSsdDevice;
    case ScriptDeviceKind::hdd:
      return platform::kHddDevice;
    case ScriptDeviceKind::network:
      break;
  }
  return {device.name.c_str(), static_cast<uint32_t>(device.latency_ps / platform::kPsPerNs), 0,
          kScriptThreadsMax + kScriptServerThreadsMax};
}

}  // namespace

ScriptWorld::ScriptWorld(const WorkloadConfig& config, uint32_t threads)
    : program_(config.script->program()),
      clients_(config.clients),
      seed_(config.seed),
      environment_(threads),
      event_sites_(program_.words.size() * program_.names.size()),
      events_(program_.words.size()),
      places_(std::make_unique<platform::Published<uint32_t>[]>(threads)),
      cut_in_(std::make_unique<platform::Published<uint32_t>[]>(threads)),
      acquisitions_(threads, std::vector<uint64_t>(program_.holds.size())),
      arrivals_(random_of(config.seed, kArrivals, 0, 0)) {
  conditions_.parameters = parameter_values(config);
  conditions_.variants.assign(program_.knobs.size(), 0);
  conditions_.knob_values.assign(program_.knobs.size(), 0);
  latches_.resize(program_.latches.size());
  for (const ScriptHold& hold : program_.holds)
    sites_.emplace_back(program_.latches[hold.latch].name.c_str(), program_.names[hold.site].c_str());
  for (const std::string& name : program_.names)
    parts_.emplace_back(name.c_str());
  for (const ScriptGroup& group : program_.groups)
    groups_.emplace_back(group.name.c_str());
  for (const auto& [word, site] : sites_of_sleep(program_)) {
    event_sites_[place_of(word, site)].emplace(program_.words[word].name.c_str(),
                                               program_.names[site].c_str());
  }
  for (const uint32_t word : words_slept_on(program_)) {
    for (uint32_t element = 0; element < program_.words[word].elements_for(threads); ++element)
      events_[word].push_back(telemetry::next_latch_number());
  }
  for (const uint32_t exponent : zipf_exponents(program_))
    conditions_.zipf.emplace_back(exponent, kScriptZipfMax);
  for (const ScriptDevice& device : program_.devices)
    devices_.emplace_back(profile_of(device));
  for (const auto& [name, program] : program_.kinds) {
    kinds_.push_back(std::make_unique<lab::LatchPlace>(
        lab::YourLatchSpec{program, threads, config.latch_patience_ns}, name));
    kinds_.back()->put_in_force(true);
  }
}

void ScriptWorld::use(const std::vector<uint32_t>& design) {
  for (uint32_t knob = 0; knob < design.size(); ++knob)
    take_variant(knob, design[knob]);
  build_words();
  for (uint32_t name = 0; name < latches_.size(); ++name)
    build(name);
}

void ScriptWorld::set_knob(uint32_t knob, uint32_t variant) {
  take_variant(knob, variant);
  for (uint32_t name = 0; name < latches_.size(); ++name) {
    if (program_.latches[name].knob == knob) build(name);
  }
  const auto& lines = program_.shared_lines;
  if (std::ranges::find(lines, knob, &ScriptSharedLine::knob) != lines.end()) build_words();
}

// Words keep their values when they move to other lines.
void ScriptWorld::build_words() {
  auto placed = std::make_unique<Words>(words_for(program_, conditions_.variants), threads());
  for (uint32_t word = 0; words_ && word < program_.words.size(); ++word) {
    for (uint32_t element = 0; element < placed->words.elements_of(word); ++element)
      placed->words.at(word, element).store(words_->words.at(word, element).load());
  }
  words_ = std::move(placed);
}

void ScriptWorld::wake_sleepers() {
  for (uint32_t word = 0; word < events_.size(); ++word) {
    for (uint32_t element = 0; element < events_[word].size(); ++element)
      platform::futex_wake(words_->words.at(word, element), platform::kWakeAll);
  }
}

uint64_t ScriptWorld::take_arrival(uint64_t interval_ps, bool is_exponential) {
  uint32_t free = 0;
  while (!arrivals_are_locked_.compare_exchange(free, 1)) {
    platform::yield();
    free = 0;
  }
  const uint64_t interval = is_exponential ? draw_exponential(arrivals_, interval_ps) : interval_ps;
  last_arrival_ps_ = script::add_wide(last_arrival_ps_.value_or(arrivals_ps()), interval);
  const uint64_t arrival_ps = *last_arrival_ps_;
  arrivals_are_locked_.set_release(0);
  return arrival_ps;
}

void ScriptWorld::watch_latches() {
  for (const auto& kind : kinds_) {
    if (kind->look() && stopped_latch_.empty())
      stopped_latch_ = "the latch " + kind->knob() + " was stopped: " + kind->why_stopped();
  }
}

void ScriptWorld::take_variant(uint32_t knob, uint32_t variant) {
  conditions_.variants[knob] = variant;
  conditions_.knob_values[knob] = program_.knobs[knob].variants[variant].value;
}

ScriptKind ScriptWorld::kind_of(uint32_t name) const {
  const ScriptLatch& latch = program_.latches[name];
  if (!latch.knob) return latch.kind;
  return *program_.knobs[*latch.knob].variants[conditions_.variants[*latch.knob]].kind;
}

void ScriptWorld::build(uint32_t name) {
  auto& latches = latches_[name];
  latches.clear();
  latches.reserve(program_.latches[name].elements);
  const ScriptKind kind = kind_of(name);
  lab::LatchPlace* place = kind.kind == ScriptLatchKind::lab_latch ? kinds_[kind.program].get() : nullptr;
  for (uint32_t i = 0; i < program_.latches[name].elements; ++i)
    latches.push_back(make_latch(kind, environment_, place));
}

int32_t ScriptWorld::hold_of_site(uint32_t site) const {
  const auto found = std::ranges::find(sites_, site, &telemetry::LatchSite::id);
  return found == sites_.end() ? -1 : static_cast<int32_t>(found - sites_.begin());
}

std::string ScriptWorld::first_held() const {
  for (size_t name = 0; name < latches_.size(); ++name) {
    if (!std::ranges::all_of(latches_[name], [](const auto& latch) { return latch->is_free(); }))
      return program_.latches[name].name;
  }
  return "";
}

std::string ScriptWorld::name_of(uint32_t thread) const {
  uint32_t number = thread;
  if (number <= clients_) return clients_of(program_).name + " " + std::to_string(number);
  number -= clients_;
  for (const ScriptGroup& group : program_.groups) {
    const uint32_t threads = group.server_threads();
    if (number <= threads) return group.name + (threads == 1 ? "" : " " + std::to_string(number));
    number -= threads;
  }
  return "thread " + std::to_string(thread);
}

void ScriptWorld::report(const ScriptTrouble& trouble) {
  uint32_t expected = kNone;
  if (!reported_.compare_exchange(expected, kIsBeingReported)) return;
  trouble_ = trouble;
  reported_.set_release(kIsKnown);
}

void ScriptWorld::report_slowest() {
  uint32_t slowest = 0;
  bool waits = true;
  for (uint32_t thread = 1; thread <= threads() && waits; ++thread) {
    const auto state =
        static_cast<telemetry::ThreadState>(telemetry::block().threads[thread - 1].state[0].read_acquire());
    if (state == telemetry::ThreadState::absent || state == telemetry::ThreadState::parked) continue;
    waits = telemetry::is_after_latch(state);
    if (slowest == 0 || !waits) slowest = thread;
  }
  if (slowest > 0) report({ScriptWrong::too_slow, slowest, line_of(slowest)});
}

std::string ScriptWorld::what_was_cut() const {
  uint32_t first = 0, count = 0;
  for (uint32_t thread = 1; thread <= threads(); ++thread) {
    if (cut_in_[thread - 1].read() == 0) continue;
    ++count;
    if (first == 0) first = thread;
  }
  if (count == 0) return "";
  const char* ended = count == 1 ? " transaction did not end with the run, and was cut; "
                                 : " transactions did not end with the run, and were cut; ";
  return std::to_string(count) + ended + where_was(first);
}

std::string ScriptWorld::where_was(uint32_t thread) const {
  const ScriptInstruction& at = program_.code[places_[thread - 1].read()];
  std::string was = "was";
  if (at.op == ScriptOp::enter) was = "waited for " + program_.latches[program_.holds[at.hold()].latch].name;
  if (sleeps(at.op)) was = "waited for " + program_.words[at.word()].name;
  return name_of(thread) + " " + was + " in line " + std::to_string(line_of(thread));
}

std::string ScriptWorld::trouble() const {
  if (reported_.read_acquire() != kIsKnown) return stopped_latch_;
  return "line " + std::to_string(trouble_.source_line) + ": " + name_of(trouble_.thread) + " " +
         describe(trouble_.wrong);
}

}  // namespace latchscope::workload
