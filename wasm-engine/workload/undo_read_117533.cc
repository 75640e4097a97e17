// Bug #117533: concurrent readers of undo records queue up at Fil_shard::m_mutex, then at
// purge_sys->latch.
//
// Clients scan one sbtest table under REPEATABLE READ with autocommit off, so each client's first
// select opens a read view that it holds. An UPDATE of all rows then makes every scan rebuild every
// row from undo records. The knobs select how a reader finds the page size of the undo tablespace,
// and which latch readers and purge use to exclude each other.
#include <vector>

#include "server/fil/page_size_lookup.h"
#include "server/row/row_sel.h"
#include "server/row/row_upd.h"
#include "server/trx/trx.h"
#include "telemetry/telemetry.h"
#include "workload/gen/scenario_enums.h"
#include "workload/registry.h"
#include "workload/undo_read_117533_checks.h"
#include "workload/undo_read_117533_server.h"

namespace latchscope::workload {

namespace {

using namespace undo_read_117533;

using server::DbErr;
using server::fil::PageSizeLookupVariant;
using server::trx::PurgeLatchVariant;
using telemetry::Counter;

// A scan verifies the checksum of every 64th row, different rows each time.
constexpr uint32_t kChecksumStride = 64;

const telemetry::Function kHandleConnection("handle_connection");
const telemetry::Function kDispatch("dispatch_command");
const telemetry::Function kExecute("Sql_cmd_dml::execute");
const telemetry::Function kAggregate("AggregateIterator::Read");
const telemetry::Function kGeneralFetch("ha_innobase::general_fetch");
const telemetry::Function kUpdateExecute("Sql_cmd_update::execute");

class UndoReadWorkload final : public Workload {
 public:
  explicit UndoReadWorkload(const WorkloadConfig& config) : config_(config), server_(config) {}

  void build() override { server_.load_table(config_.seed); }

  std::vector<EngineThread> engine_threads() override {
    std::vector<EngineThread> threads;
    threads.push_back({"update_session", [this] { run_updates(); }, [this] { stop_updates(); }});
    threads.push_back({"srv_purge_coordinator", [this] { server_.purge_sys.coordinate(); },
                       [this] { server_.purge_sys.request_exit(); }});
    for (uint32_t worker = 0; worker + 1 < purge_config(config_).threads; ++worker) {
      threads.push_back({"srv_worker_" + std::to_string(worker + 1),
                         [this, worker] { server_.purge_sys.work(worker); },
                         [] {}});  // the worker ends with the coordinator
    }
    return threads;
  }

  std::unique_ptr<Client> make_client(uint32_t ordinal) override;

  void phase_ends() override {
    server_.purge_sys.stop();
    checks_.end_phase();
    server_.purge_sys.run();
  }

  void set_knob(uint32_t knob, uint32_t variant) override {
    server_.purge_sys.stop();
    if (knob == undo_page_size_lookup) {
      server_.use(undo_page_size_lookup_of<PageSizeLookupVariant>(variant));
    } else {
      server_.purge_sys.latch().use(purge_latch_of<PurgeLatchVariant>(variant));
    }
    checks_.begin_phase();
    server_.purge_sys.run();
  }

  std::vector<lab::LatchPlace*> latch_places() override {
    return places_of(server_.your_mutex, server_.your_purge_latch);
  }

  // Both actions run concurrently with the clients, as in the bug report.
  bool action_stops_clients(uint32_t /*action*/) const override { return false; }

  std::string fire(uint32_t action) override {
    switch (Action{action}) {
      case update_k:
        return begin_update();
      case release_views:
        return ask_clients_to_commit();
    }
  }

  std::vector<Invariant> check_invariants() override { return checks_.invariants(); }

 private:
  friend class UndoReadClient;

  std::string begin_update() {
    latch::OsMutexGuard guard(update_mutex_);
    if (update_is_running_) return "the UPDATE before is still running";
    const uint32_t pages = undo_pages_of_update(server_.rows);
    server::trx::RollbackSegment* rseg = server_.undo_spaces.assign_rseg(pages);
    if (rseg == nullptr) {
      return "no undo tablespace has " + std::to_string(pages) +
             " free pages for the undo records of the UPDATE: release the read views, so that purge can free "
             "some";
    }
    update_trx_ = std::make_unique<server::trx::Trx>(server_.trx_sys, server_.undo_spaces, server_.purge_sys,
                                                     server_.buffer_pool, *rseg);
    update_is_running_ = true;
    update_given_.signal();
    return "";
  }

  void run_updates() {
    telemetry::Frame connection(kHandleConnection);
    telemetry::Frame dispatch(kDispatch);
    for (;;) {
      std::unique_ptr<server::trx::Trx> trx;
      {
        latch::OsMutexGuard guard(update_mutex_);
        while (update_trx_ == nullptr && !updates_end_) {
          telemetry::StateScope state(telemetry::ThreadState::sleeping);
          update_given_.wait(update_mutex_);
        }
        if (update_trx_ == nullptr) return;
        trx = std::move(update_trx_);
      }
      {
        telemetry::Frame execute(kUpdateExecute);
        const uint64_t began_ns = platform::now_ns();
        trx->start();
        const DbErr outcome = server::row::update_k_of_all_rows(server_.buffer_pool, *server_.table, *trx);
        LATCHSCOPE_ASSERT(outcome == DbErr::success,
                          "assign_rseg() found enough free pages for the undo records");
        trx->commit();
        telemetry::count(Counter::update_us, (platform::now_ns() - began_ns) / 1000);
      }
      {
        latch::OsMutexGuard guard(update_mutex_);
        update_is_running_ = false;
      }
      telemetry::count(Counter::queries_write);
    }
  }

  // An UPDATE that has started is completed first.
  void stop_updates() {
    latch::OsMutexGuard guard(update_mutex_);
    updates_end_ = true;
    update_given_.signal();
  }

  std::string ask_clients_to_commit() {
    if (server_.trx_sys.open_views() == 0) return "no client has a read view open";
    release_line_.generation.fetch_add(1);
    return "";
  }

  const WorkloadConfig config_;
  UndoReadServer server_;
  UndoReadChecks checks_{*config_.manifest, server_};

  // The session that runs UPDATEs: the coordinator passes a transaction to the thread, which
  // executes it.
  latch::OsMutex update_mutex_;
  latch::OsCondition update_given_;
  std::unique_ptr<server::trx::Trx> update_trx_ GUARDED_BY(update_mutex_);
  bool update_is_running_ GUARDED_BY(update_mutex_) = false;
  bool updates_end_ GUARDED_BY(update_mutex_) = false;

  struct alignas(64) ReleaseLine : platform::CacheLine {
    // Number of times the clients were asked to commit.
    platform::Atomic<uint32_t> generation{*this, 0};
  };
  ReleaseLine release_line_;
};

// A sysbench thread with its session. Autocommit is off, so its first select opens a read view that
// stays open until it commits.
class UndoReadClient final : public Client {
 public:
  explicit UndoReadClient(UndoReadWorkload& workload) : workload_(workload), server_(workload.server_) {}

  ~UndoReadClient() override {
    if (view_.is_open()) server_.trx_sys.close(view_);
  }

  // Executes one event of scan_old_recs.lua: two SETs and the select.
  void transaction() override {
    telemetry::Frame connection(kHandleConnection);
    telemetry::Frame dispatch(kDispatch);
    commit_if_asked();
    telemetry::count(Counter::queries_other, 2);
    telemetry::Frame execute(kExecute);
    if (!view_.is_open()) open_view();
    const DbErr outcome = select_sum_id();
    telemetry::count(Counter::queries_read);
    if (outcome == DbErr::success) return;
    if (outcome == DbErr::missing_history) telemetry::count(Counter::history_missing);
    telemetry::count(Counter::errors);
    commit();
  }

 private:
  void commit_if_asked() {
    const uint32_t generation = workload_.release_line_.generation.load_acquire();
    if (generation == released_) return;
    released_ = generation;
    telemetry::count(Counter::queries_other);
    if (view_.is_open()) commit();
  }

  void commit() {
    server_.trx_sys.close(view_);
    if (server_.purge_sys.history_length() > 0) server_.purge_sys.wake();
  }

  void open_view() {
    server_.trx_sys.open(view_);
    telemetry::count(Counter::read_views_opened);
  }

  // select sum(id) from sbtest1 force index(primary). Also compares every row with the expected row
  // of the snapshot.
  DbErr select_sum_id() {
    telemetry::Frame aggregate(kAggregate);
    telemetry::Frame fetch(kGeneralFetch);
    server::row::ConsistentScan scan(server_.buffer_pool, *server_.table, server_.undo_reader, view_);
    const auto updates_seen = static_cast<uint32_t>(view_.committed_before());
    const uint32_t checksum_phase = scans_++ % kChecksumStride;
    uint64_t sum_id = 0;
    uint64_t rows = 0;
    uint64_t wrong = 0;
    const uint8_t* row = nullptr;
    DbErr outcome;
    while ((outcome = scan.next(row)) == DbErr::success) {
      const auto id = server::read_at<uint32_t>(row, server::row::kRowId);
      sum_id += id;
      const bool is_right =
          id == ++rows && id <= server_.rows &&
          server::read_at<uint32_t>(row, server::row::kRowK) == server_.loaded_k[id - 1] + updates_seen;
      const bool check_sum = id % kChecksumStride == checksum_phase && scan.is_newest_version();
      if (!is_right || (check_sum && !server::row::row_is_sealed(row))) ++wrong;
    }
    telemetry::count(Counter::rows_scanned, rows);
    if (outcome != DbErr::record_not_found) return outcome;
    const uint64_t all_rows = server_.rows;
    if (wrong > 0) telemetry::count(Counter::rows_wrong, wrong);
    if (wrong == 0 && sum_id == all_rows * (all_rows + 1) / 2) telemetry::count(Counter::scans_verified);
    return DbErr::success;
  }

  UndoReadWorkload& workload_;
  UndoReadServer& server_;
  server::trx::ReadView view_;
  uint32_t released_ = 0;
  uint32_t scans_ = 0;
};

std::unique_ptr<Client> UndoReadWorkload::make_client(uint32_t /*ordinal*/) {
  return std::make_unique<UndoReadClient>(*this);
}

}  // namespace

extern const WorkloadFactory kUndoRead117533 = {make<UndoReadWorkload>, check_undo_read_config};

}  // namespace latchscope::workload
