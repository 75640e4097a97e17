#include "telemetry/run_log.h"

#include <algorithm>
#include <utility>

#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

// A futex lock. Word values: 0 free, 1 locked, 2 locked and a thread may be asleep.
class RunLogLock {
 public:
  void lock() {
    uint32_t expected = 0;
    if (line_.word.compare_exchange(expected, 1)) return;
    while (line_.word.exchange(2) != 0)
      platform::futex_wait(line_.word, 2);
  }
  void unlock() {
    if (line_.word.exchange(0) == 2) platform::futex_wake(line_.word, 1);
  }

 private:
  struct alignas(64) Line : platform::CacheLine {
    platform::Atomic<uint32_t> word{*this, 0};
  };
  Line line_;
};

class RunLogGuard {
 public:
  explicit RunLogGuard(RunLogLock& lock) : lock_(lock) { lock_.lock(); }
  ~RunLogGuard() { lock_.unlock(); }
  RunLogGuard(const RunLogGuard&) = delete;
  RunLogGuard& operator=(const RunLogGuard&) = delete;

 private:
  RunLogLock& lock_;
};

struct RunLog {
  RunLogLock lock;
  std::vector<std::string> pending;
  uint64_t dropped = 0;
};

RunLog& run_log() {
  static RunLog log;
  return log;
}

}  // namespace

void log_entry(std::string_view text) {
  RunLog& log = run_log();
  RunLogGuard guard(log.lock);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    publish_line(block().header.log_lines_count[0], block().log_lines, line);
    if (log.pending.size() < kPendingLogLinesMax) {
      log.pending.emplace_back(line);
    } else {
      ++log.dropped;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string> take_log_lines() {
  RunLog& log = run_log();
  RunLogGuard guard(log.lock);
  return std::exchange(log.pending, {});
}

uint64_t log_lines_dropped() {
  RunLog& log = run_log();
  RunLogGuard guard(log.lock);
  return log.dropped;
}

void clear_run_log() {
  RunLog& log = run_log();
  RunLogGuard guard(log.lock);
  log.pending.clear();
  log.dropped = 0;
  clear_lines(block().header.log_lines_count[0], block().log_lines);
}

}  // namespace latchscope::telemetry
