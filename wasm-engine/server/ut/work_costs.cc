#include "server/ut/work_costs.h"

namespace latchscope::server::ut {

namespace {

uint32_t paid_percent = platform::kWorkCostsPercent;

}  // namespace

void set_work_costs_percent(uint32_t percent) {
  paid_percent = percent;
}

void pay(uint64_t cpu_ns) {
  if (paid_percent != 0) platform::charge(cpu_ns * paid_percent / 100);
}

}  // namespace latchscope::server::ut
