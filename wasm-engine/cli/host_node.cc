// Implements cli/host.h in Node.js. A process is a worker thread with a module and a memory of its
// own. A copy of a process is a worker that starts with a copy of the memory. tools/node-engine
// implements the imports below; host_node.js passes them on.
#include <emscripten/emscripten.h>
#include <emscripten/stack.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "cli/host.h"
#include "cli/output.h"

extern "C" {
int latchscope_host_process_id();
uint32_t latchscope_host_cores();
// Copies the memory below `memory_end` to a new worker, which then calls latchscope_run_copy. Returns
// the number of the copy, which is also the number of the connection to it, or -1. The connection to
// the parent has the number 0.
int latchscope_host_start_copy(const void* work, uintptr_t stack_pointer, uintptr_t memory_end);
void latchscope_host_end_copy(int copy);
// Return the number of bytes, or 0 if the other process has gone.
size_t latchscope_host_read(int connection, char* bytes, size_t size);
size_t latchscope_host_write(int connection, const char* bytes, size_t size);
// Waits until one of the copies has ended, and returns its index.
size_t latchscope_host_await_one(const int* copies, size_t count);
int latchscope_host_exit_code(int copy);

void latchscope_host_end_with_parent(int parent);
void latchscope_host_run_begins();
int latchscope_host_first_signal();
void latchscope_host_remove_at_end(const char* path);

// Return a negated error number on failure. `flags`: names of fs.constants, each followed by a blank.
int latchscope_host_open(const char* path, const char* flags, int mode);
// `path`: null for the status of an open file.
int latchscope_host_status(const char* path, int file, bool follows_links, uint32_t* mode, double* size);
// Waits for input of a pipe. `timeout_ms`: negative for none. Returns 1, or 0 after the time.
int latchscope_host_await_input(int file, int timeout_ms);
}

namespace latchscope::cli {

namespace {

constexpr int kParent = 0;
constexpr size_t kUngetBytes = 8;  // which the C library takes off a buffer

using Work = std::function<void(Connection&)>;

int read_status(const char* path, int file, bool follows_links, struct stat& status) {
  uint32_t mode = 0;
  double size = 0;
  const int result = latchscope_host_status(path, file, follows_links, &mode, &size);
  status = {};
  status.st_mode = mode;
  status.st_size = static_cast<off_t>(size);
  return result;
}

}  // namespace

// --- system calls with structures or flags, which the C library passes as addresses ----------------

extern "C" int __syscall_stat64(const char* path, struct stat* status) {
  return read_status(path, -1, true, *status);
}

extern "C" int __syscall_lstat64(const char* path, struct stat* status) {
  return read_status(path, -1, false, *status);
}

extern "C" int __syscall_fstat64(int file, struct stat* status) {
  return read_status(nullptr, file, true, *status);
}

extern "C" int __syscall_newfstatat(int /*folder*/, const char* path, struct stat* status, int flags) {
  return read_status(path, -1, (flags & AT_SYMLINK_NOFOLLOW) == 0, *status);
}

extern "C" int __syscall_openat(int /*folder*/, const char* path, int flags, ...) {
  std::string names;
  for (const auto& [flag, name] :
       std::initializer_list<std::pair<int, const char*>>{{O_WRONLY, "O_WRONLY "},
                                                          {O_RDWR, "O_RDWR "},
                                                          {O_CREAT, "O_CREAT "},
                                                          {O_EXCL, "O_EXCL "},
                                                          {O_NOCTTY, "O_NOCTTY "},
                                                          {O_TRUNC, "O_TRUNC "},
                                                          {O_NONBLOCK, "O_NONBLOCK "}}) {
    if ((flags & flag) == flag) names += name;
  }
  va_list rest;
  va_start(rest, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
  va_end(rest);
  return latchscope_host_open(path, names.c_str(), mode);
}

// Waits for the first file only.
extern "C" int __syscall_poll(pollfd* polled, int /*count*/, int timeout_ms) {
  const int result = latchscope_host_await_input(polled->fd, timeout_ms);
  polled->revents = result > 0 ? POLLIN : 0;
  return result;
}

// --- cli/host.h ------------------------------------------------------------------------------------

extern "C" EMSCRIPTEN_KEEPALIVE void latchscope_run_copy(const Work* work) {
  {
    Connection parent(kParent, kParent);
    (*work)(parent);
  }
  std::_Exit(kOk);
}

size_t Connection::read_some(int end, char* bytes, size_t size) {
  return latchscope_host_read(end, bytes, size);
}

size_t Connection::write_some(int end, const char* bytes, size_t size) {
  return latchscope_host_write(end, bytes, size);
}

// A connection ends with the copy.
void Connection::close_end(int /*end*/) {}

std::optional<ChildProcess> ChildProcess::start(const Work& work) {
  fflush(nullptr);
  const auto memory_end = reinterpret_cast<uintptr_t>(sbrk(0));
  const int copy = latchscope_host_start_copy(&work, emscripten_stack_get_current(), memory_end);
  if (copy < 0) {
    fprintf(stderr, "latchscope: cannot start a process: not enough memory to copy %zu MiB\n",
            static_cast<size_t>(memory_end >> 20));
    return std::nullopt;
  }
  return ChildProcess(copy, Connection(copy, copy));
}

ChildProcess::~ChildProcess() {
  if (process_ != kNone) latchscope_host_end_copy(process_);
}

std::optional<ChildProcess::Ended> ChildProcess::await_one(const std::vector<ChildProcess*>& children) {
  std::vector<int> copies;
  for (const ChildProcess* child : children)
    copies.push_back(child->process_);
  const size_t index = latchscope_host_await_one(copies.data(), copies.size());
  children[index]->process_ = kNone;
  return Ended{index, latchscope_host_exit_code(copies[index]), 0};
}

// Gives standard output the buffer that it has natively. With the 1 KiB of this C library, an error
// would show earlier, as output that was lost.
void host::prepare_streams() {
  static char buffer[4096 + kUngetBytes];
  setvbuf(stdout, buffer, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, sizeof buffer);
}

int host::process_id() {
  return latchscope_host_process_id();
}

size_t host::cores() {
  return latchscope_host_cores();
}

namespace signals {

// The main thread handles signals: it has an event loop, which the engine's worker does not run.
void take_over() {}

void end_with_parent(int parent) {
  latchscope_host_end_with_parent(parent);
}

void run_begins() {
  latchscope_host_run_begins();
}

const char* run_is_to_end() {
  switch (latchscope_host_first_signal()) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return nullptr;
  }
}

void remove_at_end(const std::string& path) {
  latchscope_host_remove_at_end(path.c_str());
}

}  // namespace signals

}  // namespace latchscope::cli
