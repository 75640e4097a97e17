// A second process with a run of its own, which exchanges lines of text with this one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace latchscope::cli {

// One end of a connection between two processes.
class Connection {
 public:
  Connection(int from_other, int to_other) : from_other_(from_other), to_other_(to_other) {}
  Connection(Connection&& other) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  // Returns false if the other process has gone.
  bool write_line(const std::string& line);
  // Returns nothing if the other process has gone.
  std::optional<std::string> read_line();

 private:
  int from_other_, to_other_;  // pipes
  std::string read_;           // read bytes beyond the last line
};

class ChildProcess {
 public:
  // Starts a copy of this process in its present state, fibers included, that runs `work` and ends.
  // The copy also ends when this process does. Returns nothing, after a line on standard error, if
  // the host rejects it.
  static std::optional<ChildProcess> start(const std::function<void(Connection&)>& work);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess& operator=(ChildProcess&&) = delete;
  // Ends the process, if it has not ended.
  ~ChildProcess();

  Connection& connection() { return connection_; }

 private:
  ChildProcess(int process, Connection connection) : process_(process), connection_(std::move(connection)) {}

  int process_;
  Connection connection_;
};

}  // namespace latchscope::cli
