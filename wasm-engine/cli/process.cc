#include "cli/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cli/output.h"
#include "cli/report.h"
#include "cli/signals.h"

namespace latchscope::cli {

namespace {

constexpr int kNone = -1;

}  // namespace

Connection::Connection(Connection&& other) noexcept
    : from_other_(std::exchange(other.from_other_, kNone)),
      to_other_(std::exchange(other.to_other_, kNone)),
      read_(std::move(other.read_)) {}

Connection::~Connection() {
  for (int pipe_end : {from_other_, to_other_}) {
    if (pipe_end != kNone) close(pipe_end);
  }
}

bool Connection::write_line(const std::string& line) {
  const std::string text = line + "\n";
  for (size_t written = 0; written < text.size();) {
    const ssize_t part = write(to_other_, text.data() + written, text.size() - written);
    if (part < 0 && errno != EINTR) return false;
    written += part > 0 ? static_cast<size_t>(part) : 0;
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
    const ssize_t part = read(from_other_, buffer, sizeof buffer);
    if (part > 0) read_.append(buffer, static_cast<size_t>(part));
    if (part == 0 || (part < 0 && errno != EINTR)) return std::nullopt;
  }
}

std::optional<ChildProcess> ChildProcess::start(const std::function<void(Connection&)>& work) {
  int to_child[2], to_parent[2];  // [0]: read end; [1]: write end
  const pid_t parent = getpid();
  fflush(nullptr);
  const bool has_pipes = pipe(to_child) == 0 && pipe(to_parent) == 0;
  const pid_t process = has_pipes ? fork() : -1;
  if (process < 0) {
    fprintf(stderr, "latchscope: cannot start a process: %s\n", system_text(errno).c_str());
    return std::nullopt;
  }
  if (process == 0) {
    signals::remove_at_end("");  // the file belongs to the parent
    signals::end_with_parent(parent);
    close(to_child[1]);
    close(to_parent[0]);
    Connection connection(to_child[0], to_parent[1]);
    work(connection);
    std::_Exit(kOk);
  }
  close(to_child[0]);
  close(to_parent[1]);
  return ChildProcess(process, Connection(to_parent[0], to_child[1]));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, kNone)), connection_(std::move(other.connection_)) {}

ChildProcess::~ChildProcess() {
  if (process_ == kNone) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace latchscope::cli
