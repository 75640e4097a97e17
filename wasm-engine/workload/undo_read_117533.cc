// Bug #117533: concurrent readers of undo records queue up at Fil_shard::m_mutex, then at purge_sys->latch.
//
// Clients scan one sbtest table under REPEATABLE READ with autocommit off, so the first select of each opens
// a read view that it keeps. An UPDATE of all rows then makes every scan rebuild every row from undo records.
// The knobs are how a reader learns the page size of the undo tablespace, and how readers and purge keep out
// of each other's way.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/fil/page_size_lookup.h"
#include "server/row/btr.h"
#include "server/row/dict_table.h"
#include "server/row/row_sel.h"
#include "server/row/row_upd.h"
#include "server/trx/trx.h"
#include "server/trx/trx_purge.h"
#include "server/trx/trx_rec.h"
#include "server/trx/trx_sys.h"
#include "server/trx/undo_spaces.h"
#include "telemetry/telemetry.h"
#include "workload/registry.h"
#include "workload/sbtest_config.h"

namespace latchscope::workload {

namespace {

using server::DbErr;
using server::fil::PageSizeLookupVariant;
using server::trx::PurgeLatchVariant;
using telemetry::Counter;

constexpr uint32_t kPagesPerMib = 1024 * 1024 / server::kPageBytes;
constexpr uint32_t kTableSpaceId = 1072;  // any data tablespace will do: shard 48
constexpr uint32_t kChecksumStride =
    64;                                // a scan checks the checksum of every 64th row, another one each time
constexpr uint32_t kPagesHeldMax = 3;  // by one thread: two leaves while it moves, or a leaf and an undo
                                       // page, and one on its way in

const telemetry::Function kHandleConnection("handle_connection");
const telemetry::Function kDispatch("dispatch_command");
const telemetry::Function kExecute("Sql_cmd_dml::execute");
const telemetry::Function kAggregate("AggregateIterator::Read");
const telemetry::Function kGeneralFetch("ha_innobase::general_fetch");
const telemetry::Function kUpdateExecute("Sql_cmd_update::execute");

enum KnobIndex : uint32_t { undo_page_size_lookup, purge_latch };
enum ActionIndex : uint32_t { update_k, release_views };

uint64_t acquisitions_at(uint32_t site) {
  return telemetry::latch_site_total(site).acquisitions;
}

// Latches taken on the way to undo records, and what they were taken for, in the run so far.
struct UndoReadTotals {
  uint64_t undo_reads = 0;
  uint64_t refused = 0;
  uint64_t purge_latch_s = 0;
  uint64_t end_latch_s = 0;
  uint64_t shard_mutex = 0;
  uint64_t shard_rw_lock_s = 0;
  uint64_t undo_page_s = 0;
  uint64_t purge_batches = 0;
  uint64_t purge_latch_x = 0;

  static UndoReadTotals now() {
    return {.undo_reads = telemetry::counter_total(Counter::undo_reads),
            .refused = telemetry::counter_total(Counter::history_missing),
            .purge_latch_s = acquisitions_at(server::trx::PurgeLatch::reader_site()),
            .end_latch_s = acquisitions_at(server::trx::PurgeLatch::reader_end_site()),
            .shard_mutex = acquisitions_at(server::fil::page_size_mutex_site()),
            .shard_rw_lock_s = acquisitions_at(server::fil::page_size_rw_lock_site()),
            .undo_page_s = acquisitions_at(server::trx::UndoReader::undo_page_site()),
            .purge_batches = telemetry::counter_total(Counter::purge_batches),
            .purge_latch_x = acquisitions_at(server::trx::PurgeSys::clone_site())};
  }

  UndoReadTotals since(const UndoReadTotals& earlier) const {
    return {.undo_reads = undo_reads - earlier.undo_reads,
            .refused = refused - earlier.refused,
            .purge_latch_s = purge_latch_s - earlier.purge_latch_s,
            .end_latch_s = end_latch_s - earlier.end_latch_s,
            .shard_mutex = shard_mutex - earlier.shard_mutex,
            .shard_rw_lock_s = shard_rw_lock_s - earlier.shard_rw_lock_s,
            .undo_page_s = undo_page_s - earlier.undo_page_s,
            .purge_batches = purge_batches - earlier.purge_batches,
            .purge_latch_x = purge_latch_x - earlier.purge_latch_x};
  }
};

class UndoReadWorkload final : public Workload {
 public:
  explicit UndoReadWorkload(const WorkloadConfig& config)
      : config_(config),
        rows_(static_cast<uint32_t>(config.parameter("rows"))),
        latches_(platform::threads_max()),
        device_(platform::kRamDevice),
        fil_system_(latches_, server::fil::TablespaceLookupVariant::sharded_mutex),
        dictionary_(latches_, fil_system_),
        buffer_pool_(latches_, fil_system_, buffer_pool_size(config)),
        trx_sys_(latches_),
        undo_spaces_(latches_, fil_system_, buffer_pool_, device_, undo_spaces_config(config)),
        purge_sys_(latches_, trx_sys_, undo_spaces_, buffer_pool_,
                   static_cast<PurgeLatchVariant>(config.variant("purge_latch")), purge_config(config),
                   [this](const server::trx::PurgeRecord& record) {
                     server::row::row_purge(buffer_pool_, *table_, record);
                   }),
        undo_reader_(fil_system_, buffer_pool_, undo_spaces_, purge_sys_,
                     static_cast<PageSizeLookupVariant>(config.variant("undo_page_size_lookup"))) {}

  ~UndoReadWorkload() override {
    if (table_ != nullptr) dictionary_.close(*table_);
    if (server::fil::FilSpace* space = dictionary_.remove(0)) {
      fil_system_.drop(*space, [](server::fil::FilSpace&) {});
    }
    dictionary_.free_removed();
  }

  void build() override {
    const server::row::RowSource source{0, rows_, config_.seed};
    dictionary_.add(server::row::create_table(latches_, fil_system_, device_, kTableSpaceId, source));
    table_ = dictionary_.open(0);
    loaded_k_.reserve(rows_);
    for (uint32_t id = 1; id <= rows_; ++id)
      loaded_k_.push_back(server::row::loaded_k(source, id));
  }

  std::vector<EngineThread> engine_threads() override;
  std::unique_ptr<Client> make_client(uint32_t ordinal) override;

  void phase_ends() override {
    purge_sys_.stop();
    check_phase(UndoReadTotals::now().since(phase_began_));
    purge_sys_.run();
  }

  void set_knob(uint32_t knob, uint32_t variant) override {
    purge_sys_.stop();
    if (knob == undo_page_size_lookup) {
      undo_reader_.use(static_cast<PageSizeLookupVariant>(variant));
    } else {
      purge_sys_.latch().use(static_cast<PurgeLatchVariant>(variant));
    }
    phase_began_ = UndoReadTotals::now();
    purge_sys_.run();
  }

  // Both go on while the clients run: that is what the report is about.
  bool action_stops_clients(uint32_t /*action*/) const override { return false; }

  std::string fire(uint32_t action) override {
    switch (action) {
      case update_k:
        return begin_update();
      case release_views:
        return ask_clients_to_commit();
      default:
        LATCHSCOPE_ASSERT(false, "every action of the manifest is carried out");
    }
  }

  std::vector<Invariant> check_invariants() override;

  static server::trx::UndoSpacesConfig undo_spaces_config(const WorkloadConfig& config) {
    return {.spaces = static_cast<uint32_t>(config.parameter("undo_tablespaces")),
            .rollback_segments = static_cast<uint32_t>(config.parameter("rollback_segments")),
            .pages_max = static_cast<uint32_t>(config.parameter("undo_tablespace_mib")) * kPagesPerMib,
            .truncate_pages = static_cast<uint32_t>(config.parameter("max_undo_log_mib")) * kPagesPerMib};
  }

  static server::trx::PurgeConfig purge_config(const WorkloadConfig& config) {
    return {.threads = static_cast<uint32_t>(config.parameter("purge_threads")),
            .batch_size_pages = static_cast<uint32_t>(config.parameter("purge_batch_size"))};
  }

  static uint32_t undo_pages_of_update(uint32_t rows) {
    return (rows + server::trx::kUndoRecordsPerPage - 1) / server::trx::kUndoRecordsPerPage;
  }

  // Any thread may need a frame of one instance while it holds others of the same instance.
  static uint32_t frames_per_instance_min(const WorkloadConfig& config) {
    const uint32_t threads = config.clients + 1 + purge_config(config).threads;
    return kPagesHeldMax * threads + 1;
  }

 private:
  friend class UndoReadClient;

  std::string begin_update();
  void run_updates();
  void stop_updates();
  std::string ask_clients_to_commit();

  void check_phase(const UndoReadTotals& phase);
  void check_path(const std::string& what, uint64_t count, uint64_t expected_min, uint64_t expected_max,
                  const std::string& of);
  void add_read_invariants(std::vector<Invariant>& invariants);
  void add_purge_invariants(std::vector<Invariant>& invariants);
  void add_rest_invariants(std::vector<Invariant>& invariants);
  std::string verify_table();
  std::string verify_space_ids();
  std::string probe_purged_history();

  const WorkloadConfig config_;
  const uint32_t rows_;
  latch::LatchEnvironment latches_;
  platform::Device device_;
  server::fil::FilSystem fil_system_;
  server::row::Dictionary dictionary_;
  server::buf::BufPool buffer_pool_;
  server::trx::TrxSys trx_sys_;
  server::trx::UndoSpaces undo_spaces_;
  server::trx::PurgeSys purge_sys_;
  server::trx::UndoReader undo_reader_;
  server::row::DictTable* table_ = nullptr;
  std::vector<uint32_t> loaded_k_;  // by id - 1
  UndoReadTotals phase_began_;
  std::vector<Invariant> phase_checks_;

  // The session that runs UPDATEs: the coordinator hands over a transaction, the thread carries it out.
  latch::OsMutex update_mutex_;
  latch::OsCondition update_given_;
  std::unique_ptr<server::trx::Trx> update_trx_ GUARDED_BY(update_mutex_);
  bool update_is_running_ GUARDED_BY(update_mutex_) = false;
  bool updates_end_ GUARDED_BY(update_mutex_) = false;

  struct alignas(64) ReleaseLine : platform::CacheLine {
    platform::Atomic<uint32_t> generation{*this, 0};  // how often the clients were asked to commit
  };
  ReleaseLine release_line_;
};

// A sysbench thread with its session: autocommit off, so its first select opens a read view that stays until
// it commits.
class UndoReadClient final : public Client {
 public:
  explicit UndoReadClient(UndoReadWorkload& workload) : workload_(workload) {}

  ~UndoReadClient() override {
    if (view_.is_open()) workload_.trx_sys_.close(view_);
  }

  // One event of scan_old_recs.lua: two SETs and the select.
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
    workload_.trx_sys_.close(view_);
    if (workload_.purge_sys_.history_length() > 0) workload_.purge_sys_.wake();
  }

  void open_view() {
    workload_.trx_sys_.open(view_);
    telemetry::count(Counter::read_views_opened);
  }

  // select sum(id) from sbtest1 force index(primary): and every row is compared with that of the snapshot.
  DbErr select_sum_id() {
    telemetry::Frame aggregate(kAggregate);
    telemetry::Frame fetch(kGeneralFetch);
    server::row::ConsistentScan scan(workload_.buffer_pool_, *workload_.table_, workload_.undo_reader_,
                                     view_);
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
          id == ++rows && id <= workload_.rows_ &&
          server::read_at<uint32_t>(row, server::row::kRowK) == workload_.loaded_k_[id - 1] + updates_seen;
      const bool check_sum = id % kChecksumStride == checksum_phase && scan.is_newest_version();
      if (!is_right || (check_sum && !server::row::row_is_sealed(row))) ++wrong;
    }
    telemetry::count(Counter::rows_scanned, rows);
    if (outcome != DbErr::record_not_found) return outcome;
    const uint64_t all_rows = workload_.rows_;
    if (wrong > 0) telemetry::count(Counter::rows_wrong, wrong);
    if (wrong == 0 && sum_id == all_rows * (all_rows + 1) / 2) telemetry::count(Counter::scans_verified);
    return DbErr::success;
  }

  UndoReadWorkload& workload_;
  server::trx::ReadView view_;
  uint32_t released_ = 0;
  uint32_t scans_ = 0;
};

std::unique_ptr<Client> UndoReadWorkload::make_client(uint32_t /*ordinal*/) {
  return std::make_unique<UndoReadClient>(*this);
}

std::vector<EngineThread> UndoReadWorkload::engine_threads() {
  std::vector<EngineThread> threads;
  threads.push_back({"update_session", [this] { run_updates(); }, [this] { stop_updates(); }});
  threads.push_back(
      {"srv_purge_coordinator", [this] { purge_sys_.coordinate(); }, [this] { purge_sys_.request_exit(); }});
  for (uint32_t worker = 0; worker + 1 < purge_config(config_).threads; ++worker) {
    threads.push_back({"srv_worker_" + std::to_string(worker + 1),
                       [this, worker] { purge_sys_.work(worker); }, [] {}});  // ends with the coordinator
  }
  return threads;
}

std::string UndoReadWorkload::begin_update() {
  latch::OsMutexGuard guard(update_mutex_);
  if (update_is_running_) return "the UPDATE before is still running";
  const uint32_t pages = undo_pages_of_update(rows_);
  server::trx::RollbackSegment* rseg = undo_spaces_.assign_rseg(pages);
  if (rseg == nullptr) {
    return "no undo tablespace has " + std::to_string(pages) +
           " free pages for the undo records of the UPDATE: release the read views, so that purge can free "
           "some";
  }
  update_trx_ = std::make_unique<server::trx::Trx>(trx_sys_, undo_spaces_, purge_sys_, buffer_pool_, *rseg);
  update_is_running_ = true;
  update_given_.signal();
  return "";
}

void UndoReadWorkload::run_updates() {
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
      const DbErr outcome = server::row::update_k_of_all_rows(buffer_pool_, *table_, *trx);
      LATCHSCOPE_ASSERT(outcome == DbErr::success,
                        "the room for the undo records was there before the UPDATE began");
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

// An UPDATE that was begun is carried out first.
void UndoReadWorkload::stop_updates() {
  latch::OsMutexGuard guard(update_mutex_);
  updates_end_ = true;
  update_given_.signal();
}

std::string UndoReadWorkload::ask_clients_to_commit() {
  if (trx_sys_.open_views() == 0) return "no client has a read view open";
  release_line_.generation.fetch_add(1);
  return "";
}

void UndoReadWorkload::check_path(const std::string& what, uint64_t count, uint64_t expected_min,
                                  uint64_t expected_max, const std::string& of) {
  char detail[200];
  snprintf(detail, sizeof detail, "%" PRIu64 " acquisitions for %s; expected %" PRIu64, count, of.c_str(),
           expected_min);
  phase_checks_.push_back({what, count >= expected_min && count <= expected_max, detail});
}

// Compares the latches of the phase that ends with the table in trx_rec.h and that in purge_latch.h.
void UndoReadWorkload::check_phase(const UndoReadTotals& phase) {
  const PageSizeLookupVariant lookup = undo_reader_.page_size_lookup();
  const PurgeLatchVariant latch = purge_sys_.latch().variant();
  const std::string in =
      " under " + variant_name(*config_.manifest, "undo_page_size_lookup", static_cast<size_t>(lookup)) +
      " + " + variant_name(*config_.manifest, "purge_latch", static_cast<size_t>(latch));
  const std::string reads = std::to_string(phase.undo_reads) + " undo reads";
  const uint64_t tested = phase.undo_reads + phase.refused;

  const bool guard = purge_sys_.latch().guards_end_view();
  const bool mutex = lookup == PageSizeLookupVariant::shard_mutex;
  const bool rw_lock = lookup == PageSizeLookupVariant::shard_rw_lock;
  const auto exactly = [&](const char* what, uint64_t count, uint64_t expected) {
    check_path(what + in, count, expected, expected, reads);
  };
  exactly("purge_sys->latch S", phase.purge_latch_s, guard ? 0 : tested);
  exactly("purge_sys->end_latch S", phase.end_latch_s, guard ? tested : 0);
  // A refused read gets no further than the purge latch, or finds its tablespace gone.
  check_path("Fil_shard::m_mutex in fil_space_get_page_size" + in, phase.shard_mutex,
             mutex ? phase.undo_reads : 0, mutex ? tested : 0, reads);
  check_path("Fil_shard::m_rw_lock in fil_space_get_page_size" + in, phase.shard_rw_lock_s,
             rw_lock ? phase.undo_reads : 0, rw_lock ? tested : 0, reads);
  exactly("buf_block_t::lock S of the undo page", phase.undo_page_s, guard ? 0 : phase.undo_reads);
  const uint64_t x = phase.purge_batches * purge_sys_.latch().latches_per_x();
  check_path("purge_sys->latch X" + in, phase.purge_latch_x, x, x,
             std::to_string(phase.purge_batches) + " purge batches");
}

std::vector<Invariant> UndoReadWorkload::check_invariants() {
  std::vector<Invariant> invariants = phase_checks_;
  add_read_invariants(invariants);
  add_purge_invariants(invariants);
  add_rest_invariants(invariants);
  return invariants;
}

void UndoReadWorkload::add_read_invariants(std::vector<Invariant>& invariants) {
  const uint64_t verified = telemetry::counter_total(Counter::scans_verified);
  const uint64_t wrong = telemetry::counter_total(Counter::rows_wrong);
  const uint64_t errors = telemetry::counter_total(Counter::errors);
  const uint64_t transactions = telemetry::counter_total(Counter::transactions);
  invariants.push_back({"every select returned sum(id) and, row by row, the k of its read view",
                        wrong == 0 && verified + errors == transactions,
                        std::to_string(verified) + " selects right, " + std::to_string(wrong) +
                            " rows wrong, " + std::to_string(errors) + " errors, of " +
                            std::to_string(transactions)});
  const uint64_t missing = telemetry::counter_total(Counter::history_missing);
  invariants.push_back({"no open read view missed history: purge stayed behind the oldest view", missing == 0,
                        std::to_string(missing) + " selects missed history"});
  const std::string table = verify_table();
  invariants.push_back({"every row in the table has its checksum and all updates", table.empty(), table});
}

void UndoReadWorkload::add_purge_invariants(std::vector<Invariant>& invariants) {
  const uint64_t written = telemetry::counter_total(Counter::undo_records_written);
  const uint64_t purged = telemetry::counter_total(Counter::undo_records_purged);
  const uint64_t in_history = undo_spaces_.history_records();
  invariants.push_back(
      {"undo records written = purged + in the history", written == purged + in_history,
       std::to_string(written) + " = " + std::to_string(purged) + " + " + std::to_string(in_history)});
  const uint64_t used = undo_spaces_.used_pages();
  const uint64_t of_history = undo_spaces_.history_pages();
  invariants.push_back(
      {"every undo page belongs to one undo log of the history, or is free", used == of_history,
       std::to_string(used) + " pages used, " + std::to_string(of_history) + " in the history"});
  const std::string ids = verify_space_ids();
  invariants.push_back(
      {"each undo-space number names one tablespace that exists", ids.empty(),
       ids.empty() ? std::to_string(telemetry::counter_total(Counter::undo_truncations)) + " truncations"
                   : ids});
  const std::string probe = probe_purged_history();
  invariants.push_back({"reading history that is gone returns DB_MISSING_HISTORY", probe.empty(), probe});
}

void UndoReadWorkload::add_rest_invariants(std::vector<Invariant>& invariants) {
  invariants.push_back({"no transaction and no read view is left over",
                        trx_sys_.active_transactions() == 0 && trx_sys_.open_views() == 0 &&
                            undo_spaces_.active_transactions() == 0,
                        ""});
  invariants.push_back({"the purge latches are free: each S and X was released, none was taken twice",
                        purge_sys_.latch().is_free(), ""});
  invariants.push_back({"no tablespace has operations pending", fil_system_.nothing_is_pending(), ""});
  invariants.push_back({"every frame of the buffer pool is in one list, and none is fixed or latched",
                        buffer_pool_.is_consistent(), ""});
}

// What is wrong in the table, or "". With the clients gone.
std::string UndoReadWorkload::verify_table() {
  const uint64_t updates = telemetry::counter_total(Counter::queries_write);
  server::trx::ReadView view;
  trx_sys_.open(view);
  server::row::ConsistentScan scan(buffer_pool_, *table_, undo_reader_, view);
  const uint8_t* row = nullptr;
  uint32_t rows = 0;
  std::string problem;
  while (problem.empty() && scan.next(row) == DbErr::success) {
    ++rows;
    const bool is_right = scan.is_newest_version() && server::row::row_is_right(row, table_->source, rows) &&
                          server::read_at<uint32_t>(row, server::row::kRowK) == loaded_k_[rows - 1] + updates;
    if (!is_right) problem = "row " + std::to_string(rows) + " is wrong";
  }
  trx_sys_.close(view);
  if (problem.empty() && rows != rows_) problem = std::to_string(rows) + " rows";
  return problem;
}

std::string UndoReadWorkload::verify_space_ids() {
  for (uint32_t number = 1; number <= undo_spaces_.spaces(); ++number) {
    const uint32_t id = undo_spaces_.space_id(number);
    const bool is_of_number =
        (server::trx::kUndoSpaceIdMax - number - id) % server::trx::kUndoSpaceIdStep == 0;
    if (!is_of_number || fil_system_.find(id) == nullptr) return "undo tablespace " + std::to_string(number);
  }
  return "";
}

// Follows the roll pointer of a row whose last change purge has seen. What is wrong with the answer, or "".
std::string UndoReadWorkload::probe_purged_history() {
  server::buf::PageLatch leaf;
  if (server::row::open_leaf(buffer_pool_, *table_, 0, leaf) != DbErr::success)
    return "the table cannot be read";
  const uint8_t* row = leaf.frame() + server::row::leaf_row_offset(0);
  const server::trx::TrxId trx_id = server::trx::read_trx_id(row + server::row::kRowTrxId);
  if (trx_id == 0 || !purge_sys_.history_may_be_gone(trx_id)) return "";
  server::trx::UndoRecord record;
  const DbErr outcome =
      undo_reader_.get_undo_rec(server::trx::read_roll_ptr(row + server::row::kRowRollPtr), trx_id, record);
  return outcome == DbErr::missing_history ? "" : "the purged undo record of the first row could be read";
}

std::vector<ConfigError> check(const WorkloadConfig& config) {
  std::vector<ConfigError> errors;
  const int64_t rows = config.parameter("rows");
  const int64_t mib = config.parameter("undo_tablespace_mib");
  const uint32_t pages = UndoReadWorkload::undo_pages_of_update(static_cast<uint32_t>(rows));
  const uint32_t mib_min = pages / kPagesPerMib + 1;
  if (mib < mib_min) {
    errors.push_back({"parameters.undo_tablespace_mib", std::to_string(mib),
                      "at least " + std::to_string(mib_min) + " with " + std::to_string(rows) +
                          " rows (the undo records of one UPDATE are in one tablespace)"});
  }
  const auto pool_error =
      check_buffer_pool(config, UndoReadWorkload::frames_per_instance_min(config),
                        "with " + std::to_string(config.clients) + " threads, " +
                            std::to_string(config.parameter("purge_threads")) + " purge threads");
  if (pool_error) errors.push_back(*pool_error);
  return errors;
}

}  // namespace

extern const WorkloadFactory kUndoRead117533 = {make<UndoReadWorkload>, check};

}  // namespace latchscope::workload
