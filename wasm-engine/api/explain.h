// Why one transaction of a run took so long. The modelled server repeats a run to the last event, so this takes two: the
// first one lists the transactions, the second one keeps everything that was between the begin and the end of those that are
// asked for (telemetry/chronicle.h), explains each once it has ended, and forgets it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/run_spec.h"
#include "api/transaction_chain.h"

namespace latchscope::api {

class Engine;

// Of run time: after `from_ps`, until `to_ps`.
struct RunWindow {
  uint64_t from_ps, to_ps;
};

// Which transaction of those that ended within the time of the run; oldest and of_thread: also of those under way then.
struct TransactionChoice {
  enum class Kind : uint8_t {
    slowest,    // the first of the slowest
    p99,        // nearest rank: 99 % of all have its latency or less
    oldest,     // of those that are under way when the run ends the one that began first
    nth,        // in the order of their begins
    of_thread,  // the one that this client has under way at a run time
  };
  Kind kind = Kind::slowest;
  uint64_t number = 0;     // nth: from 1; of_thread: the client
  uint64_t at_run_ps = 0;  // of_thread
  // slowest, p99: of those that ended in it.
  std::optional<RunWindow> window;
  const char* field = "";  // what the host calls it
  std::string text;        // as it was written
};

struct TransactionChoiceOrError {
  std::optional<TransactionChoice> choice;
  std::optional<FieldError> error;
};
// Null on the modelled server. `field`: what the host calls the platform.
std::optional<FieldError> why_platform_cannot_explain(const char* field);

// slowest, p99, oldest, nth:N or thread:SLOT@SECONDS; slowest and p99 also with @FROM-TO, in seconds. `field`: a literal, for errors.
TransactionChoiceOrError read_transaction_choice(const char* field, std::string_view text);

struct ListOfTransactions {
  uint64_t run_began_ps = 0;  // the engine's clock when the clients were let go
  std::vector<telemetry::Transaction> by_begin;
  std::vector<telemetry::Transaction> not_over;  // when the run ended: up to then
};

// Of those that are over what the choice leaves: all of them unless it names a window.
ListOfTransactions within_window(ListOfTransactions list, const TransactionChoice& choice);

// The one that is meant, or why there is none.
struct ChosenOrError {
  std::optional<telemetry::Transaction> chosen;
  std::optional<FieldError> error;
};
ChosenOrError choose(const ListOfTransactions& list, const TransactionChoice& choice);

// The slowest of them, slowest first.
std::vector<telemetry::Transaction> slowest_of(const ListOfTransactions& list, size_t count);
inline constexpr size_t kBlamedMax = 1'000;
// 1 % of the transactions, at least one if there is one.
size_t one_percent_of(size_t transactions);

// Of the transactions of a run: those among the slowest 1 % that there was room for.
struct BlameOfSlowest {
  size_t slowest = 0;   // 1 % of all transactions
  size_t left_out = 0;  // of these: beyond kBlamedMax, or more happened meanwhile than a chronicle keeps
  Blame blame;
};

struct Explanation {
  TransactionChoice choice;
  RunSpec spec;
  std::vector<std::string> engine_thread_names;
  uint64_t run_began_ps = 0;
  uint32_t latches_before = 0;  // numbers of latches go on from the first run to the second
  size_t transactions = 0;      // in the window of the choice, if it has one
  size_t rank = 0;              // among them; 1: none took longer; 0: it was not over
  Explained explained;
  std::optional<BlameOfSlowest> blame;

  // As a reader knows the thread: "client 3", "purge_coordinator".
  std::string thread_name(uint32_t slot) const;
};

struct ExplanationOrError {
  std::optional<Explanation> explanation;
  std::optional<FieldError> error;
};

// How far an explanation is, for whoever looks between two slices.
struct ExplanationProgress {
  bool is_second_run = false;
  uint64_t until_run_ns = 0;  // of the run under way

  // Both runs count as a half.
  double part_done(uint64_t run_ns) const;
};

// Carries out the run twice, on an engine without a run that goes on. By the coordinator, inside a telemetry::ThreadScope. Between
// two ticks it sleeps, so a host that runs the modelled server in slices goes on with it in slices, too.
ExplanationOrError explain(Engine& engine, const RunSpec& spec, const TransactionChoice& choice,
                           bool with_blame, ExplanationProgress& progress);

// JSON, in one line. Everything is in it, nothing folded.
std::string explanation_json(const Explanation& explanation);

// For people, with what is short folded: tables, and the same as lines.
struct TableRow {
  std::string what;
  std::optional<uint64_t> ps;  // without: a remark on the rows before it
  double share = 0;            // of the time that the tables are about
  uint32_t level = 0;          // below the row before it that has one less
};
struct TableOfTimes {
  const char* id = "";
  std::string heading;
  std::vector<TableRow> rows;  // may be none
};
std::vector<TableOfTimes> explanation_tables(const Explanation& explanation);
// The tables as a JSON list of {"id", "heading", "rows": [{"what", "ps", "share", "level"}]}.
std::string explanation_tables_json(const Explanation& explanation);
std::vector<std::string> explanation_text(const Explanation& explanation);

}  // namespace latchscope::api
