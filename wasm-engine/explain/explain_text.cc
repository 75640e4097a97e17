// An explanation as tables for people. Short parts are folded, and the tables say so.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "explain/explain.h"
#include "explain/explain_names.h"
#include "run/json.h"

namespace latchscope::explain {

using telemetry::ThreadState;

namespace {

constexpr double kShortShare = 0.01;  // of the latency: shorter rows of the table are folded
constexpr double kShownShare = 0.02;  // of the latency: shorter lines of a chain are left out
constexpr uint32_t kLevelsShown = 6;
constexpr size_t kBlameRowsShown = 10;

std::string microseconds(uint64_t ps) {
  std::string whole = std::to_string(ps / 1'000'000);
  for (size_t at = whole.size(); at > 3; at -= 3)
    whole.insert(at - 3, ",");
  char fraction[16];
  snprintf(fraction, sizeof fraction, ".%06u us", static_cast<unsigned>(ps % 1'000'000));
  return whole + fraction;
}

// Both sites are + 1. A wait for a condition ends when the thread gets its mutex.
std::string words_of_hold(uint32_t site, uint32_t holder_site) {
  const std::string latch = latch_of_site(holder_site);
  return "acquired " + (latch == latch_of_site(site) ? "" : latch + " ") + "in " +
         function_of_site(holder_site);
}

class Tables {
 public:
  Tables(const Explanation& explanation, uint64_t whole_ps)
      : explanation_(explanation), whole_ps_(whole_ps) {}

  double share(uint64_t ps) const {
    return whole_ps_ == 0 ? 0 : static_cast<double>(ps) / static_cast<double>(whole_ps_);
  }

  void begin(const char* id, std::string heading) { tables_.push_back({id, std::move(heading), {}}); }
  void row(uint64_t ps, uint32_t level, std::string what) {
    tables_.back().rows.push_back({std::move(what), ps, share(ps), level});
  }
  void remark(std::string what) { tables_.back().rows.push_back({std::move(what), std::nullopt}); }

  void sums_of(const std::vector<Part>& parts);
  void rows_of(const std::vector<Part>& parts);
  void rows_of(const BlameOfSlowest& blame);

  std::vector<TableOfTimes> take() { return std::move(tables_); }

 private:
  using Parts = std::vector<const Part*>;
  // Consecutive parts that are one thing to a reader: work with its stalls, or one wait for one
  // latch.
  struct Row {
    uint64_t ps = 0;
    Parts parts;
  };

  static std::vector<Row> fold(const std::vector<Part>& parts);
  static bool is_one_row(const Part& a, const Part& b);
  std::string title(const Parts& parts) const;
  void wait_behind(const Parts& parts, uint32_t level);
  void doings(const Parts& parts, uint32_t level);
  std::string words_behind(const Parts& parts) const;
  void short_rows(size_t& count, uint64_t& ps);

  template <class Key, class Words>
  void top(const char* id, const char* heading, const std::map<Key, uint64_t>& times, Words words);

  const Explanation& explanation_;
  const uint64_t whole_ps_;
  std::vector<TableOfTimes> tables_;
};

bool is_work(const Part& part) {
  return part.latch == 0 && (part.state == ThreadState::running || part.state == ThreadState::stalled);
}

std::string with(const char* before, const std::string& name) {
  return name.empty() ? "" : before + name;
}

uint64_t sum_of(const std::vector<const Part*>& parts) {
  uint64_t ps = 0;
  for (const Part* part : parts)
    ps += part->ps();
  return ps;
}

// Groups parts by their keys, longest first.
template <class KeyOf>
auto grouped(const std::vector<const Part*>& parts, KeyOf key_of) {
  std::map<decltype(key_of(*parts.front())), std::vector<const Part*>> by_key;
  for (const Part* part : parts)
    by_key[key_of(*part)].push_back(part);
  std::map<decltype(key_of(*parts.front())), uint64_t> times;
  for (const auto& [key, group] : by_key)
    times[key] = sum_of(group);
  std::vector<std::vector<const Part*>> groups;
  for (const auto& [key, ps] : longest_first(times))
    groups.push_back(std::move(by_key[key]));
  return groups;
}

bool Tables::is_one_row(const Part& a, const Part& b) {
  if (is_work(a) || is_work(b)) return is_work(a) && is_work(b);
  if (a.latch != 0 || b.latch != 0) return a.latch == b.latch && a.site == b.site;
  return a.state == b.state && a.function == b.function;
}

std::vector<Tables::Row> Tables::fold(const std::vector<Part>& parts) {
  std::vector<Row> rows;
  for (const Part& part : parts) {
    if (rows.empty() || !is_one_row(*rows.back().parts.back(), part)) rows.emplace_back();
    rows.back().ps += part.ps();
    rows.back().parts.push_back(&part);
  }
  return rows;
}

// Returns the latch and its site, the states by their times, and the function.
std::string Tables::title(const Parts& parts) const {
  std::string states;
  for (const Parts& group : grouped(parts, [](const Part& part) { return part.state; })) {
    states += (states.empty() ? "" : ", ") + std::string(name_of(group.front()->state));
    if (group.size() != parts.size()) states += " " + microseconds(sum_of(group));
  }
  const Part& first = *parts.front();
  if (first.behind == Behind::earlier) return "waiting for a client";
  if (first.latch != 0)
    return latch_of_site(first.site) + " in " + function_of_site(first.site) + ": " + states;
  const bool is_one_function = std::all_of(
      parts.begin(), parts.end(), [&](const Part* part) { return part->function == first.function; });
  return states + (is_one_function ? with(" in ", name_of_function(first.function)) : "");
}

std::string Tables::words_behind(const Parts& parts) const {
  const Part& first = *parts.front();
  std::set<uint32_t> threads;
  for (const Part* part : parts)
    threads.insert(part->behind_slot);
  const std::string who = threads.size() == 1 ? explanation_.thread_name(first.behind_slot)
                                              : std::to_string(threads.size()) + " threads in turn";
  switch (first.behind) {
    case Behind::holder:
      return "held by " + who + ", " + words_of_hold(first.site, first.holder_site + 1);
    case Behind::leader:
      return "led by " + who;
    case Behind::waker:
      return "woken by " + who;
    case Behind::nobody:
      return "free, in hand-off";
    case Behind::timer:
      return "woken by its timer";
    case Behind::unknown:
      return "unknown";
    case Behind::earlier:
      return "no client was free: " + who + " served earlier requests";
    case Behind::nothing:
      break;
  }
  return title(parts);
}

void Tables::wait_behind(const Parts& parts, uint32_t level) {
  const auto groups =
      grouped(parts, [](const Part& part) { return std::pair(part.behind, part.holder_site); });
  uint64_t others_ps = 0;
  for (const Parts& group : groups) {
    if (group.front()->behind == Behind::nothing) continue;
    if (share(sum_of(group)) < kShownShare) {
      others_ps += sum_of(group);
      continue;
    }
    row(sum_of(group), level, words_behind(group));
    Parts behind;
    for (const Part* part : group) {
      for (const Part& doing : part->chain)
        behind.push_back(&doing);
    }
    if (level < 2 * kLevelsShown) doings(behind, level + 1);
  }
  if (share(others_ps) >= kShownShare) row(others_ps, level, "(folded: shorter rows)");
}

// Adds rows for the actions of a thread, or of those behind a wait, regardless of their order in
// time.
void Tables::doings(const Parts& parts, uint32_t level) {
  if (parts.empty()) return;
  const auto groups = grouped(parts, [](const Part& part) {
    const bool is_state_told = part.site == 0 && !is_work(part);
    return std::tuple(part.site, is_state_told ? part.state : ThreadState::running,
                      is_state_told ? part.function : 0);
  });
  uint64_t others_ps = 0;
  for (const Parts& group : groups) {
    const uint64_t ps = sum_of(group);
    if (share(ps) < kShownShare) {
      others_ps += ps;
      continue;
    }
    row(ps, level, title(group));
    wait_behind(group, level + 1);
  }
  if (level == 0 ? others_ps > 0 : share(others_ps) >= kShownShare)
    row(others_ps, level, "(folded: shorter rows)");
}

void Tables::short_rows(size_t& count, uint64_t& ps) {
  if (count > 0)
    row(ps, 0, "(folded: " + std::to_string(count) + (count == 1 ? " shorter row)" : " shorter rows)"));
  count = 0;
  ps = 0;
}

void Tables::sums_of(const std::vector<Part>& parts) {
  Parts all;
  for (const Part& part : parts)
    all.push_back(&part);
  doings(all, 0);
}

void Tables::rows_of(const std::vector<Part>& parts) {
  size_t short_count = 0;
  uint64_t short_ps = 0;
  const std::vector<Row> rows = fold(parts);
  const auto is_long = [&](const Row& each) { return share(each.ps) >= kShortShare; };
  if (std::none_of(rows.begin(), rows.end(), is_long)) {
    remark("(" + std::to_string(rows.size()) + " rows under 1 % each; --json lists them)");
    return;
  }
  for (const Row& each : rows) {
    if (share(each.ps) < kShortShare) {
      ++short_count;
      short_ps += each.ps;
      continue;
    }
    short_rows(short_count, short_ps);
    row(each.ps, 0, title(each.parts));
    wait_behind(each.parts, 1);
  }
  short_rows(short_count, short_ps);
}

template <class Key, class Words>
void Tables::top(const char* id, const char* heading, const std::map<Key, uint64_t>& times, Words words) {
  const auto sorted = longest_first(times);
  begin(id, heading);
  const size_t shown = std::min(sorted.size(), kBlameRowsShown);
  for (size_t i = 0; i < shown; ++i)
    row(sorted[i].second, 0, words(sorted[i].first));
  if (shown < sorted.size()) remark("(and " + std::to_string(sorted.size() - shown) + " more)");
}

std::string words_of_holder(const Blame::HolderKey& key) {
  const auto [behind, site, holder_site] = key;
  if (behind == Behind::earlier) return "no client was free";
  const std::string wanted = latch_of_site(site) + " wanted in " + function_of_site(site) + ": ";
  if (behind == Behind::nobody) return wanted + "free, in hand-off";
  return wanted + name_of(behind) + (holder_site == 0 ? "" : ", " + words_of_hold(site, holder_site));
}

std::string words_of_end(const Blame::End& end) {
  std::string words = name_of(end.state);
  if (end.site != 0)
    return latch_of_site(end.site) + " in " + function_of_site(end.site) + ": " + words +
           (end.behind == Behind::nobody ? " (free, in hand-off)" : "");
  return words + with(" in ", name_of_function(end.function));
}

void Tables::rows_of(const BlameOfSlowest& of_slowest) {
  const Blame& blame = of_slowest.blame;
  top("slowest_by_state", "By state:", blame.by_state,
      [](ThreadState state) { return std::string(name_of(state)); });
  top("slowest_by_latch", "By latch, waits and the stalls during them:", blame.by_latch,
      [](const std::string& latch) { return latch; });
  top("slowest_by_site", "By latch site:", blame.by_site,
      [](uint32_t site) { return latch_of_site(site) + " in " + function_of_site(site); });
  top("slowest_by_holder", "By cause of the waits:", blame.by_holder, words_of_holder);
  top("slowest_by_end", "By end of each chain:", blame.by_end, words_of_end);
}

std::string seconds_of(uint64_t ps) {
  char text[48];
  snprintf(text, sizeof text, "%" PRIu64 ".%012" PRIu64 " s", ps / 1'000'000'000'000, ps % 1'000'000'000'000);
  return text;
}

std::string words_of_window(const Explanation& explanation) {
  const auto& window = explanation.choice.window;
  if (!window) return "";
  return " among those that ended from " + seconds_of(window->from_ps) + " to " + seconds_of(window->to_ps);
}

std::string words_of_transaction(const Explanation& explanation) {
  const telemetry::Transaction& transaction = explanation.explained.transaction;
  const std::string name = "Transaction " + std::to_string(transaction.ordinal) + " of " +
                           explanation.thread_name(transaction.slot);
  const std::string latency = microseconds(transaction.latency_ps());
  const std::string place = ": rank " + std::to_string(explanation.rank) + " of " +
                            std::to_string(explanation.transactions) + " by latency" +
                            words_of_window(explanation) + ".";
  return name +
         (transaction.is_over ? " took " + latency + place
                              : " was still in progress when the run ended, after " + latency + ".") +
         "\nIt began at run time " + seconds_of(transaction.began_ps - explanation.run_began_ps) + ".";
}

std::vector<TableOfTimes> tables_of_transaction(const Explanation& explanation) {
  const Explained& explained = explanation.explained;
  Tables tables(explanation, explained.transaction.latency_ps());
  tables.begin("transaction", words_of_transaction(explanation));
  Blame own;
  own.add(explained);
  tables.begin("states", "Total by state:");
  for (const auto& [state, ps] : own.by_state)
    tables.row(ps, 0, name_of(state));
  tables.begin("chain", "States, with the cause of each wait (less than 2 % of the latency is folded):");
  tables.sums_of(explained.parts);
  tables.begin("in_order",
               "In time order (running and stalled share a row; so do all parts of one latch wait):");
  tables.rows_of(explained.parts);
  return tables.take();
}

std::vector<TableOfTimes> tables_of_blame(const Explanation& explanation) {
  const BlameOfSlowest& of_slowest = *explanation.blame;
  const Blame& blame = of_slowest.blame;
  Tables tables(explanation, blame.latency_ps);
  tables.begin("slowest", "Slowest 1 % of transactions" + words_of_window(explanation) + ": " +
                              std::to_string(blame.transactions) + " of " +
                              std::to_string(of_slowest.slowest) + ", " + microseconds(blame.latency_ps) +
                              " in total." +
                              (of_slowest.left_out == 0 ? "" : " The others did not fit in memory."));
  tables.rows_of(of_slowest);
  return tables.take();
}

std::string line_of(const TableRow& row) {
  if (!row.ps) return "    " + row.what;
  char begin[64];
  snprintf(begin, sizeof begin, "%22s  %5.1f %%  ", microseconds(*row.ps).c_str(), 100 * row.share);
  return begin + std::string(2 * row.level, ' ') + row.what;
}

}  // namespace

std::vector<TableOfTimes> explanation_tables(const Explanation& explanation) {
  std::vector<TableOfTimes> tables = tables_of_transaction(explanation);
  if (!explanation.blame) return tables;
  for (TableOfTimes& table : tables_of_blame(explanation))
    tables.push_back(std::move(table));
  return tables;
}

std::string explanation_tables_json(const Explanation& explanation) {
  run::Json tables = run::Json::array();
  for (const TableOfTimes& table : explanation_tables(explanation)) {
    run::Json rows = run::Json::array();
    for (const TableRow& row : table.rows) {
      run::Json json = {{"what", row.what}};
      if (row.ps) json.update({{"ps", *row.ps}, {"share", row.share}, {"level", row.level}});
      rows.push_back(std::move(json));
    }
    tables.push_back({{"id", table.id}, {"heading", table.heading}, {"rows", std::move(rows)}});
  }
  return tables.dump();
}

std::vector<std::string> explanation_text(const Explanation& explanation) {
  std::vector<std::string> lines;
  for (const TableOfTimes& table : explanation_tables(explanation)) {
    if (!lines.empty()) lines.emplace_back();
    lines.push_back(table.heading);
    for (const TableRow& row : table.rows)
      lines.push_back(line_of(row));
  }
  return lines;
}

}  // namespace latchscope::explain
