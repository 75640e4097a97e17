#include "explain/explain.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "run/engine.h"
#include "telemetry/telemetry.h"

namespace latchscope::explain {

using telemetry::Chronicle;
using telemetry::Span;
using telemetry::Transaction;

namespace {

constexpr const char* kChoices =
    "slowest, p99, oldest, nth:N or thread:CLIENT@SECONDS; slowest and p99 also with @FROM-TO, in seconds, "
    "FROM before TO";
constexpr double kPsPerSecond = 1e12;
constexpr double kRunSecondsMost = 3'600;

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Reads digits and at most one point, like from_chars in newer libraries.
std::optional<uint64_t> ps_of_seconds(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos &&
                        std::count(text.begin(), text.end(), '.') <= 1 && text != ".";
  if (!is_plain) return std::nullopt;
  const double seconds = std::strtod(text.c_str(), nullptr);
  if (seconds > kRunSecondsMost) return std::nullopt;
  return static_cast<uint64_t>(std::llround(seconds * kPsPerSecond));
}

// Reads "FROM-TO", in seconds.
std::optional<RunWindow> window_of(std::string_view text) {
  const size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto from_ps = ps_of_seconds(std::string(text.substr(0, dash)));
  const auto to_ps = ps_of_seconds(std::string(text.substr(dash + 1)));
  if (!from_ps || !to_ps || *from_ps >= *to_ps) return std::nullopt;
  return RunWindow{*from_ps, *to_ps};
}

bool is_slower(const Transaction& a, const Transaction& b) {
  return std::tuple(b.latency_ps(), a.began_ps, a.slot) < std::tuple(a.latency_ps(), b.began_ps, b.slot);
}

bool is_same(const Transaction& a, const Transaction& b) {
  return a.slot == b.slot && a.ordinal == b.ordinal;
}

bool is_earlier(const Transaction& a, const Transaction& b) {
  return std::tie(a.began_ps, a.slot) < std::tie(b.began_ps, b.slot);
}

run::FieldError refused(const TransactionChoice& choice, std::string allowed) {
  return run::FieldError::of(choice.field, choice.text, std::move(allowed));
}

// Returns the engine's clock when the clients were released.
uint64_t start(run::Engine& engine, const run::RunSpec& spec) {
  engine.create(spec);
  const uint64_t now_ps = platform::now_ps();
  engine.start();
  return now_ps;
}

ListOfTransactions list_transactions(run::Engine& engine, const run::RunSpec& spec) {
  ListOfTransactions list;
  Chronicle chronicle;
  list.run_began_ps = start(engine, spec);
  while (engine.state() == telemetry::RunState::running)
    engine.go_on();
  list.by_begin = chronicle.transactions();
  list.not_over = chronicle.not_over();
  std::sort(list.by_begin.begin(), list.by_begin.end(), is_earlier);
  return list;
}

// The second run, up to the end of the last transaction to explain.
class Explainer {
 public:
  Explainer(const Transaction& chosen, std::vector<Transaction> blamed)
      : chosen_(chosen), blamed_(std::move(blamed)), to_come_(blamed_) {
    if (std::none_of(blamed_.begin(), blamed_.end(),
                     [&](const Transaction& each) { return is_same(each, chosen); }))
      to_come_.push_back(chosen);
    std::sort(to_come_.begin(), to_come_.end(), [](const Transaction& a, const Transaction& b) {
      return std::tie(a.ended_ps, a.slot) < std::tie(b.ended_ps, b.slot);
    });
  }

  uint64_t last_end_ps() const { return to_come_.back().ended_ps; }

  std::optional<Explained> run(run::Engine& engine, const run::RunSpec& spec, Explanation& explanation,
                               BlameOfSlowest& blame) {
    Chronicle chronicle(spans());
    explanation.run_began_ps = start(engine, spec);
    explanation.engine_thread_names = engine.engine_thread_names();
    while (next_ < to_come_.size() && engine.state() == telemetry::RunState::running) {
      engine.go_on();
      explain_those_that_ended(chronicle, blame);
    }
    LATCHSCOPE_ASSERT(next_ == to_come_.size(), "a repeated run has the same transactions");
    if (engine.state() == telemetry::RunState::running) engine.stop();
    return std::move(explained_);
  }

 private:
  std::vector<Span> spans() const {
    std::vector<Span> spans;
    spans.reserve(to_come_.size());
    for (const Transaction& transaction : to_come_)
      spans.push_back({transaction.began_ps, transaction.ended_ps});
    return spans;
  }

  void explain_those_that_ended(Chronicle& chronicle, BlameOfSlowest& blame) {
    const size_t first = next_;
    while (next_ < to_come_.size() && to_come_[next_].ended_ps <= platform::now_ps())
      ++next_;
    if (first == next_ && !chronicle.is_half_full()) return;
    if (first < next_) {
      chronicle.bring_up_to_now();
      ChainReader reader(chronicle);
      for (size_t i = first; i < next_; ++i)
        explain_one(chronicle, reader, to_come_[i], blame);
    }
    chronicle.forget_before(earliest_to_come_ps());
  }

  void explain_one(const Chronicle& chronicle, ChainReader& reader, const Transaction& transaction,
                   BlameOfSlowest& blame) {
    LATCHSCOPE_ASSERT(is_as_before(chronicle, transaction), "a transaction of the repeated run is identical");
    const bool is_blamed = std::any_of(blamed_.begin(), blamed_.end(),
                                       [&](const Transaction& each) { return is_same(each, transaction); });
    if (transaction.began_ps < chronicle.lost_before_ps()) {
      if (is_blamed) ++blame.left_out;
      return;
    }
    Explained explained = reader.explain(transaction);
    if (is_blamed) blame.blame.add(explained);
    if (is_same(transaction, chosen_)) explained_ = std::move(explained);
  }

  static bool is_as_before(const Chronicle& chronicle, const Transaction& transaction) {
    const auto& known = transaction.is_over ? chronicle.transactions() : chronicle.not_over();
    return std::any_of(known.rbegin(), known.rend(), [&](const Transaction& each) {
      return is_same(each, transaction) && each.began_ps == transaction.began_ps &&
             each.ended_ps == transaction.ended_ps;
    });
  }

  uint64_t earliest_to_come_ps() const {
    uint64_t earliest_ps = telemetry::kNotYetPs;
    for (size_t i = next_; i < to_come_.size(); ++i)
      earliest_ps = std::min(earliest_ps, to_come_[i].began_ps);
    return earliest_ps;
  }

  const Transaction chosen_;
  const std::vector<Transaction> blamed_;
  std::vector<Transaction> to_come_;  // in the order of their ends
  size_t next_ = 0;
  std::optional<Explained> explained_;
};

}  // namespace

std::optional<run::FieldError> why_platform_cannot_explain(const char* field) {
  if (platform::kIsModelled) return std::nullopt;
  return run::FieldError::of(field, run::platform_name(),
                             "virtual: only the virtual server records thread states to the picosecond");
}

TransactionChoiceOrError read_transaction_choice(const char* field, std::string_view text) {
  using Kind = TransactionChoice::Kind;
  TransactionChoice choice;
  choice.field = field;
  choice.text = text;
  const auto found = [&] { return TransactionChoiceOrError{choice, std::nullopt}; };
  const auto wrong = [&] {
    return TransactionChoiceOrError{std::nullopt, run::FieldError::of(field, text, kChoices)};
  };
  const size_t at = text.find('@');
  const std::string_view which = text.substr(0, at);
  const std::string_view where = at == std::string_view::npos ? "" : text.substr(at + 1);
  if (which == "slowest" || which == "p99") {
    choice.kind = which == "p99" ? Kind::p99 : Kind::slowest;
    if (at == std::string_view::npos) return found();
    choice.window = window_of(where);
    return choice.window ? found() : wrong();
  }
  if (text == "oldest") {
    choice.kind = Kind::oldest;
    return found();
  }
  if (text.starts_with("nth:")) {
    const auto number = whole_number(text.substr(4));
    if (!number || *number == 0) return wrong();
    choice.kind = Kind::nth;
    choice.number = *number;
    return found();
  }
  if (!which.starts_with("thread:")) return wrong();
  const auto client = whole_number(which.substr(7));
  const auto at_run_ps = ps_of_seconds(std::string(where));
  if (!client || !at_run_ps) return wrong();
  choice.kind = Kind::of_thread;
  choice.number = *client;
  choice.at_run_ps = *at_run_ps;
  return found();
}

ListOfTransactions within_window(ListOfTransactions list, const TransactionChoice& choice) {
  if (!choice.window) return list;
  const uint64_t from_ps = list.run_began_ps + choice.window->from_ps;
  const uint64_t to_ps = list.run_began_ps + choice.window->to_ps;
  std::erase_if(list.by_begin,
                [&](const Transaction& each) { return each.ended_ps <= from_ps || each.ended_ps > to_ps; });
  return list;
}

size_t one_percent_of(size_t transactions) {
  return (transactions + 99) / 100;
}

std::vector<Transaction> slowest_of(const ListOfTransactions& list, size_t count) {
  std::vector<Transaction> slowest = list.by_begin;
  count = std::min(count, slowest.size());
  std::partial_sort(slowest.begin(), slowest.begin() + static_cast<ptrdiff_t>(count), slowest.end(),
                    is_slower);
  slowest.resize(count);
  return slowest;
}

namespace {

// At the end of the run, as at any moment before, finds the transaction in progress.
ChosenOrError choose_of_thread(const ListOfTransactions& list, const TransactionChoice& choice) {
  const uint64_t at_ps = list.run_began_ps + choice.at_run_ps;
  const auto is_meant = [&](const Transaction& each) {
    return each.slot == choice.number && each.began_ps <= at_ps &&
           (at_ps < each.ended_ps || (!each.is_over && at_ps == each.ended_ps));
  };
  for (const auto* transactions : {&list.by_begin, &list.not_over}) {
    const auto meant = std::find_if(transactions->begin(), transactions->end(), is_meant);
    if (meant != transactions->end()) return {*meant, std::nullopt};
  }
  return {std::nullopt, refused(choice, "a client and a run time during one of its transactions")};
}

}  // namespace

ChosenOrError choose(const ListOfTransactions& list, const TransactionChoice& choice) {
  using Kind = TransactionChoice::Kind;
  const size_t count = list.by_begin.size();
  if (count == 0 && choice.window)
    return {std::nullopt, refused(choice, "a window of run time in which a transaction ended")};
  if (count == 0 && choice.kind != Kind::of_thread && choice.kind != Kind::oldest)
    return {std::nullopt, refused(choice, "none: no transaction ended during the run")};
  switch (choice.kind) {
    case Kind::slowest:
      return {slowest_of(list, 1).front(), std::nullopt};
    case Kind::p99:
      return {slowest_of(list, count - (count * 99 + 99) / 100 + 1).back(), std::nullopt};
    case Kind::nth:
      if (choice.number <= count)
        return {list.by_begin[static_cast<size_t>(choice.number - 1)], std::nullopt};
      return {std::nullopt, refused(choice, "nth:1 to nth:" + std::to_string(count))};
    case Kind::oldest:
      if (!list.not_over.empty())
        return {*std::min_element(list.not_over.begin(), list.not_over.end(), is_earlier), std::nullopt};
      return {std::nullopt, refused(choice, "a run that ends with a transaction in progress")};
    case Kind::of_thread:
      break;
  }
  return choose_of_thread(list, choice);
}

std::string Explanation::thread_name(uint32_t slot) const {
  const uint32_t clients = spec.config.clients;
  if (slot < clients) return "client " + std::to_string(slot);
  if (slot - clients < engine_thread_names.size()) return engine_thread_names[slot - clients];
  return "coordinator";
}

double ExplanationProgress::part_done(uint64_t run_ns) const {
  const double of_run =
      until_run_ns == 0 ? 0 : std::min(1.0, static_cast<double>(run_ns) / static_cast<double>(until_run_ns));
  return (is_second_run ? 0.5 : 0) + 0.5 * of_run;
}

ExplanationOrError explain(run::Engine& engine, const run::RunSpec& spec, const TransactionChoice& choice,
                           bool with_blame, ExplanationProgress& progress) {
  progress = {false, static_cast<uint64_t>(spec.duration_s.value_or(0) * 1e9)};
  const uint32_t latches_before = telemetry::latch_numbers_given();
  const ListOfTransactions list = within_window(list_transactions(engine, spec), choice);
  const std::string stopped_early = engine.stopped_early();
  const ChosenOrError chosen = choose(list, choice);
  if (chosen.error) return {std::nullopt, chosen.error, stopped_early};
  Explanation explanation;
  explanation.choice = choice;
  explanation.spec = spec;
  explanation.latches_before = telemetry::latch_numbers_given() - latches_before;
  explanation.transactions = list.by_begin.size();
  if (chosen.chosen->is_over) {
    const auto is_slower_than_chosen = [&](const Transaction& each) {
      return is_slower(each, *chosen.chosen);
    };
    explanation.rank = 1 + static_cast<size_t>(std::count_if(list.by_begin.begin(), list.by_begin.end(),
                                                             is_slower_than_chosen));
  }
  BlameOfSlowest blame;
  blame.slowest = one_percent_of(list.by_begin.size());
  std::vector<Transaction> blamed;
  if (with_blame) blamed = slowest_of(list, std::min(blame.slowest, kBlamedMax));
  blame.left_out = blame.slowest - std::min(blame.slowest, kBlamedMax);
  Explainer explainer(*chosen.chosen, std::move(blamed));
  progress = {true, (explainer.last_end_ps() - list.run_began_ps) / 1'000};
  std::optional<Explained> explained = explainer.run(engine, spec, explanation, blame);
  if (!explained) {
    return {std::nullopt,
            refused(choice, "a transaction with at most " + std::to_string(Chronicle::kRecordsMax) +
                                " state changes and latch holds"),
            stopped_early};
  }
  explanation.explained = std::move(*explained);
  if (with_blame) explanation.blame = std::move(blame);
  return {std::move(explanation), std::nullopt, stopped_early};
}

}  // namespace latchscope::explain
