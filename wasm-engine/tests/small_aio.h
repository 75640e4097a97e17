// Simulated AIO without a buffer pool, for tests: a file of numbered pages, posters that read it in
// batches, and a handler thread per segment.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "server/aio/os_aio.h"
#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope::tests {

struct SmallAio {
  static constexpr uint32_t kFilePages = 256;

  explicit SmallAio(const server::aio::OsAioConfig& config)
      : node(device, kFilePages), os_aio(std::make_unique<server::aio::OsAio>(config)) {
    for (uint32_t page_no = 0; page_no < kFilePages; ++page_no)
      server::write_at<uint32_t>(node.file->page(page_no), server::kFilPageNo, page_no);
  }

  server::aio::IoRequest read_of(uint32_t page_no, uint8_t* buffer) {
    return {server::aio::IoType::read, &node, uint64_t{page_no} * server::kPageBytes, buffer, nullptr};
  }

  // Runs `posters` threads that each read `batches` batches of `batch_pages` random pages. Returns
  // once all reads are complete, every handler has ended and every page was checked.
  void read_in_batches(uint32_t posters, uint32_t batches, uint32_t batch_pages) {
    struct alignas(64) Line : platform::CacheLine {
      platform::Atomic<uint32_t> posters_done{*this, 0};
      platform::Atomic<uint32_t> complete{*this, 0};
      platform::Atomic<uint32_t> wrong{*this, 0};
    };
    Line line;
    const uint32_t handlers = os_aio->segments();
    run_threads(posters + handlers, [&](uint32_t ordinal) {
      if (ordinal >= posters) {
        while (const auto request = os_aio->simulated_handler(ordinal - posters)) {
          const auto page_no = static_cast<uint32_t>(request->offset_bytes / server::kPageBytes);
          const auto found = server::read_at<uint32_t>(request->buffer, server::kFilPageNo);
          line.wrong.fetch_add(found == page_no ? 0 : 1);
          memset(request->buffer, 0xff, 64);
          line.complete.fetch_add(1);
        }
        return;
      }
      std::vector<uint8_t> buffers(size_t{batches} * batch_pages * server::kPageBytes);
      uint8_t* buffer = buffers.data();
      platform::Random& random = telemetry::recorder().random();
      for (uint32_t i = 0; i < batches; ++i) {
        server::aio::AioBatch batch(*os_aio, os_aio->reads());
        for (uint32_t page = 0; page < batch_pages; ++page, buffer += server::kPageBytes)
          batch.post(read_of(random.below(kFilePages), buffer));
        batch.end();
      }
      line.posters_done.fetch_add(1);
      platform::futex_wake(line.posters_done, platform::kWakeAll);
      for (uint32_t done; (done = line.posters_done.load()) < posters;)
        platform::futex_wait(line.posters_done, done);
      if (ordinal != 0) {
        // The buffers must outlive the reads.
        while (line.complete.load() < posters * batches * batch_pages)
          platform::yield();
        return;
      }
      EXPECT_TRUE(os_aio->wait_until_idle(/*timeout_ns=*/60'000'000'000)) << "a request was forgotten";
      os_aio->request_stop();
    });
    EXPECT_EQ(line.complete.load(), posters * batches * batch_pages);
    EXPECT_EQ(line.wrong.load(), 0u);
  }

  platform::Device device{platform::kRamDevice};
  server::fil::FilNode node;
  std::unique_ptr<server::aio::OsAio> os_aio;
};

}  // namespace latchscope::tests
