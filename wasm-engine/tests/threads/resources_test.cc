// The engine on a system with too few resources: it ends with a message and never hangs.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include "run/engine.h"
#include "telemetry/telemetry.h"
#include "tests/test_threads.h"

namespace latchscope::run {
namespace {

constexpr int kFailed = 3;
constexpr unsigned kHangsAfter_s = 120;
constexpr uint64_t kMib = 1 << 20;

// Called in a child process, where a failure or a hang ends only the child.
void end_at_failure() {
  alarm(kHangsAfter_s);
  platform::set_failure_handler([](const char* text) {
    fprintf(stderr, "%s\n", text);
    std::_Exit(kFailed);
  });
}

void allow_more_memory(uint64_t bytes) {
  uint64_t pages_held = 0;
  std::ifstream("/proc/self/statm") >> pages_held;
  const uint64_t bytes_max = pages_held * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{bytes_max, bytes_max};
  setrlimit(RLIMIT_AS, &limit);
}

RunSpec spec(uint32_t threads, uint32_t pool_mib) {
  auto parsed =
      parse_run_spec(R"({"version":1,"scenario":"fil-mutex-69276","threads":)" + std::to_string(threads) +
                     R"(,"parameters":{"tables":2,"rows_per_table":2000,"buffer_pool_instances":1,)" +
                     R"("buffer_pool_mib":)" + std::to_string(pool_mib) + "}}");
  EXPECT_TRUE(parsed.spec) << to_json(parsed.errors);
  return *parsed.spec;
}

class ResourcesDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (tests::kIsSanitized) GTEST_SKIP() << "sanitizers need much memory of their own";
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
};

TEST_F(ResourcesDeathTest, WithoutAllOfItsThreadsARunEndsAtOnce) {
  EXPECT_EXIT(
      {
        end_at_failure();
        Engine engine;
        RunSpec many_threads = spec(64, 3);
        allow_more_memory(100 * kMib);  // for the stacks of some threads
        engine.create(std::move(many_threads));
      },
      testing::ExitedWithCode(kFailed), "cannot start another thread");
}

TEST_F(ResourcesDeathTest, WithoutRoomForItsDataARunEndsAtOnce) {
  EXPECT_EXIT(
      {
        end_at_failure();
        Engine engine;
        RunSpec big_pool = spec(1, 64);
        allow_more_memory(16 * kMib);
        engine.create(std::move(big_pool));
      },
      testing::ExitedWithCode(kFailed), "out of memory: the engine uses");
}

TEST_F(ResourcesDeathTest, AnExceptionThatNobodyCatchesIsAFailure) {
  EXPECT_EXIT(
      {
        end_at_failure();
        platform::Thread([] { throw std::length_error("too long"); }).join();
      },
      testing::ExitedWithCode(kFailed), "uncaught exception .*length_error");
}

}  // namespace
}  // namespace latchscope::run
