#include "lab/contest.h"

#include <algorithm>
#include <numeric>

#include "lab/patience.h"
#include "telemetry/telemetry.h"

namespace latchscope::lab {

namespace {

// Registered by the first contest, because it is no latch of the server, to which what-ifs could
// apply.
const telemetry::LatchSite& contest_site() {
  static const telemetry::LatchSite site("lab_latch", "lab_contest");
  return site;
}

constexpr uint64_t kLookNs = 20'000;
constexpr uint64_t kWarmUpNsMax = 1'000'000;

// Records everything at no cost to the server. Threads of the modelled server never run at the same
// time, so it needs no latch.
class Referee {
 public:
  explicit Referee(uint32_t threads) : waits_(threads), of_thread_(threads, 0), holds_(threads) {}

  void begin() {
    is_counting_ = true;
    began_ps_ = platform::now_ps();
    totals_before_ = platform::model_totals();
    std::ranges::fill(of_thread_, 0);
  }
  // A thread that still waits counts with its wait so far.
  void end() {
    is_counting_ = false;
    ended_ps_ = platform::now_ps();
    totals_after_ = platform::model_totals();
    for (const Wait& wait : waits_) {
      if (wait.is_under_way()) note_longest(wait);
    }
  }

  void wants(uint32_t thread) { waits_[thread] = {++arrivals_, platform::now_ps(), entries_}; }
  void gets(uint32_t thread, bool is_shared) {
    holds_[thread] = {platform::now_ps(), kStillInside, is_shared};
    look_for_others(thread);
    if (is_counting_) count(thread, is_shared);
    waits_[thread] = {};
    ++entries_;
  }
  void gives_back(uint32_t thread) {
    holds_[thread].until_ps = platform::now_ps();
    look_for_others(thread);
    released_ps_ = somebody_waits() ? platform::now_ps() : 0;
  }
  void gives_up(uint32_t thread) { waits_[thread] = {}; }

  uint64_t entries() const { return entries_; }
  bool somebody_waits() const {
    return std::ranges::any_of(waits_, [](const Wait& wait) { return wait.is_under_way(); });
  }
  bool has_each_been_in() const {
    return std::ranges::all_of(of_thread_, [](uint64_t times) { return times > 0; });
  }
  void note_entry_before_count(uint32_t thread) {
    if (!is_counting_) ++of_thread_[thread];
  }

  void report(ContestResult& result) {
    result.duration_ps = ended_ps_ - began_ps_;
    result.acquisitions = waits_ps_.size();
    result.shared_acquisitions = shared_entries_;
    result.of_thread = of_thread_;
    result.hand_overs = hand_overs_;
    result.hand_over_ps = hand_over_ps_;
    result.in_order = in_order_;
    result.overtaken_max = overtaken_max_;
    result.line_transfers = totals_after_.line_transfers - totals_before_.line_transfers;
    result.futex_waits = totals_after_.futex_waits - totals_before_.futex_waits;
    result.context_switches = totals_after_.context_switches - totals_before_.context_switches;
    result.events = totals_after_.events - totals_before_.events;
    result.broken = broken_;
    std::ranges::sort(waits_ps_);
    result.wait_median_ps = at_quantile(50);
    result.wait_p99_ps = at_quantile(99);
    result.wait_max_ps = wait_max_ps_;
  }

 private:
  // A wait, which starts at the call of enter.
  struct Wait {
    uint64_t arrival = 0;  // its rank among all arrivals; 0: the thread does not wait
    uint64_t since_ps = 0;
    uint64_t entries_before = 0;
    bool is_under_way() const { return arrival != 0; }
  };

  // A thread's last hold of the latch.
  struct Hold {
    uint64_t from_ps = 0;
    uint64_t until_ps = 0;
    bool is_shared = true;
    bool overlaps(const Hold& other) const {
      return !(is_shared && other.is_shared) && from_ps < other.until_ps && other.from_ps < until_ps;
    }
  };
  static constexpr uint64_t kStillInside = ~uint64_t{0};

  bool is_first_in_line(uint32_t thread) const {
    return std::ranges::all_of(waits_, [&](const Wait& wait) {
      return !wait.is_under_way() || wait.arrival >= waits_[thread].arrival;
    });
  }
  // The host runs threads slightly ahead of each other, so holds are compared by virtual time.
  void look_for_others(uint32_t thread) {
    const Hold& own = holds_[thread];
    for (uint32_t other = 0; other < holds_.size() && !broken_; ++other) {
      if (other != thread && own.overlaps(holds_[other]))
        broken_ = BrokenExclusion{thread + 1, other + 1, platform::now_ns()};
    }
  }
  void count(uint32_t thread, bool is_shared) {
    ++of_thread_[thread];
    shared_entries_ += is_shared ? 1 : 0;
    waits_ps_.push_back(platform::now_ps() - waits_[thread].since_ps);
    in_order_ += is_first_in_line(thread) ? 1 : 0;
    note_longest(waits_[thread]);
    // With a latch that admits several threads, one may get in before another starts its exit.
    if (released_ps_ != 0 && released_ps_ <= platform::now_ps()) {
      ++hand_overs_;
      hand_over_ps_ += platform::now_ps() - released_ps_;
    }
    released_ps_ = 0;
  }
  void note_longest(const Wait& wait) {
    // A waiter's clock may be slightly ahead of the observer's.
    const uint64_t now_ps = std::max(platform::now_ps(), wait.since_ps);
    wait_max_ps_ = std::max(wait_max_ps_, now_ps - wait.since_ps);
    overtaken_max_ = std::max(overtaken_max_, entries_ - wait.entries_before);
  }
  // Returns the wait that `percent` percent of the waits do not exceed.
  uint64_t at_quantile(size_t percent) const {
    if (waits_ps_.empty()) return 0;
    return waits_ps_[(waits_ps_.size() * percent + 99) / 100 - 1];
  }

  bool is_counting_ = false;
  uint64_t began_ps_ = 0, ended_ps_ = 0, released_ps_ = 0;
  platform::ModelTotals totals_before_, totals_after_;
  std::vector<Wait> waits_;  // by thread
  std::vector<uint64_t> of_thread_;
  std::vector<uint64_t> waits_ps_;
  uint64_t arrivals_ = 0, entries_ = 0, shared_entries_ = 0, in_order_ = 0, overtaken_max_ = 0,
           wait_max_ps_ = 0;
  uint64_t hand_overs_ = 0, hand_over_ps_ = 0;
  std::vector<Hold> holds_;  // by thread
  std::optional<BrokenExclusion> broken_;
};

class Contest {
 public:
  Contest(const Program& program, const ContestSpec& spec)
      : spec_(spec), latch_(program, spec.threads), referee_(spec.threads), costs_(program.code.size()) {
    latch_.note_costs(costs_);
  }

  ContestResult hold() {
    std::vector<platform::Thread> threads;
    threads.reserve(spec_.threads);
    for (uint32_t thread = 0; thread < spec_.threads; ++thread)
      threads.emplace_back([this, thread] { compete(thread); });
    watch();
    for (platform::Thread& thread : threads)
      thread.join();
    ContestResult result;
    result.threads = spec_.threads;
    referee_.report(result);
    result.costs = std::move(costs_of_duration_);
    result.problem = latch_.problem();
    result.hangs = hangs_;
    result.ended_early = ended_early_;
    return result;
  }

 private:
  void compete(uint32_t thread) {
    telemetry::ThreadScope scope({thread, 0, thread, spec_.seed});
    while (!is_over_ && acquire_once(thread)) {
      referee_.note_entry_before_count(thread);
      platform::charge(platform::scale_to(telemetry::recorder().random().next(),
                                          static_cast<uint32_t>(2 * spec_.think_ns)));
    }
    referee_.gives_up(thread);
    ++left_;
  }

  // Returns false if the latch failed.
  bool acquire_once(uint32_t thread) {
    const bool is_shared =
        spec_.shared_percent > platform::scale_to(telemetry::recorder().random().next(), 99);
    referee_.wants(thread);
    const uint32_t number = thread + 1;
    if (!(is_shared ? latch_.enter_shared(site_, number) : latch_.enter(site_, number))) return false;
    referee_.gets(thread, is_shared);
    platform::charge(spec_.hold_ns);
    referee_.gives_back(thread);
    return is_shared ? latch_.exit_shared(number) : latch_.exit(number);
  }

  void watch() {
    const uint64_t warm_up_ends_ns = platform::now_ns() + kWarmUpNsMax;
    while (!referee_.has_each_been_in() && platform::now_ns() < warm_up_ends_ns && !must_stop())
      platform::sleep_ns(kLookNs);
    std::ranges::fill(costs_, InstructionCost{});
    referee_.begin();
    const uint64_t ends_ns = platform::now_ns() + spec_.duration_ns;
    while (platform::now_ns() < ends_ns && !must_stop())
      platform::sleep_ns(std::min(kLookNs, ends_ns - platform::now_ns()));
    referee_.end();
    costs_of_duration_ = costs_;
    is_over_ = true;
    while (left_ < spec_.threads && !must_stop())
      platform::sleep_ns(kLookNs);
    while (left_ < spec_.threads) {
      latch_.give_up();
      platform::sleep_ns(kLookNs);
    }
  }

  bool must_stop() {
    if (latch_.problem().wrong != Wrong::nothing) return true;
    if (platform::model_totals().events > spec_.events_max) ended_early_ = true;
    look_whether_it_hangs();
    return hangs_ || ended_early_;
  }

  void look_whether_it_hangs() {
    const uint64_t now_ns = platform::now_ns();
    if (referee_.entries() != entries_seen_ || !referee_.somebody_waits()) {
      entries_seen_ = referee_.entries();
      entries_seen_ns_ = now_ns;
    }
    hangs_ = hangs_ || now_ns - entries_seen_ns_ > patience_ns(spec_.server, spec_.threads);
  }

  const ContestSpec& spec_;
  const telemetry::LatchSite& site_ = contest_site();
  LabLatch latch_;
  Referee referee_;
  std::vector<InstructionCost> costs_, costs_of_duration_;
  bool is_over_ = false, hangs_ = false, ended_early_ = false;
  uint32_t left_ = 0;
  uint64_t entries_seen_ = 0, entries_seen_ns_ = 0;
};

}  // namespace

double ContestResult::fairness() const {
  double sum = 0, squares = 0;
  for (const uint64_t times : of_thread) {
    sum += static_cast<double>(times);
    squares += static_cast<double>(times) * static_cast<double>(times);
  }
  return squares == 0 ? 0 : sum * sum / (squares * static_cast<double>(of_thread.size()));
}

ContestResult hold_contest(const Program& program, const ContestSpec& spec) {
  platform::begin_run(spec.server);
  return Contest(program, spec).hold();
}

}  // namespace latchscope::lab
