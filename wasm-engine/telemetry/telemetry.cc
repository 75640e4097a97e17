#include "telemetry/telemetry.h"

#include <cstring>

#include "telemetry/publish.h"
#include "telemetry/run_log.h"

namespace latchscope::telemetry {

namespace {

// A clock read costs about 270 ns in a browser, so time is sampled: one hold in 256 and one wait in
// 4. Transactions are timed often enough that their two clock reads stay below about 0.5 % of their
// time. The virtual server's clock is free, so everything is timed there.
constexpr uint32_t kHoldStride = 256;
constexpr uint32_t kWaitStride = platform::kIsModelled ? 1 : 4;
constexpr uint64_t kTimedEveryNs = 100'000;
constexpr uint32_t kLatencyStrideMax = platform::kIsModelled ? 1 : 64;

// Zero-initialized before any constructor runs. Latch sites register themselves during static
// initialization, in any order, so the block must not have an initializer that could run after
// them.
alignas(TelemetryBlock) constinit unsigned char block_bytes[sizeof(TelemetryBlock)] = {};

// Labels the block: readers attach only to a block with the right magic and layout hash.
const bool block_is_labelled = [] {
  block().header.magic[0].set(kLayoutMagic);
  block().header.layout_hash[0].set(layout_hash());
  block().header.thread_slots[0].set(kThreadSlots);
  return true;
}();

uint32_t last_latch_number = 0;

struct NameCounts {
  uint32_t functions, latches, latch_sites;
};

uint32_t find_or_add_name(Name* names, platform::Published<uint32_t>& names_count, uint32_t names_max,
                          const char* text) {
  const uint32_t known = names_count.read();
  for (uint32_t i = 0; i < known; ++i) {
    if (strcmp(reinterpret_cast<const char*>(names[i].text), text) == 0) return i;
  }
  LATCHSCOPE_ASSERT(known < names_max, "too many telemetry names: raise the limit in layout.h");
  LATCHSCOPE_ASSERT(strlen(text) < kNameBytes, "telemetry name too long");
  for (size_t i = 0; text[i] != 0; ++i)
    names[known].text[i].set(static_cast<uint8_t>(text[i]));
  names_count.set_release(known + 1);
  return known;
}

uint32_t add_function(const char* name) {
  return find_or_add_name(block().functions, block().header.functions_count[0], kFunctionsMax, name);
}

uint32_t find_or_add_latch_site(uint32_t latch, uint32_t function) {
  auto& sites_count = block().header.latch_sites_count[0];
  const uint32_t known = sites_count.read();
  for (uint32_t i = 0; i < known; ++i) {
    const LatchSiteName& site = block().latch_sites[i];
    if (site.latch[0].read() == latch && site.function[0].read() == function) return i;
  }
  LATCHSCOPE_ASSERT(known < kLatchSitesMax, "too many latch sites: raise the limit in layout.h");
  block().latch_sites[known].latch[0].set(latch);
  block().latch_sites[known].function[0].set(function);
  sites_count.set_release(known + 1);
  return known;
}

template <class T, size_t N>
void clear(platform::Published<T> (&cells)[N]) {
  for (auto& cell : cells)
    cell.set(0);
}

void clear_thread_slot(ThreadSlot& slot) {
#define LATCHSCOPE_CLEAR_FIELD(type, name, count, meaning) clear(slot.name);
  LATCHSCOPE_THREAD_SLOT(LATCHSCOPE_CLEAR_FIELD)
#undef LATCHSCOPE_CLEAR_FIELD
  for (LatchSiteTotals& totals : slot.latch_sites) {
#define LATCHSCOPE_CLEAR_FIELD(type, name, count, meaning) clear(totals.name);
    LATCHSCOPE_LATCH_SITE_TOTALS(LATCHSCOPE_CLEAR_FIELD)
#undef LATCHSCOPE_CLEAR_FIELD
  }
}

}  // namespace

TelemetryBlock& block() {
  return *reinterpret_cast<TelemetryBlock*>(block_bytes);
}

Function::Function(const char* name) : id(add_function(name)) {}

LatchSite::LatchSite(const char* latch, const char* function_name)
    : id(0), function(add_function(function_name)) {
  const uint32_t latch_id =
      find_or_add_name(block().latches, block().header.latches_count[0], kLatchesMax, latch);
  id = find_or_add_latch_site(latch_id, function);
}

void forget_names_of_run() {
  BlockHeader& header = block().header;
  static const NameCounts of_engine = {header.functions_count[0].read(), header.latches_count[0].read(),
                                       header.latch_sites_count[0].read()};
  for (uint32_t i = of_engine.functions; i < header.functions_count[0].read(); ++i)
    clear(block().functions[i].text);
  for (uint32_t i = of_engine.latches; i < header.latches_count[0].read(); ++i)
    clear(block().latches[i].text);
  header.functions_count[0].set_release(of_engine.functions);
  header.latches_count[0].set_release(of_engine.latches);
  header.latch_sites_count[0].set_release(of_engine.latch_sites);
}

uint32_t next_latch_number() {
  return ++last_latch_number;
}

uint32_t latch_numbers_given() {
  return last_latch_number;
}

ThreadRecorder::ThreadRecorder(uint32_t slot, uint64_t seed)
    : slot_(block().threads[slot]),
      thread_number_(slot + 1),
      random_(seed, slot),
      holds_until_timed_(random_.between(1, 2 * kHoldStride - 1)),
      waits_until_timed_(random_.between(1, 2 * kWaitStride - 1)) {}

void ThreadRecorder::latch_contended(const LatchSite& site, uint32_t latch, bool is_counted) {
  if constexpr (!kTelemetryOn) return;
  if (!is_counted) slot_.latch_sites[site.id].contended[0].add(1);
  if constexpr (platform::kIsModelled) {
    latch_line_left(site.id, latch);
    contended_since_ns_ = platform::now_ns();
    is_follower_ = false;
  }
  state_before_contention_ = state();
  slot_.wait_site[0].set(site.id + 1);
  slot_.wait_latch[0].set(latch);
  set_state(ThreadState::spinning);
  trace_wait(LatchEventKind::wants, site);
}

void ThreadRecorder::latch_wait_begins(const LatchSite& site, ThreadState asleep) {
  if constexpr (!kTelemetryOn) return;
  slot_.latch_sites[site.id].waits[0].add(1);
  is_follower_ = asleep == ThreadState::following;
  set_state(asleep);
  sleeps_at(site.id, true);
  trace_wait(LatchEventKind::sleeps, site);
  if (--waits_until_timed_ == 0) timed_wait_began_ns_ = platform::now_ns();
}

void ThreadRecorder::latch_wait_ends(const LatchSite& site) {
  if constexpr (!kTelemetryOn) return;
  set_state(ThreadState::spinning);
  sleeps_at(site.id, false);
  trace_wait(LatchEventKind::wakes, site);
  if (timed_wait_began_ns_ == kNotTimed) return;
  slot_.latch_sites[site.id].wait_ns[0].add((platform::now_ns() - timed_wait_began_ns_) * kWaitStride);
  timed_wait_began_ns_ = kNotTimed;
  waits_until_timed_ = random_.between(1, 2 * kWaitStride - 1);
}

void ThreadRecorder::trace_wait(LatchEventKind kind, const LatchSite& site) {
  if constexpr (platform::kIsModelled)
    trace_latch(kind, thread_number_ - 1, slot_.wait_latch[0].read(), site.id);
}

void ThreadRecorder::latch_contention_ends() {
  if constexpr (!kTelemetryOn) return;
  if constexpr (platform::kIsModelled) add_queue_time();
  slot_.wait_site[0].set(0);
  slot_.wait_latch[0].set(0);
  set_state(state_before_contention_);
}

// Includes the stalls of the thread's polls and of the attempts in between.
void ThreadRecorder::add_queue_time() {
  LatchSiteTotals& totals = slot_.latch_sites[slot_.wait_site[0].read() - 1];
  const uint64_t queued_ns = platform::now_ns() - contended_since_ns_;
  totals.queue_ns[0].add(queued_ns);
  if (!is_follower_) {
    add_cost(totals, slot_.wait_latch[0].read(), queued_ns);
    note_latch_wait(slot_.wait_latch[0].read());
  }
  totals.line_stall_ns[0].add(platform::take_line_stall_ns());
}

void ThreadRecorder::start_timing_hold(const LatchSite& site, uint32_t latch) {
  if (timed_hold_latch_ != 0) {
    holds_until_timed_ = 1;
    return;
  }
  timed_hold_latch_ = latch;
  timed_hold_site_ = site.id;
  timed_hold_began_ns_ = platform::now_ns();
  holds_until_timed_ = random_.between(1, 2 * kHoldStride - 1);
}

void ThreadRecorder::finish_timing_hold() {
  const uint64_t held_ns = platform::now_ns() - timed_hold_began_ns_;
  slot_.latch_sites[timed_hold_site_].hold_ns[0].add(held_ns * kHoldStride);
  timed_hold_latch_ = 0;
}

uint32_t ThreadRecorder::position_of_held(uint32_t latch, uint32_t last) const {
  uint32_t position = last;
  while (position > 0 && slot_.held_latches[position].read() != latch)
    --position;
  return position;
}

// Returns the site at which the latch was acquired.
uint32_t ThreadRecorder::add_hold_time(uint32_t latch, uint32_t last) {
  if (last >= kHeldLatchesMax) return kNoSite;
  const uint32_t position = position_of_held(latch, last);
  const uint32_t site = slot_.held[position].read() - 1;
  slot_.latch_sites[site].hold_ns[0].add(platform::now_ns() - held_since_ns_[position]);
  return site;
}

// Removes a latch that is not the newest one held; newer latches move up in the list.
void ThreadRecorder::close_gap_of_held(uint32_t latch, uint32_t last) {
  if (last >= kHeldLatchesMax) return;
  for (uint32_t position = position_of_held(latch, last); position < last; ++position) {
    slot_.held[position].set(slot_.held[position + 1].read());
    slot_.held_latches[position].set(slot_.held_latches[position + 1].read());
    held_since_ns_[position] = held_since_ns_[position + 1];
  }
}

void ThreadRecorder::record_latency() {
  const uint64_t latency_ns = platform::now_ns() - transaction_began_ns_;
  transaction_began_ns_ = kNotTimed;
  slot_.histogram[ThreadBuckets::of(latency_ns)].add(latency_stride_);
  if constexpr (platform::kIsModelled)
    block().latencies.counts[LatencyBuckets::of(latency_ns)].add(latency_stride_);
  count(Counter::latency_samples);
  const uint64_t wanted_stride = latency_ns == 0 ? kLatencyStrideMax : kTimedEveryNs / latency_ns;
  // Changes the stride by one step, so that one outlier does not set it.
  if (wanted_stride > latency_stride_ && latency_stride_ < kLatencyStrideMax) ++latency_stride_;
  if (wanted_stride < latency_stride_ && latency_stride_ > 1) --latency_stride_;
  transactions_until_timed_ = random_.between(1, 2 * latency_stride_ - 1);
}

ThreadScope::ThreadScope(const ThreadIdentity& identity)
    : recorder_(identity.slot, identity.seed), outer_(platform::thread_local_slot()) {
  LATCHSCOPE_ASSERT(recorder_.slot().state[0].read() == 0,
                    "a telemetry slot belongs to at most one thread at a time");
  platform::thread_local_slot() = &recorder_;
  ThreadSlot& slot = recorder_.slot();
  slot.kind[0].set(identity.kind);
  slot.ordinal[0].set(identity.ordinal);
  recorder_.set_state(ThreadState::running);
  // Releases the identity written above: a reader that sees the state also sees the kind and
  // ordinal.
  slot.state[0].set_release(slot.state[0].read());
}

ThreadScope::~ThreadScope() {
  recorder_.set_state(ThreadState::absent);
  platform::thread_local_slot() = outer_;
}

void sleep_ns(uint64_t duration_ns) {
  StateScope state(ThreadState::sleeping);
  platform::sleep_ns(duration_ns);
}

void io(platform::Device& device, uint64_t bytes) {
  StateScope state(ThreadState::io);
  platform::io(device, bytes);
}

void occupy(platform::Device& device, uint64_t duration_ns) {
  StateScope state(ThreadState::io);
  platform::occupy(device, duration_ns);
}

void reset() {
  ThreadSlot& own_slot = recorder().slot();
  const uint32_t own_state = own_slot.state[0].read();
  const uint32_t own_kind = own_slot.kind[0].read();
  for (ThreadSlot& slot : block().threads)
    clear_thread_slot(slot);
  own_slot.state[0].set(own_state);
  own_slot.kind[0].set(own_kind);
  clear_run_log();
  if constexpr (platform::kIsModelled) {
    for (auto& count : block().latencies.counts)
      count.set(0);
    reset_lanes();
    reset_latch_trace();
    reset_hot_latches();
  }
  block().header.marks_count[0].set(0);
  clear_lines(block().header.intervals_count[0], block().intervals);
  block().header.stack_samples[0].set(0);
  block().header.run_ns[0].set(0);
  block().header.run_generation[0].set_release(block().header.run_generation[0].read() + 1);
}

void end_run() {
  if constexpr (platform::kIsModelled) {
    end_lanes();
    end_latch_trace();
    end_hot_latches();
  }
}

uint64_t counter_total(Counter counter) {
  uint64_t total = 0;
  for (const ThreadSlot& slot : block().threads)
    total += slot.counters[static_cast<uint32_t>(counter)].read();
  return total;
}

LatchSiteSum latch_site_total(uint32_t latch_site) {
  LatchSiteSum sum{};
  for (const ThreadSlot& slot : block().threads) {
    const LatchSiteTotals& totals = slot.latch_sites[latch_site];
    sum.acquisitions += totals.acquisitions[0].read();
    sum.contended += totals.contended[0].read();
    sum.spin_rounds += totals.spin_rounds[0].read();
    sum.waits += totals.waits[0].read();
    sum.wait_ns += totals.wait_ns[0].read();
    sum.hold_ns += totals.hold_ns[0].read();
    sum.line_stall_ns += totals.line_stall_ns[0].read();
    sum.queue_ns += totals.queue_ns[0].read();
    sum.cost_ns += totals.cost_ns[0].read();
    sum.samples_waiting += totals.state_samples_waiting[0].read();
    sum.samples_spinning += totals.state_samples_spinning[0].read();
  }
  return sum;
}

const char* function_name(uint32_t function) {
  return reinterpret_cast<const char*>(block().functions[function].text);
}

const char* latch_name_of_site(uint32_t latch_site) {
  const uint32_t latch = block().latch_sites[latch_site].latch[0].read();
  return reinterpret_cast<const char*>(block().latches[latch].text);
}

const char* function_name_of_site(uint32_t latch_site) {
  return function_name(block().latch_sites[latch_site].function[0].read());
}

uint32_t latch_sites_count() {
  return block().header.latch_sites_count[0].read();
}

}  // namespace latchscope::telemetry
