#include "run/counted_reading.h"

namespace latchscope::run {

CountedReading CountedReading::of(const RunReading& run) {
  CountedReading reading{run, {}};
  reading.sites.reserve(telemetry::latch_sites_count());
  for (uint32_t site = 0; site < telemetry::latch_sites_count(); ++site)
    reading.sites.push_back(telemetry::latch_site_total(site));
  return reading;
}

CountedReading CountedReading::of_beginning() {
  return {{}, std::vector<telemetry::LatchSiteSum>(telemetry::latch_sites_count())};
}

}  // namespace latchscope::run
