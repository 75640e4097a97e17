// Bug #104615: COMMIT is slow if there are many binary logs to purge while rotating.
//
// Clients run sysbench's oltp transactions on two tables and commit them through ordered group
// commit. The knobs select which thread purges, under which lock files are deleted, how a rotation
// behaves during a purge, and which latch LOCK_log is.
#include <cinttypes>
#include <cstdio>

#include "server/ut/work_costs.h"
#include "telemetry/run_log.h"
#include "telemetry/telemetry.h"
#include "workload/binlog_server.h"
#include "workload/gen/scenario_enums.h"
#include "workload/registry.h"
#include "workload/sbtest_session.h"

namespace latchscope::workload {

namespace {

using namespace binlog_purge_104615;

using server::binlog::BinlogDesign;
using telemetry::Counter;
namespace work_cost = server::ut::work_cost;

// The checks of the binlog server, and that every row is intact.
class BinlogPurgeChecks final : public BinlogServerChecks {
 public:
  BinlogPurgeChecks(BinlogServer& server, const SbtestTables& tables)
      : BinlogServerChecks(server), tables_(tables) {}

 private:
  void check_end() override {
    BinlogServerChecks::check_end();
    const uint64_t damaged = tables_.damaged_rows();
    const uint64_t wrong = telemetry::counter_total(Counter::rows_wrong);
    expect("every row is sound", damaged == 0 && wrong == 0,
           std::to_string(telemetry::counter_total(Counter::rows_verified)) + " read, " +
               std::to_string(wrong) + " wrong, " + std::to_string(damaged) + " damaged at the end");
  }

  const SbtestTables& tables_;
};

constexpr uint32_t kTables = 2;
constexpr uint32_t kPointSelects = 10;
constexpr uint32_t kRangeSelects = 4;
constexpr uint64_t kKib = 1024;
constexpr uint64_t kNsPerMs = 1'000'000;

const telemetry::Function kHandleOneConnection("handle_one_connection");
const telemetry::Function kDoCommand("do_command");
const telemetry::Function kTransCommit("trans_commit");
const telemetry::Function kHaCommitTrans("ha_commit_trans");

BinlogServerSettings server_settings(const WorkloadConfig& config, lab::LatchPlace* your_lock_log) {
  BinlogServerSettings settings;
  settings.your_lock_log = your_lock_log;
  settings.log_bin = config.parameter("log_bin") != 0;
  settings.binlog.max_binlog_size = static_cast<uint64_t>(config.parameter("max_binlog_size_kib")) * kKib;
  settings.binlog.sync_binlog = static_cast<uint32_t>(config.parameter("sync_binlog"));
  settings.binlog.sync_delay_us = static_cast<uint32_t>(config.parameter("group_commit_sync_delay_us"));
  settings.binlog.sync_no_delay_count =
      static_cast<uint32_t>(config.parameter("group_commit_no_delay_count"));
  settings.old_files = static_cast<uint32_t>(config.parameter("old_binlogs_gib"));
  settings.binlog.active_file_bytes = static_cast<uint64_t>(config.parameter("active_binlog_kib")) * kKib;
  settings.unlink = {
      .ns_per_gib = static_cast<uint64_t>(config.parameter("unlink_ms_per_gib")) * kNsPerMs,
      .extent_bytes = static_cast<uint64_t>(config.parameter("unlink_extent_mib")) * kKib * kKib,
      .device_percent = static_cast<uint32_t>(config.parameter("unlink_device_percent"))};
  return settings;
}

// Writes an entry as MySQL's slow query log does (sql/log.cc, File_query_log::write_slow). The
// clock starts with the server.
void log_slow_commit(uint32_t session, uint64_t ended_ns, uint64_t took_ns) {
  const uint64_t ended_us = ended_ns / 1000;
  const uint64_t ended_s = ended_us / 1'000'000;
  char entry[512];
  snprintf(entry, sizeof entry,
           "# Time: 1970-01-01T%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ".%06" PRIu64
           "Z\n# User@Host: root[root] @ localhost []  Id: %5u\n"
           "# Query_time: %" PRIu64 ".%06" PRIu64
           "  Lock_time: 0.000000 Rows_sent: 0  Rows_examined: 0\nSET timestamp=%" PRIu64 ";\nCOMMIT;",
           ended_s / 3600 % 24, ended_s / 60 % 60, ended_s % 60, ended_us % 1'000'000, session,
           took_ns / 1'000'000'000, took_ns / 1000 % 1'000'000, (ended_ns - took_ns) / 1'000'000'000);
  telemetry::log_entry(entry);
}

class BinlogPurgeWorkload final : public Workload {
 public:
  explicit BinlogPurgeWorkload(const WorkloadConfig& config)
      : config_(config),
        long_query_ns_(static_cast<uint64_t>(config.parameter("long_query_time_ms")) * kNsPerMs),
        design_(config.design),
        your_lock_log_(config.latch_place("lock_log")),
        server_(server_settings(config, your_lock_log_.get()), config.clients, {Counter::transactions}),
        tables_(server_.latches(), kTables, static_cast<uint32_t>(config.parameter("rows_per_table")),
                config.seed),
        client_machine_(static_cast<uint32_t>(config.parameter("client_gap_us"))) {}

  void build() override {
    server_.build();
    use_design();
  }

  std::vector<EngineThread> engine_threads() override { return server_.engine_threads(); }
  std::unique_ptr<Client> make_client(uint32_t ordinal) override;
  void phase_ends() override {
    server_.phase_ends();
    checks_.end_phase();
  }

  // The purge thread and the administrator's session may be running. They read the design at each
  // decision.
  void set_knob(uint32_t knob, uint32_t variant) override {
    design_[knob] = variant;
    use_design();
  }

  bool action_stops_clients(uint32_t /*action*/) const override { return false; }

  std::string fire(uint32_t action) override {
    switch (Action{action}) {
      case expire_logs_1s:
        return server_.expire_logs(1);
      case expire_logs_default:
        return server_.expire_logs(server::binlog::kExpireSecondsDefault);
      case flush_binary_logs:
        return server_.flush_binary_logs();
      case create_old_binlogs:
        return refill();
      case open_dump_thread:
        return server_.open_dump_thread();
      case close_dump_thread:
        return server_.close_dump_thread();
    }
  }

  std::vector<lab::LatchPlace*> latch_places() override { return places_of(your_lock_log_); }

  LongWait long_wait() const override { return server_.long_wait(); }

  void cut_short() override { server_.cut_short(); }

  std::vector<Invariant> check_invariants() override { return checks_.invariants(); }

 private:
  friend class BinlogPurgeClient;

  void use_design() {
    BinlogDesign design;
    design.purge_by = purge_by_of<server::binlog::PurgeBy>(design_[purge_by]);
    design.unlink_under = unlink_under_of<server::binlog::UnlinkUnder>(design_[unlink_under]);
    design.rotate_when_index_busy =
        rotate_when_index_busy_of<server::binlog::RotateWhenIndexBusy>(design_[rotate_when_index_busy]);
    server_.binlog().set_design(design);
    const auto variant = lock_log_of<server::binlog::LockLogVariant>(design_[lock_log]);
    if (your_lock_log_) your_lock_log_->put_in_force(variant == server::binlog::LockLogVariant::yours);
  }

  std::string refill() {
    const auto files = static_cast<uint32_t>(config_.parameter("old_binlogs_gib"));
    if (files == 0) return "old_binlogs_gib is 0: there is nothing to create";
    return server_.create_old_binlogs(files);
  }

  const WorkloadConfig config_;
  const uint64_t long_query_ns_;
  std::vector<uint32_t> design_;
  const std::unique_ptr<lab::LatchPlace> your_lock_log_;
  BinlogServer server_;
  SbtestTables tables_;
  ClientMachine client_machine_;
  BinlogPurgeChecks checks_{server_, tables_};
};

class BinlogPurgeClient final : public Client {
 public:
  BinlogPurgeClient(BinlogPurgeWorkload& workload, uint32_t ordinal)
      : workload_(workload), statements_(workload.tables_, workload.client_machine_, session_.cache) {
    session_.id = ordinal + 1;
    session_.transaction = &trx_;
  }

  void transaction() override {
    telemetry::Frame connection(kHandleOneConnection);
    telemetry::Frame do_command(kDoCommand);
    begin();
    statements_.point_selects(kPointSelects);
    statements_.range_selects(kRangeSelects);
    statements_.update_index();
    statements_.update_non_index();
    statements_.delete_and_insert();
    commit();
  }

 private:
  void begin() {
    const Statement statement(workload_.client_machine_, work_cost::statement_ns);
    telemetry::count(Counter::queries_other);
    session_.cache.clear();
    workload_.server_.engine().start(trx_);
    server::binlog::append_query(session_.cache, "BEGIN");
  }

  void commit() {
    const Statement statement(workload_.client_machine_, work_cost::commit_ns);
    telemetry::Frame commit_frame(kTransCommit);
    telemetry::Frame trans_frame(kHaCommitTrans);
    telemetry::count(Counter::queries_other);
    server::binlog::append_xid(session_.cache, trx_.id);
    session_.commit_began_ns = platform::now_ns();
    if (workload_.server_.log_bin()) {
      workload_.server_.binlog().commit(session_);
    } else {
      workload_.server_.engine().commit_without_binlog(trx_);
    }
    const uint64_t took_ns = platform::now_ns() - session_.commit_began_ns;
    if (took_ns <= workload_.long_query_ns_) return;
    telemetry::count(Counter::slow_commits);
    log_slow_commit(session_.id, workload_.server_.uptime_ns(), took_ns);
  }

  BinlogPurgeWorkload& workload_;
  server::gtid::Trx trx_;
  server::binlog::BinlogSession session_;
  SbtestSession statements_;
};

std::unique_ptr<Client> BinlogPurgeWorkload::make_client(uint32_t ordinal) {
  return std::make_unique<BinlogPurgeClient>(*this, ordinal);
}

std::vector<ConfigError> check(const WorkloadConfig& config) {
  std::vector<ConfigError> errors;
  const int64_t count = config.parameter("group_commit_no_delay_count");
  if (count > 0 && config.parameter("group_commit_sync_delay_us") == 0) {
    errors.push_back({"parameters.group_commit_no_delay_count", std::to_string(count),
                      "0 while group_commit_sync_delay_us is 0: there is no delay to cut short"});
  }
  const int64_t size = config.parameter("max_binlog_size_kib");
  const int64_t active = config.parameter("active_binlog_kib");
  if (active >= size) {
    errors.push_back(
        {"parameters.active_binlog_kib", std::to_string(active),
         "at most " + std::to_string(size - 1) + " with max_binlog_size_kib " + std::to_string(size)});
  }
  return errors;
}

}  // namespace

extern const WorkloadFactory kBinlogPurge104615 = {make<BinlogPurgeWorkload>, check};

}  // namespace latchscope::workload
