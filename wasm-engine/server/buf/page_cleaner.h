// The page cleaner thread. Source: MySQL 5.6 and 8.0 buf0flu (buf_flush_page_cleaner_thread). It
// keeps some frames of each buffer pool instance free. It runs once per period, and whenever a
// client finds no free frame.
#pragma once

#include <cstdint>

#include "platform/platform.h"
#include "server/buf/buf_pool.h"

namespace latchscope::server::buf {

class PageCleaner {
 public:
  PageCleaner(BufPool& pool, uint64_t period_ns) : pool_(pool), period_ns_(period_ns) {}

  // Thread body; returns soon after request_stop().
  void run();
  void request_stop();

 private:
  BufPool& pool_;
  const uint64_t period_ns_;
  struct alignas(64) StopLine : platform::CacheLine {
    platform::Atomic<uint32_t> is_requested{*this, 0};
  };
  StopLine stop_;
};

}  // namespace latchscope::server::buf
