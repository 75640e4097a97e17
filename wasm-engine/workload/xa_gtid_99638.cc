// Bug #99638: under LOCK_commit, XA COMMIT polls for the GTID persister every millisecond.
//
// Clients run the transactions of oltp_xa.lua: XA START, 10 reads and 3 writes, XA END, XA PREPARE,
// XA COMMIT. The knob selects how an XA COMMIT makes sure that the GTID of its XA PREPARE is not
// lost.
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"
#include "workload/binlog_server.h"
#include "workload/gen/scenario_enums.h"
#include "workload/registry.h"
#include "workload/sbtest_session.h"

namespace latchscope::workload {

namespace {

using namespace xa_gtid_99638;

using server::binlog::CommitKind;
using server::gtid::GtidFlushWait;
using telemetry::Counter;
namespace work_cost = server::ut::work_cost;

struct XaTotals {
  uint64_t commits, waits;
};

// Checks how often an XA COMMIT waits for the GTID persister, and that each GTID is stored once.
// Includes the checks of the binlog server.
class XaGtidChecks final : public Checks<XaTotals> {
 public:
  XaGtidChecks(const ScenarioManifest& manifest, BinlogServer& server, const SbtestTables& tables)
      : manifest_(manifest), server_(server), tables_(tables), server_checks_(server) {}

 private:
  XaTotals totals() const override {
    return {telemetry::counter_total(Counter::xa_commits),
            telemetry::counter_total(Counter::gtid_flush_waits)};
  }
  // Compares with the description of XA COMMIT in innodb_engine.h. The binlog server itself checks
  // ordered commit.
  void check_lock_path(const XaTotals& phase) override {
    server_checks_.end_phase();
    const GtidFlushWait wait = server_.engine().wait();
    const uint64_t commits = phase.commits;
    const uint64_t waits = phase.waits;
    const bool ok = wait == GtidFlushWait::reserved_undo_slot ? waits == 0
                    : wait == GtidFlushWait::once_per_group ? waits <= commits && (waits > 0 || commits == 0)
                                                            : waits == commits;
    char detail[128];
    snprintf(detail, sizeof detail, "%" PRIu64 " waits in %" PRIu64 " XA COMMITs", waits, commits);
    expect("waits for the GTID persister under " + variant_name(manifest_, gtid_flush_wait, wait), ok,
           detail);
  }
  void check_end() override {
    expect(server_checks_.invariants());
    const uint64_t prepares = telemetry::counter_total(Counter::xa_prepares);
    const uint64_t commits = telemetry::counter_total(Counter::xa_commits);
    const uint64_t added = telemetry::counter_total(Counter::gtids_added);
    expect("each XA transaction adds two GTIDs, one at XA PREPARE and one at XA COMMIT",
           prepares == commits && added == prepares + commits,
           std::to_string(prepares) + " prepares, " + std::to_string(commits) + " commits, " +
               std::to_string(added) + " GTIDs added");
    const uint64_t damaged = tables_.damaged_rows();
    expect("every row is sound", damaged == 0 && telemetry::counter_total(Counter::rows_wrong) == 0,
           std::to_string(damaged) + " damaged at the end");
  }

  const ScenarioManifest& manifest_;
  BinlogServer& server_;
  const SbtestTables& tables_;
  BinlogServerChecks server_checks_;
};

constexpr uint32_t kTables = 1;
constexpr uint32_t kPointSelects = 10;

const telemetry::Function kHandleOneConnection("handle_one_connection");
const telemetry::Function kDoCommand("do_command");
const telemetry::Function kXaPrepareExecute("Sql_cmd_xa_prepare::execute");
const telemetry::Function kXaPrepareTrans("Sql_cmd_xa_prepare::trans_xa_prepare");
const telemetry::Function kXaCommitExecute("Sql_cmd_xa_commit::execute");
const telemetry::Function kXaCommitTrans("Sql_cmd_xa_commit::trans_xa_commit");
const telemetry::Function kXaCommitInternal("Sql_cmd_xa_commit::process_internal_xa_commit");

BinlogServerSettings server_settings(const WorkloadConfig& config) {
  BinlogServerSettings settings;
  settings.binlog.sync_binlog = static_cast<uint32_t>(config.parameter("sync_binlog"));
  settings.engine.flush_redo_at_commit = config.parameter("innodb_flush_log_at_trx_commit") == 1;
  settings.gtid_flush_us = static_cast<uint32_t>(config.parameter("gtid_flush_us"));
  return settings;
}

class XaGtidWorkload final : public Workload {
 public:
  explicit XaGtidWorkload(const WorkloadConfig& config)
      : config_(config),
        server_(server_settings(config), config.clients, {Counter::xa_prepares, Counter::xa_commits}),
        tables_(server_.latches(), kTables, static_cast<uint32_t>(config.parameter("rows_per_table")),
                config.seed),
        client_machine_(static_cast<uint32_t>(config.parameter("client_gap_us"))),
        active_clients_(config.clients) {}

  void build() override {
    server_.build();
    server_.engine().use(gtid_flush_wait_of<GtidFlushWait>(config_.design[gtid_flush_wait]));
  }

  std::vector<EngineThread> engine_threads() override { return server_.engine_threads(); }
  std::unique_ptr<Client> make_client(uint32_t ordinal) override;

  void phase_ends() override {
    server_.phase_ends();
    checks_.end_phase();
  }

  // No transaction is prepared while the clients are stopped, so none is affected by a change of
  // the undo format.
  void set_knob(uint32_t /*knob*/, uint32_t variant) override {
    server_.engine().use(gtid_flush_wait_of<GtidFlushWait>(variant));
  }

  bool action_stops_clients(uint32_t /*action*/) const override { return false; }

  std::string fire(uint32_t action) override {
    const uint32_t active = active_clients_.count.load();
    switch (Action{action}) {
      case fewer_xa_clients:
        if (active == 1) return "only one client is active";
        active_clients_.count.store(std::max(1u, active / 2));
        return "";
      case more_xa_clients:
        if (active == config_.clients) return "all " + std::to_string(active) + " clients are active";
        active_clients_.count.store(std::min(config_.clients, active * 2));
        return "";
    }
  }

  std::vector<Invariant> check_invariants() override { return checks_.invariants(); }

 private:
  friend class XaGtidClient;

  const WorkloadConfig config_;
  BinlogServer server_;
  SbtestTables tables_;
  ClientMachine client_machine_;
  struct alignas(64) ActiveClients : platform::CacheLine {
    explicit ActiveClients(uint32_t clients) : count(*this, clients) {}
    platform::Atomic<uint32_t> count;
  };
  ActiveClients active_clients_;
  XaGtidChecks checks_{*config_.manifest, server_, tables_};
};

class XaGtidClient final : public Client {
 public:
  XaGtidClient(XaGtidWorkload& workload, uint32_t ordinal)
      : workload_(workload),
        ordinal_(ordinal),
        statements_(workload.tables_, workload.client_machine_, session_.cache) {
    session_.id = ordinal + 1;
    session_.transaction = &trx_;
  }

  bool is_active() const override { return ordinal_ < workload_.active_clients_.count.load_relaxed(); }

  void transaction() override {
    telemetry::Frame connection(kHandleOneConnection);
    telemetry::Frame do_command(kDoCommand);
    xa_start();
    statements_.point_selects(kPointSelects);
    statements_.update_index();
    statements_.delete_and_insert();
    xa_end();
    xa_prepare();
    xa_commit();
  }

 private:
  void xa_start() {
    const Statement statement(workload_.client_machine_, work_cost::statement_ns);
    telemetry::count(Counter::queries_other);
    session_.cache.clear();
    workload_.server_.engine().start(trx_);
    char sql[48];
    snprintf(xid_, sizeof xid_, "%u-%" PRIu64, session_.id, trx_.id);
    snprintf(sql, sizeof sql, "XA START '%s'", xid_);
    server::binlog::append_query(session_.cache, sql);
  }

  void xa_end() {
    const Statement statement(workload_.client_machine_, work_cost::statement_ns);
    telemetry::count(Counter::queries_other);
  }

  void xa_prepare() {
    const Statement statement(workload_.client_machine_, work_cost::xa_commit_ns);
    telemetry::Frame execute(kXaPrepareExecute);
    telemetry::Frame trans(kXaPrepareTrans);
    telemetry::count(Counter::queries_other);
    server::binlog::append_xa_prepare(session_.cache, xid_);
    log_in_order(CommitKind::xa_prepare);
    workload_.server_.engine().xa_prepare(trx_, session_.gno);
    telemetry::count(Counter::xa_prepares);
  }

  void xa_commit() {
    const Statement statement(workload_.client_machine_, work_cost::xa_commit_ns);
    telemetry::Frame execute(kXaCommitExecute);
    telemetry::Frame trans(kXaCommitTrans);
    telemetry::Frame internal(kXaCommitInternal);
    telemetry::count(Counter::queries_other);
    char sql[48];
    snprintf(sql, sizeof sql, "XA COMMIT '%s'", xid_);
    session_.cache.clear();
    server::binlog::append_query(session_.cache, sql);
    log_in_order(CommitKind::xa_commit);
    telemetry::count(Counter::xa_commits);
  }

  void log_in_order(CommitKind kind) {
    session_.kind = kind;
    session_.commit_began_ns = platform::now_ns();
    workload_.server_.binlog().commit(session_);
  }

  XaGtidWorkload& workload_;
  const uint32_t ordinal_;
  char xid_[32] = {};
  server::gtid::Trx trx_;
  server::binlog::BinlogSession session_;
  SbtestSession statements_;
};

std::unique_ptr<Client> XaGtidWorkload::make_client(uint32_t ordinal) {
  return std::make_unique<XaGtidClient>(*this, ordinal);
}

std::vector<ConfigError> check(const WorkloadConfig& /*config*/) {
  return {};
}

}  // namespace

extern const WorkloadFactory kXaGtid99638 = {make<XaGtidWorkload>, check};

}  // namespace latchscope::workload
