#include <gtest/gtest.h>

#include "run/run_spec.h"

namespace latchscope::run {
namespace {

// A page starts its threads when it loads, so clients and I/O threads share a limited number. A
// virtual server has enough threads for all.
TEST(AioWakeup, ClientsAndIoThreadsShareTheThreadsOfAPage) {
  const struct {
    const char* spec;
    const char* allowed;
  } cases[] = {
      {R"({"version":1,"scenario":"aio-wakeup-95491","threads":37,)"
       R"("parameters":{"read_io_threads":16,"write_io_threads":16}})",
       "at most 36"},
      {R"({"version":1,"scenario":"aio-wakeup-95491","threads":61})", "1 to 60"},
  };
  for (const auto& bad : cases) {
    const RunSpecOrErrors parsed = parse_run_spec(bad.spec);
    ASSERT_EQ(parsed.errors.size(), 1u);
    EXPECT_EQ(parsed.errors[0].field, "threads");
    EXPECT_NE(parsed.errors[0].allowed.find(bad.allowed), std::string::npos) << parsed.errors[0].allowed;
  }
}

}  // namespace
}  // namespace latchscope::run
