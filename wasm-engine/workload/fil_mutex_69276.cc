// Bug #69276: fil_system->mutex contention limits the block read rate.
//
// Clients look up single rows by primary key in sbtest tables whose pages are on a RAM device. The
// buffer pool is much smaller than the data. One knob selects how a block read finds its
// tablespace. The others select the mutexes that guard the lists of the buffer pool, and the
// generator of spin delays.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "server/buf/buf_pool.h"
#include "server/fil/fil_system.h"
#include "server/row/btr.h"
#include "server/row/dict_table.h"
#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"
#include "workload/checks.h"
#include "workload/client_machine.h"
#include "workload/gen/scenario_enums.h"
#include "workload/registry.h"
#include "workload/sbtest_config.h"

namespace latchscope::workload {

namespace {

using namespace fil_mutex_69276;

using latch::SpinDelayGenerator;
using server::DbErr;
using server::buf::PoolMutexVariant;
using server::fil::TablespaceLookupVariant;
using telemetry::Counter;

struct ReadPathTotals {
  uint64_t acquisitions = 0;
  uint64_t leaf_reads = 0;
  uint64_t other_reads = 0;  // pages for which the change buffer has bits
  uint64_t no_ibuf_reads = 0;
  uint64_t read_ahead_checks = 0;
  uint64_t lost_races = 0;
  uint64_t refusals = 0;
  uint64_t ibuf_refusals = 0;
};

// Checks the mutex acquisitions of a block read, and the state that must survive dropping, growing
// and shrinking.
class FilMutexChecks final : public Checks<ReadPathTotals> {
 public:
  FilMutexChecks(const ScenarioManifest& manifest, server::fil::FilSystem& fil_system,
                 server::buf::BufPool& buffer_pool)
      : manifest_(manifest), fil_system_(fil_system), buffer_pool_(buffer_pool) {}

 private:
  // Uses the latch sites of the current variant.
  ReadPathTotals totals() const override {
    ReadPathTotals totals;
    for (uint32_t site : fil_system_.lookup().read_path_sites())
      totals.acquisitions += acquisitions_at(site);
    const uint64_t reads = telemetry::counter_total(Counter::block_reads);
    totals.leaf_reads = telemetry::counter_total(Counter::block_reads_leaf);
    totals.no_ibuf_reads = telemetry::counter_total(Counter::block_reads_no_ibuf);
    totals.other_reads = reads - totals.leaf_reads - totals.no_ibuf_reads;
    totals.read_ahead_checks = telemetry::counter_total(Counter::read_ahead_linear_checks);
    totals.lost_races = telemetry::counter_total(Counter::block_reads_lost_race);
    totals.refusals = telemetry::counter_total(Counter::block_reads_refused);
    totals.ibuf_refusals = telemetry::counter_total(Counter::ibuf_merges_refused);
    return totals;
  }
  // Compares with the table in tablespace_lookup.h.
  void check_lock_path(const ReadPathTotals& phase) override {
    const server::fil::ReadPathCost cost = fil_system_.lookup().read_path_cost();
    const uint64_t expected =
        cost.per_leaf_read * phase.leaf_reads + cost.per_other_read * phase.other_reads +
        cost.per_no_ibuf_read * phase.no_ibuf_reads + cost.per_read_ahead_check * phase.read_ahead_checks +
        cost.per_lost_race * phase.lost_races;
    const bool ok = phase.acquisitions + phase.ibuf_refusals >= expected &&
                    phase.acquisitions <= expected + cost.per_refusal_max * phase.refusals;
    char detail[256];
    snprintf(detail, sizeof detail,
             "%" PRIu64 " acquisitions in %" PRIu64 " block reads (%" PRIu64
             " of leaf pages); expected %" PRIu64 "%s",
             phase.acquisitions, phase.leaf_reads + phase.other_reads + phase.no_ibuf_reads, phase.leaf_reads,
             expected,
             phase.refusals + phase.ibuf_refusals == 0 ? "" : ", give or take reads refused by DROP");
    expect("lock path of " + variant_name(manifest_, tablespace_lookup, fil_system_.variant()), ok, detail);
  }
  void check_end() override {
    const uint64_t verified = telemetry::counter_total(Counter::rows_verified);
    const uint64_t wrong = telemetry::counter_total(Counter::rows_wrong);
    const uint64_t missing = telemetry::counter_total(Counter::tablespace_missing);
    const uint64_t transactions = telemetry::counter_total(Counter::transactions);
    expect("every look-up returned the right row, or said that the tablespace is missing",
           wrong == 0 && verified + missing == transactions,
           std::to_string(verified) + " right, " + std::to_string(wrong) + " wrong, " +
               std::to_string(missing) + " missing, of " + std::to_string(transactions));
    expect("no tablespace has operations pending", fil_system_.nothing_is_pending());
    expect("every frame of the buffer pool is in one list, and none is fixed or latched",
           buffer_pool_.is_consistent());
  }

  const ScenarioManifest& manifest_;
  server::fil::FilSystem& fil_system_;
  server::buf::BufPool& buffer_pool_;
};

constexpr uint32_t kFirstSpaceId = 6;
constexpr uint64_t kCleanerPeriodNs = 100'000'000;  // changed by the bug report: 10 times a second

const telemetry::Function kDispatch("dispatch_command");
const telemetry::Function kHandlerRead("Sql_cmd_handler_read::execute");
const telemetry::Function kHandleOneConnection("handle_one_connection");
const telemetry::Function kIndexRead("ha_innobase::index_read");

class FilMutexWorkload final : public Workload {
 public:
  explicit FilMutexWorkload(const WorkloadConfig& config)
      : config_(config),
        tables_(static_cast<uint32_t>(config.parameter("tables"))),
        rows_(static_cast<uint32_t>(config.parameter("rows_per_table"))),
        latches_(platform::threads_max()),
        device_(platform::kRamDevice),
        client_machine_(static_cast<uint32_t>(config.parameter("client_gap_us"))),
        your_mutex_(config.latch_place("tablespace_lookup")),
        fil_system_(latches_, tablespace_lookup_of<TablespaceLookupVariant>(config.design[tablespace_lookup]),
                    server::fil::FilSystem::kOpenFilesMaxDefault, your_mutex_.get()),
        dictionary_(latches_, fil_system_),
        buffer_pool_(latches_, fil_system_, buffer_pool_size(config),
                     buffer_pool_mutex_of<PoolMutexVariant>(config.design[buffer_pool_mutex])),
        page_cleaner_(buffer_pool_, kCleanerPeriodNs),
        tables_read_line_(tables_) {
    latches_.spin.delay_generator =
        spin_delay_generator_of<SpinDelayGenerator>(config.design[spin_delay_generator]);
    buffer_pool_.use_linear_read_ahead(true);
    latches_.rw_lock_bookkeeping = latch::RwLockBookkeeping::last_s_file;
    put_yours_in_force();
  }

  ~FilMutexWorkload() override {
    for (uint32_t table_no = 0; table_no < tables_; ++table_no) {
      if (server::fil::FilSpace* space = dictionary_.remove(table_no)) drop_space(*space);
    }
    free_dropped();
  }

  void build() override {
    for (uint32_t table_no = 0; table_no < tables_; ++table_no)
      load_table(table_no);
  }

  std::vector<EngineThread> engine_threads() override {
    return {{"page_cleaner", [this] { page_cleaner_.run(); }, [this] { page_cleaner_.request_stop(); }}};
  }

  std::unique_ptr<Client> make_client(uint32_t ordinal) override;

  void phase_ends() override { checks_.end_phase(); }

  void set_knob(uint32_t knob, uint32_t variant) override {
    switch (Knob{knob}) {
      case tablespace_lookup:
        fil_system_.use(tablespace_lookup_of<TablespaceLookupVariant>(variant));
        put_yours_in_force();
        buffer_pool_.rebind_pages();
        break;
      case buffer_pool_mutex:
        buffer_pool_.use(buffer_pool_mutex_of<PoolMutexVariant>(variant));
        break;
      case spin_delay_generator:
        use(spin_delay_generator_of<SpinDelayGenerator>(variant));
        break;
    }
    checks_.begin_phase();
  }

  std::vector<lab::LatchPlace*> latch_places() override { return places_of(your_mutex_); }

  bool action_stops_clients(uint32_t action) const override {
    return action == grow_buffer_pool || action == shrink_buffer_pool;
  }

  std::string fire(uint32_t action) override {
    switch (Action{action}) {
      case grow_buffer_pool:
        return resize_pool(buffer_pool_.size().frames * 2);
      case shrink_buffer_pool:
        return resize_pool(buffer_pool_.size().frames / 2);
      case one_table:
        tables_read_line_.count.store(1);
        return "";
      case many_tables:
        tables_read_line_.count.store(tables_);
        return "";
      case drop_table:
        return drop_last_table();
      case create_table:
        return create_last_table();
    }
  }

  std::vector<Invariant> check_invariants() override {
    free_dropped();
    return checks_.invariants();
  }

 private:
  friend class FilMutexClient;

  // The clients are stopped while a knob changes. Of the other threads only the page cleaner spins.
  void use(SpinDelayGenerator generator) {
    buffer_pool_.while_page_cleaner_stands([&] { latches_.spin.delay_generator = generator; });
  }

  void put_yours_in_force() {
    if (your_mutex_) your_mutex_->put_in_force(fil_system_.variant() == TablespaceLookupVariant::yours);
  }

  void load_table(uint32_t table_no) {
    const server::row::RowSource source{table_no, rows_, config_.seed};
    dictionary_.add(
        server::row::create_table(latches_, fil_system_, device_, kFirstSpaceId + table_no, source));
  }

  void drop_space(server::fil::FilSpace& space) {
    fil_system_.drop(space, [this](server::fil::FilSpace& dropped) { buffer_pool_.evict_pages(dropped); });
  }

  void free_dropped() {
    dictionary_.free_removed();
    fil_system_.free_deleted();
  }

  std::string drop_last_table() {
    server::fil::FilSpace* space = dictionary_.remove(tables_ - 1);
    if (space == nullptr) return "the last table was dropped before and not created again";
    drop_space(*space);
    free_dropped();
    return "";
  }

  std::string create_last_table() {
    if (fil_system_.find(kFirstSpaceId + tables_ - 1) != nullptr) return "the last table exists";
    free_dropped();
    load_table(tables_ - 1);
    return "";
  }

  std::string resize_pool(uint32_t frames) {
    server::buf::BufPoolSize size = buffer_pool_.size();
    size.frames = frames;
    if (!buffer_pool_is_large_enough(size, config_.clients)) {
      return "the buffer pool would have " + std::to_string(frames / size.instances) +
             " frames per instance; allowed: at least " +
             std::to_string(frames_per_instance_min(config_.clients)) + " with " +
             std::to_string(config_.clients) + " clients";
    }
    const auto mib_max = static_cast<uint32_t>(config_.manifest->parameter("buffer_pool_mib").max);
    const uint32_t frames_max = mib_max * kFramesPerMib;
    if (frames > frames_max) {
      return "the buffer pool would have " + std::to_string(frames / kFramesPerMib) +
             " MiB; allowed: at most " + std::to_string(frames_max / kFramesPerMib);
    }
    buffer_pool_.resize(size);
    return "";
  }

  const WorkloadConfig config_;
  const uint32_t tables_;
  const uint32_t rows_;
  latch::LatchEnvironment latches_;
  platform::Device device_;
  ClientMachine client_machine_;
  const std::unique_ptr<lab::LatchPlace> your_mutex_;
  server::fil::FilSystem fil_system_;
  server::row::Dictionary dictionary_;
  server::buf::BufPool buffer_pool_;
  server::buf::PageCleaner page_cleaner_;
  FilMutexChecks checks_{*config_.manifest, fil_system_, buffer_pool_};

  struct alignas(64) TablesReadLine : platform::CacheLine {
    explicit TablesReadLine(uint32_t tables) : count(*this, tables) {}
    platform::Atomic<uint32_t> count;
  };
  TablesReadLine tables_read_line_;
};

// A client with its session.
class FilMutexClient final : public Client {
 public:
  explicit FilMutexClient(FilMutexWorkload& workload)
      : workload_(workload), open_tables_(workload.dictionary_, workload.tables_) {}

  void transaction() override {
    telemetry::Frame connection(kHandleOneConnection);
    workload_.client_machine_.wait_for_statement();
    telemetry::Frame dispatch(kDispatch);
    telemetry::Frame handler(kHandlerRead);
    telemetry::Frame index_read(kIndexRead);
    platform::Random& random = telemetry::recorder().random();
    const uint32_t table_no = random.below(workload_.tables_read_line_.count.load_relaxed());
    const uint32_t id = 1 + random.below(workload_.rows_);
    server::ut::pay(server::ut::work_cost::handler_read_ns);
    const DbErr outcome = look_up(table_no, id);
    telemetry::count(Counter::queries_read);
    if (outcome == DbErr::tablespace_missing) {
      telemetry::count(Counter::tablespace_missing);
      telemetry::count(Counter::errors);
    }
  }

 private:
  DbErr look_up(uint32_t table_no, uint32_t id) {
    server::row::DictTable* table = open_tables_.get(table_no);
    if (table == nullptr) return DbErr::tablespace_missing;
    uint8_t record[server::row::kRowBytes];
    const DbErr outcome = server::row::select_by_primary_key(workload_.buffer_pool_, *table, id, record);
    if (outcome == DbErr::tablespace_missing) open_tables_.close(table_no);
    return outcome;
  }

  FilMutexWorkload& workload_;
  server::row::OpenTables open_tables_;
};

std::unique_ptr<Client> FilMutexWorkload::make_client(uint32_t /*ordinal*/) {
  return std::make_unique<FilMutexClient>(*this);
}

}  // namespace

extern const WorkloadFactory kFilMutex69276 = {make<FilMutexWorkload>, check_sbtest_config};

}  // namespace latchscope::workload
