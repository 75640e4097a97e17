#include "cli/host.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "cli/output.h"
#include "platform/platform.h"

namespace latchscope::cli {

size_t Connection::read_some(int end, char* bytes, size_t size) {
  ssize_t part = -1;
  do {
    part = read(end, bytes, size);
  } while (part < 0 && errno == EINTR);
  return part > 0 ? static_cast<size_t>(part) : 0;
}

size_t Connection::write_some(int end, const char* bytes, size_t size) {
  ssize_t part = -1;
  do {
    part = write(end, bytes, size);
  } while (part < 0 && errno == EINTR);
  return part > 0 ? static_cast<size_t>(part) : 0;
}

void Connection::close_end(int end) {
  close(end);
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

ChildProcess::~ChildProcess() {
  if (process_ == kNone) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<ChildProcess::Ended> ChildProcess::await_one(const std::vector<ChildProcess*>& children) {
  int status = 0;
  pid_t process = -1;
  do {
    process = wait(&status);
  } while (process < 0 && errno == EINTR);
  const auto ended =
      std::ranges::find(children, process, [](const ChildProcess* each) { return each->process_; });
  if (process < 0 || ended == children.end()) return std::nullopt;
  (*ended)->process_ = kNone;
  return Ended{static_cast<size_t>(ended - children.begin()), WIFEXITED(status) ? WEXITSTATUS(status) : -1,
               WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

void host::prepare_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int host::process_id() {
  return getpid();
}

size_t host::cores() {
  return static_cast<size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

namespace signals {

namespace {

constexpr uint64_t kSameKeyPressNs = 500'000'000;
constexpr struct {
  int number;
  const char* name;
} kEndSignals[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

// Written by the main thread, read in the handler, which runs on any thread.
platform::Published<uint32_t> is_running;
platform::Published<uint32_t> has_file_to_remove;
char file_to_remove[PATH_MAX];
// Written in the handler.
platform::Published<uint32_t> first_signal;
platform::Published<uint64_t> first_came_ns;

uint64_t clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The signal itself ends the program as soon as the handler returns.
void end_at_once(int number) {
  if (has_file_to_remove.read_acquire() != 0) unlink(file_to_remove);
  signal(number, SIG_DFL);
  kill(getpid(), number);
}

bool asks_the_run_to_end() {
  return is_running.read() != 0 && first_signal.read_acquire() == 0;
}

bool is_the_key_press_of_the_first() {
  return is_running.read() != 0 && clock_ns() <= first_came_ns.read() + kSameKeyPressNs;
}

void on_signal(int number) {
  if (asks_the_run_to_end()) {
    first_came_ns.set(clock_ns());
    first_signal.set_release(static_cast<uint32_t>(number));
  } else if (!is_the_key_press_of_the_first()) {
    end_at_once(number);
  }
}

void handle(int number) {
  struct sigaction before{};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const auto& each : kEndSignals)
    sigaddset(&action.sa_mask, each.number);
  sigaction(number, &action, nullptr);
}

}  // namespace

void take_over() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  for (const auto& each : kEndSignals)
    handle(each.number);
}

void end_with_parent(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) kill(getpid(), SIGTERM);  // the parent has already ended
}

void run_begins() {
  is_running.set(1);
}

const char* run_is_to_end() {
  const uint32_t number = first_signal.read_acquire();
  for (const auto& each : kEndSignals) {
    if (static_cast<uint32_t>(each.number) == number) return each.name;
  }
  return nullptr;
}

void remove_at_end(const std::string& path) {
  has_file_to_remove.set_release(0);
  if (path.empty() || path.size() >= sizeof file_to_remove) return;
  path.copy(file_to_remove, path.size());
  file_to_remove[path.size()] = 0;
  has_file_to_remove.set_release(1);
}

}  // namespace signals

}  // namespace latchscope::cli
