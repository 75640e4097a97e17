// Bug #95491: simulated AIO wakes every handler thread.
//
// Clients look up single rows by primary key through a cold buffer pool with random read-ahead on.
// Read-ahead posts the missing pages of an extent as asynchronous reads, which handler threads
// execute. The knobs select which handlers a poster wakes, and how it waits for a free slot.
#include <algorithm>
#include <vector>

#include "server/aio/os_aio.h"
#include "server/buf/buf_pool.h"
#include "server/buf/buf_read_ahead.h"
#include "server/fil/fil_system.h"
#include "server/row/btr.h"
#include "server/row/dict_table.h"
#include "server/ut/work_costs.h"
#include "telemetry/telemetry.h"
#include "workload/aio_wakeup_95491_checks.h"
#include "workload/gen/scenario_enums.h"
#include "workload/registry.h"
#include "workload/sbtest_config.h"

namespace latchscope::workload {

namespace {

using namespace aio_wakeup_95491;

using server::DbErr;
using server::aio::HandlerWakeup;
using server::aio::SlotWait;
using telemetry::Counter;

constexpr uint32_t kFirstSpaceId = 2;
constexpr uint64_t kCleanerPeriodNs = 1'000'000'000;  // 8.0: once a second
// ibuf handler, log handler, page cleaner, coordinator.
constexpr uint32_t kOtherThreads = 4;
constexpr uint32_t kBytesPerUs = 3'000;  // NVMe
constexpr uint32_t kDeviceChannels = 32;
// A request whose handler is not woken would wait forever. After this time it counts as forgotten.
constexpr uint64_t kForgottenAfterNs = 10'000'000'000;
// The pool is warm once this share of its frames, or of the data, has been read. The page cleaner
// keeps the remaining frames free.
constexpr uint64_t kWarmNumerator = 7;
constexpr uint64_t kWarmDenominator = 8;

const telemetry::Function kHandleConnection("handle_connection");
const telemetry::Function kDispatch("dispatch_command");
const telemetry::Function kExecuteQuery("Query_expression::execute");
const telemetry::Function kIndexRead("ha_innobase::index_read");

class AioWakeupWorkload final : public Workload {
 public:
  explicit AioWakeupWorkload(const WorkloadConfig& config)
      : config_(config),
        tables_(static_cast<uint32_t>(config.parameter("tables"))),
        rows_(static_cast<uint32_t>(config.parameter("rows_per_table"))),
        latches_(platform::threads_max()),
        device_(device_profile(config)),
        fil_system_(latches_, server::fil::TablespaceLookupVariant::sharded_mutex),
        dictionary_(latches_, fil_system_),
        buffer_pool_(latches_, fil_system_, buffer_pool_size(config)),
        page_cleaner_(buffer_pool_, kCleanerPeriodNs),
        os_aio_(aio_config(config)),
        read_ahead_(buffer_pool_, fil_system_, os_aio_, config.parameter("random_read_ahead") != 0) {
    latches_.rw_lock_bookkeeping = latch::RwLockBookkeeping::last_s_file;  // 8.0.16
    buffer_pool_.use_read_ahead(&read_ahead_);
  }

  ~AioWakeupWorkload() override {
    for (uint32_t table_no = 0; table_no < tables_; ++table_no) {
      if (server::fil::FilSpace* space = dictionary_.remove(table_no)) {
        fil_system_.drop(*space, [](server::fil::FilSpace&) {});
      }
    }
    dictionary_.free_removed();
  }

  void build() override {
    for (uint32_t table_no = 0; table_no < tables_; ++table_no) {
      const server::row::RowSource source{table_no, rows_, config_.seed};
      dictionary_.add(
          server::row::create_table(latches_, fil_system_, device_, kFirstSpaceId + table_no, source));
    }
    const uint64_t data_pages = uint64_t{tables_} * server::row::pages_for_rows(rows_);
    warm_pages_ =
        std::min<uint64_t>(buffer_pool_.size().frames, data_pages) * kWarmNumerator / kWarmDenominator;
  }

  std::vector<EngineThread> engine_threads() override {
    std::vector<EngineThread> threads;
    uint32_t global_segment = 0;
    const auto add_handlers = [&](const char* name, uint32_t count) {
      for (uint32_t i = 0; i < count; ++i, ++global_segment) {
        threads.push_back({name, [this, segment = global_segment] { read_ahead_.io_handler_thread(segment); },
                           [this] { stop_handlers(); }});
      }
    };
    add_handlers("io_ibuf_thread", 1);
    add_handlers("io_log_thread", 1);
    add_handlers("io_read_thread", os_aio_.reads().segments());
    add_handlers("io_write_thread", os_aio_.writes().segments());
    threads.push_back(
        {"page_cleaner", [this] { page_cleaner_.run(); }, [this] { page_cleaner_.request_stop(); }});
    return threads;
  }

  std::unique_ptr<Client> make_client(uint32_t ordinal) override;

  void phase_ends() override {
    drain();
    checks_.end_phase();
  }

  void set_knob(uint32_t knob, uint32_t variant) override {
    if (knob == handler_wakeup) {
      os_aio_.set_handler_wakeup(handler_wakeup_of<HandlerWakeup>(variant));
    } else {
      os_aio_.set_slot_wait(slot_wait_of<SlotWait>(variant));
    }
  }

  bool action_stops_clients(uint32_t action) const override { return action == cold_buffer_pool; }

  std::string fire(uint32_t action) override {
    switch (Action{action}) {
      case read_ahead_on:
        if (read_ahead_.is_enabled()) return "innodb_random_read_ahead is ON";
        read_ahead_.enable(true);
        return "";
      case read_ahead_off:
        if (!read_ahead_.is_enabled()) return "innodb_random_read_ahead is OFF";
        read_ahead_.enable(false);
        return "";
      case cold_buffer_pool:
        drain();
        buffer_pool_.resize(buffer_pool_.size());
        warm_up_.state.store(kCold);
        return "";
    }
  }

  LongWait long_wait() const override {
    if (warm_up_.state.load_relaxed() == kWarm) return {};
    return {telemetry::LongWait::buffer_pool_warm_up, buffer_pool_.pages_read(), warm_pages_};
  }

  std::vector<Invariant> check_invariants() override { return checks_.invariants(); }

 private:
  friend class AioWakeupClient;
  static constexpr uint32_t kCold = 0;
  static constexpr uint32_t kWarming = 1;
  static constexpr uint32_t kWarm = 2;

  static platform::DeviceProfile device_profile(const WorkloadConfig& config) {
    const auto latency_us = static_cast<uint32_t>(config.parameter("device_latency_us"));
    if (latency_us == 0) return platform::kRamDevice;
    return {"device_latency_us", latency_us * 1000, kBytesPerUs, kDeviceChannels};
  }

  static server::aio::OsAioConfig aio_config(const WorkloadConfig& config) {
    return {static_cast<uint32_t>(config.parameter("read_io_threads")),
            static_cast<uint32_t>(config.parameter("write_io_threads")),
            static_cast<uint32_t>(config.parameter("slots_per_segment")),
            handler_wakeup_of<HandlerWakeup>(config.design[handler_wakeup]),
            slot_wait_of<SlotWait>(config.design[slot_wait]),
            config.parameter("groups_in_one_call") != 0};
  }

  // Blocks until every posted read is complete and every handler is asleep. At first it wakes no
  // handler, so that a forgotten request is detected before a wake-up completes it.
  // REQUIRES: clients stopped.
  void drain() {
    if (is_stopped_) return;
    if (os_aio_.wait_until_idle(kForgottenAfterNs)) return;
    checks_.note_forgotten_requests();
    os_aio_.simulated_wake_handler_threads();
    LATCHSCOPE_ASSERT(os_aio_.wait_until_idle(kForgottenAfterNs), "a woken handler completes its requests");
  }

  void stop_handlers() {
    if (is_stopped_) return;
    drain();
    is_stopped_ = true;
    os_aio_.request_stop();
  }

  // Clients call these before and after each transaction, until the pool is warm.
  void note_warming() {
    uint32_t expected = kCold;
    if (warm_up_.state.load() == kCold && warm_up_.state.compare_exchange(expected, kWarming)) {
      warm_up_.began_ns.store(platform::now_ns());
    }
  }
  void note_warmth() {
    if (buffer_pool_.pages_read() < warm_pages_) return;
    const uint64_t began_ns = warm_up_.began_ns.load();
    uint32_t expected = kWarming;
    if (!warm_up_.state.compare_exchange(expected, kWarm)) return;
    telemetry::count(Counter::warm_ups);
    telemetry::count(Counter::warm_up_us, (platform::now_ns() - began_ns) / 1000);
  }

  const WorkloadConfig config_;
  const uint32_t tables_;
  const uint32_t rows_;
  latch::LatchEnvironment latches_;
  platform::Device device_;
  server::fil::FilSystem fil_system_;
  server::row::Dictionary dictionary_;
  server::buf::BufPool buffer_pool_;
  server::buf::PageCleaner page_cleaner_;
  server::aio::OsAio os_aio_;
  server::buf::BufReadAhead read_ahead_;
  uint64_t warm_pages_ = 0;

  // Owned by the coordinator.
  bool is_stopped_ = false;
  AioWakeupChecks checks_{*config_.manifest, os_aio_, fil_system_, buffer_pool_};

  struct alignas(64) WarmUpLine : platform::CacheLine {
    platform::Atomic<uint32_t> state{*this, kCold};
    platform::Atomic<uint64_t> began_ns{*this, 0};
  };
  WarmUpLine warm_up_;
};

// A client with its session.
class AioWakeupClient final : public Client {
 public:
  explicit AioWakeupClient(AioWakeupWorkload& workload)
      : workload_(workload), open_tables_(workload.dictionary_, workload.tables_) {}

  void transaction() override {
    telemetry::Frame connection(kHandleConnection);
    telemetry::Frame dispatch(kDispatch);
    telemetry::Frame execute(kExecuteQuery);
    telemetry::Frame index_read(kIndexRead);
    const bool is_warm = workload_.warm_up_.state.load_relaxed() == AioWakeupWorkload::kWarm;
    if (!is_warm) workload_.note_warming();
    platform::Random& random = telemetry::recorder().random();
    const uint32_t table_no = random.below(workload_.tables_);
    const uint32_t id = 1 + random.below(workload_.rows_);
    server::ut::pay(server::ut::work_cost::point_select_ns);
    server::row::DictTable* table = open_tables_.get(table_no);
    uint8_t record[server::row::kRowBytes];
    const DbErr outcome = server::row::select_by_primary_key(workload_.buffer_pool_, *table, id, record);
    telemetry::count(Counter::queries_read);
    if (outcome != DbErr::success) telemetry::count(Counter::errors);
    if (!is_warm) workload_.note_warmth();
  }

 private:
  AioWakeupWorkload& workload_;
  server::row::OpenTables open_tables_;
};

std::unique_ptr<Client> AioWakeupWorkload::make_client(uint32_t /*ordinal*/) {
  return std::make_unique<AioWakeupClient>(*this);
}

std::vector<ConfigError> check(const WorkloadConfig& config) {
  std::vector<ConfigError> errors = check_sbtest_config(config);
  const int64_t io_threads = config.parameter("read_io_threads") + config.parameter("write_io_threads");
  const int64_t clients_max = platform::kRunThreadsMax - kOtherThreads - io_threads;
  if (config.clients > clients_max) {
    errors.push_back({"threads", std::to_string(config.clients),
                      "at most " + std::to_string(clients_max) + " with " + std::to_string(io_threads) +
                          " I/O threads (" + std::to_string(platform::kRunThreadsMax) +
                          " threads in total)"});
  }
  return errors;
}

}  // namespace

extern const WorkloadFactory kAioWakeup95491 = {make<AioWakeupWorkload>, check};

}  // namespace latchscope::workload
