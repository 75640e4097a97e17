// Explains why one transaction of a run took so long. The modelled server repeats a run to the last
// event, so an explanation takes two runs. The first one lists the transactions. The second one
// records all events between begin and end of the chosen transactions (telemetry/chronicle.h). It
// explains each transaction once it has ended, and drops its record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/transaction_chain.h"
#include "run/engine.h"

namespace latchscope::explain {

// Run time after `from_ps`, up to and including `to_ps`.
struct RunWindow {
  uint64_t from_ps, to_ps;
};

// A choice among the transactions that ended within the time of the run. oldest and of_thread also
// choose among those in progress at its end.
struct TransactionChoice {
  enum class Kind : uint8_t {
    slowest,    // the first of the slowest
    p99,        // nearest rank: 99 % of all have its latency or less
    oldest,     // the first to begin of those in progress when the run ends
    nth,        // in the order of their begins
    of_thread,  // the transaction that this client has in progress at a run time
  };
  Kind kind = Kind::slowest;
  uint64_t number = 0;     // nth: from 1; of_thread: the client
  uint64_t at_run_ps = 0;  // of_thread
  // slowest, p99: only transactions that ended in this window.
  std::optional<RunWindow> window;
  const char* field = "";  // the host's name for it
  std::string text;        // as written by the user
};

struct TransactionChoiceOrError {
  std::optional<TransactionChoice> choice;
  std::optional<run::FieldError> error;
};
// Returns nothing on the modelled server. `field`: the host's name for the platform.
std::optional<run::FieldError> why_platform_cannot_explain(const char* field);

// Reads slowest, p99, oldest, nth:N or thread:SLOT@SECONDS; slowest and p99 also with @FROM-TO, in
// seconds. `field`: a literal, for errors.
TransactionChoiceOrError read_transaction_choice(const char* field, std::string_view text);

struct ListOfTransactions {
  uint64_t run_began_ps = 0;  // the engine's clock when the clients were released
  std::vector<telemetry::Transaction> by_begin;
  // In progress at the end of the run; ended_ps is that time.
  std::vector<telemetry::Transaction> not_over;
};

// Drops the ended transactions outside the choice's window, if it has one.
ListOfTransactions within_window(ListOfTransactions list, const TransactionChoice& choice);

// The chosen transaction, or why there is none.
struct ChosenOrError {
  std::optional<telemetry::Transaction> chosen;
  std::optional<run::FieldError> error;
};
ChosenOrError choose(const ListOfTransactions& list, const TransactionChoice& choice);

// Returns the `count` slowest transactions, slowest first.
std::vector<telemetry::Transaction> slowest_of(const ListOfTransactions& list, size_t count);
inline constexpr size_t kBlamedMax = 1'000;
// Returns 1 % of the transactions, and at least one if there is one.
size_t one_percent_of(size_t transactions);

// The blame of the slowest 1 % of a run's transactions, up to kBlamedMax.
struct BlameOfSlowest {
  size_t slowest = 0;  // 1 % of all transactions
  // Of these: beyond kBlamedMax, or with more events than a chronicle can store.
  size_t left_out = 0;
  Blame blame;
};

struct Explanation {
  TransactionChoice choice;
  run::RunSpec spec;
  std::vector<std::string> engine_thread_names;
  uint64_t run_began_ps = 0;
  uint32_t latches_before = 0;  // latch numbers continue from the first run to the second
  size_t transactions = 0;      // in the window of the choice, if it has one
  size_t rank = 0;              // among them; 1: none took longer; 0: it was not over
  Explained explained;
  std::optional<BlameOfSlowest> blame;

  // Returns the thread's name for people: "client 3", "purge_coordinator".
  std::string thread_name(uint32_t slot) const;
};

struct ExplanationOrError {
  std::optional<Explanation> explanation;
  std::optional<run::FieldError> error;
  std::string stopped_early;  // why the first run ended before its time, or ""
};

// The progress of an explanation, for a reader between two slices.
struct ExplanationProgress {
  bool is_second_run = false;
  uint64_t until_run_ns = 0;  // of the run in progress

  // Each run counts as a half.
  double part_done(uint64_t run_ns) const;
};

// Performs both runs on `engine`. Sleeps between two ticks, so a host that runs the modelled server
// in slices also runs the explanation in slices.
//
// REQUIRES: the caller is the coordinator, inside a telemetry::ThreadScope, and `engine` has no run
// in progress.
ExplanationOrError explain(run::Engine& engine, const run::RunSpec& spec, const TransactionChoice& choice,
                           bool with_blame, ExplanationProgress& progress);

// Returns JSON in one line, with all details and nothing folded.
std::string explanation_json(const Explanation& explanation);

// Tables for people, with short parts folded, and the same as lines.
struct TableRow {
  std::string what;
  std::optional<uint64_t> ps;  // absent: a remark on the rows before it
  double share = 0;            // of the time that the tables cover
  uint32_t level = 0;          // a row is part of the last row before it with a level less by one
};
struct TableOfTimes {
  const char* id = "";
  std::string heading;
  std::vector<TableRow> rows;  // may be empty
};
std::vector<TableOfTimes> explanation_tables(const Explanation& explanation);
// Returns the tables as a JSON list of {"id", "heading", "rows": [{"what", "ps", "share",
// "level"}]}.
std::string explanation_tables_json(const Explanation& explanation);
std::vector<std::string> explanation_text(const Explanation& explanation);

}  // namespace latchscope::explain
