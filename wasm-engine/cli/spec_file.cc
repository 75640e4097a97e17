#include "cli/spec_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace latchscope::cli {

namespace {

constexpr int kWriterWaitMs = 5'000;
constexpr const char* kAllowed = "a file of at most 1 MiB with a run spec (JSON), or - for standard input";

SpecText refused(const std::string& path, const std::string& why) {
  return {"", FieldError::of("--spec", path + " (" + why + ")", kAllowed)};
}

// The text read so far, or why it could not be read.
class Input {
 public:
  explicit Input(const std::string& path)
      : is_own_(path != "-"),
        // Opens without blocking, because a pipe may have no writer yet.
        file_(is_own_ ? open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO) {
    if (file_ < 0) problem_ = system_text(errno);
  }
  ~Input() {
    if (is_own_ && file_ >= 0) close(file_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::string read_all() {
    check_kind();
    std::string text;
    while (problem_.empty() && read_more(text)) {
      if (text.size() > kSpecFileBytesMax) problem_ = "more than 1 MiB";
    }
    if (problem_.empty() && text.empty()) problem_ = "empty";
    return text;
  }
  const std::string& problem() const { return problem_; }

 private:
  void check_kind() {
    if (!problem_.empty()) return;
    struct stat status{};
    if (fstat(file_, &status) != 0) {
      problem_ = system_text(errno);
    } else if (S_ISDIR(status.st_mode)) {
      problem_ = "a folder";
    } else if (is_own_ && S_ISFIFO(status.st_mode) && !wait_for_input(kWriterWaitMs)) {
      problem_ = "a pipe without a writer";
    }
  }

  bool wait_for_input(int timeout_ms) const {
    pollfd waiting{file_, POLLIN, 0};
    int count = 0;
    do {
      count = poll(&waiting, 1, timeout_ms);
    } while (count < 0 && errno == EINTR);
    return count != 0;
  }

  // Returns false at the end of the input.
  bool read_more(std::string& text) {
    char bytes[4096];
    const ssize_t count = read(file_, bytes, sizeof bytes);
    if (count > 0) {
      text.append(bytes, static_cast<size_t>(count));
      return true;
    }
    if (count == 0) return false;
    if (errno == EAGAIN) {
      wait_for_input(-1);
    } else if (errno != EINTR) {
      problem_ = system_text(errno);
    }
    return true;
  }

  const bool is_own_;
  const int file_;
  std::string problem_;
};

}  // namespace

SpecText read_spec_file(const std::string& path) {
  Input input(path);
  std::string text = input.read_all();
  if (!input.problem().empty()) return refused(path, input.problem());
  return {std::move(text), std::nullopt};
}

run::LabProgramOrErrors read_lab_program_file(const std::string& path) {
  const SpecText text = read_spec_file(path);
  if (text.error) return {std::nullopt, {FieldError::of("latch", text.error->value, text.error->allowed)}};
  return run::read_lab_program(text.text);
}

}  // namespace latchscope::cli
