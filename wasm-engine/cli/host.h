// The host of the command line: its process, copies of it, and signals. host_native.cc implements
// this interface with fork, pipes and signal handlers, host_node.cc with workers of Node.js.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace latchscope::cli {

// One end of a connection between two processes. It carries lines of text.
class Connection {
 public:
  // The ends are pipes natively; Node.js numbers them.
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
  // Each waits, transfers at least one byte and returns how many, or 0 if the other process has gone.
  static size_t read_some(int end, char* bytes, size_t size);
  static size_t write_some(int end, const char* bytes, size_t size);
  static void close_end(int end);

  static constexpr int kNone = -1;

  int from_other_, to_other_;
  std::string read_;  // read bytes beyond the last line
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

  // What the process has written can be read after its end too, up to 64 KiB.
  Connection& connection() { return connection_; }

  struct Ended {
    size_t index;   // in `children`
    int exit_code;  // if no signal ended the process
    int signal;     // 0: none
  };
  // Waits until one of the processes ends. Returns nothing if the host cannot wait.
  //
  // REQUIRES: this process has no other children.
  static std::optional<Ended> await_one(const std::vector<ChildProcess*>& children);

 private:
  static constexpr int kNone = -1;

  ChildProcess(int process, Connection connection) : process_(process), connection_(std::move(connection)) {}

  int process_;
  Connection connection_;
};

namespace host {

// Prepares the standard streams. If one is closed, its reads and writes then fail: otherwise a file
// opened in its place would receive the output. (Node.js replaces a closed stream by /dev/null.)
//
// REQUIRES: no file has been opened yet.
void prepare_streams();

int process_id();
size_t cores();

}  // namespace host

// The effect of SIGINT, SIGTERM and SIGHUP on the command line.
//
//     while nothing runs     the program ends at once, by that signal
//     while a scenario runs  the first signal asks for the end of the run; a second one ends the
//                            program at once
//
// One Ctrl-C reaches the program several times: from the terminal, and again through npm and
// similar tools. So signals within half a second of the first count as one. Natively, a signal that
// was ignored when the program started stays ignored (nohup).
namespace signals {

// Installs the handlers. From then on, a write to a broken pipe, or beyond the file size limit, is
// an ordinary error.
//
// REQUIRES: nothing else has run yet; called once.
void take_over();
// Ends the program as if by SIGTERM when its parent process ends.
void end_with_parent(int parent);

// Call it when a scenario starts to run.
void run_begins();
// Returns the signal that asked to end the run, such as "SIGINT", or null.
const char* run_is_to_end();

// Sets the file to remove if the program is ended at once; "": none.
void remove_at_end(const std::string& path);

}  // namespace signals

}  // namespace latchscope::cli
