// A process beside this one with a run of its own, and lines of text to it and back.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace latchscope::api {

// One end of a connection between two processes.
class Connection {
 public:
  Connection(int from_other, int to_other) : from_other_(from_other), to_other_(to_other) {}
  Connection(Connection&& other) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  // False if nobody is there any more.
  bool write_line(const std::string& line);
  // Nothing if nobody is there any more.
  std::optional<std::string> read_line();

 private:
  int from_other_, to_other_;  // pipes
  std::string read_;           // beyond the last line
};

class ChildProcess {
 public:
  // A copy of this process as it is now, fibers included, carries out `work` and ends. It ends too when this process does.
  // Nothing, with a line on standard error, if the host refuses it.
  static std::optional<ChildProcess> start(const std::function<void(Connection&)>& work);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess& operator=(ChildProcess&&) = delete;
  // Ends it, if it has not ended.
  ~ChildProcess();

  Connection& connection() { return connection_; }

 private:
  ChildProcess(int process, Connection connection) : process_(process), connection_(std::move(connection)) {}

  int process_;
  Connection connection_;
};

}  // namespace latchscope::api
