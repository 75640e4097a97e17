// The part of the interface that is the same on every host.
#include "cli/host.h"

#include <utility>

namespace latchscope::cli {

Connection::Connection(Connection&& other) noexcept
    : from_other_(std::exchange(other.from_other_, kNone)),
      to_other_(std::exchange(other.to_other_, kNone)),
      read_(std::move(other.read_)) {}

Connection::~Connection() {
  for (int end : {from_other_, to_other_}) {
    if (end != kNone) close_end(end);
  }
}

bool Connection::write_line(const std::string& line) {
  const std::string text = line + "\n";
  for (size_t written = 0; written < text.size();) {
    const size_t part = write_some(to_other_, text.data() + written, text.size() - written);
    if (part == 0) return false;
    written += part;
  }
  return true;
}

std::optional<std::string> Connection::read_line() {
  char buffer[65536];
  size_t looked_at = 0;
  for (;;) {
    const size_t end = read_.find('\n', looked_at);
    if (end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    looked_at = read_.size();
    const size_t part = read_some(from_other_, buffer, sizeof buffer);
    if (part == 0) return std::nullopt;
    read_.append(buffer, part);
  }
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, kNone)), connection_(std::move(other.connection_)) {}

}  // namespace latchscope::cli
