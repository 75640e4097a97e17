#include "cli/signals.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "platform/platform.h"

namespace latchscope::cli::signals {

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

}  // namespace latchscope::cli::signals
