// The virtual servers (scenarios/servers.json), compiled in by the build.
#pragma once

#include <span>

#include "platform/server_profile.h"

namespace latchscope::workload {

// Returns every value of a server profile, with its range.
std::span<const platform::ServerField> server_fields();
std::span<const platform::NamedServer> named_servers();

}  // namespace latchscope::workload
