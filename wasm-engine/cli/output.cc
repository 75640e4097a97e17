#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/host.h"

namespace latchscope::cli {

namespace {

constexpr size_t kErrorsShown = 20;
constexpr int kLinksMax = 40;
constexpr size_t kNameBytesMax = 255;  // of Linux's file systems
constexpr int kReaderWaitMs = 5'000;
constexpr int kReaderLookMs = 20;

// Returns why the text could not be written, or "".
std::string write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return system_text(errno);
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
  return "";
}

std::string behind_links(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path place(path);
  std::error_code error;
  for (int i = 0; i < kLinksMax && fs::is_symlink(fs::symlink_status(place, error)); ++i)
    place = place.parent_path() / fs::read_symlink(place, error);
  return place.string();
}

// Returns a name in the same folder that begins like the given one, as far as there is room.
std::string name_beside(const std::string& place) {
  const std::string suffix = ".tmp-" + std::to_string(host::process_id());
  const std::filesystem::path path(place);
  std::string name = path.filename().string();
  name.resize(std::min(name.size(), kNameBytesMax - suffix.size()));
  return (path.parent_path() / (name + suffix)).string();
}

// Waits a little for a reader of a pipe, which may start later. Returns -1 and sets errno to ENXIO
// if none comes.
int open_stream(const std::string& place) {
  int stream = -1;
  for (int waited_ms = 0; waited_ms <= kReaderWaitMs; waited_ms += kReaderLookMs) {
    stream = open(place.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (stream >= 0 || errno != ENXIO) break;
    const timespec pause{0, kReaderLookMs * 1'000'000L};
    nanosleep(&pause, nullptr);
    errno = ENXIO;
  }
  if (stream >= 0) fcntl(stream, F_SETFL, fcntl(stream, F_GETFL) & ~O_NONBLOCK);
  return stream;
}

}  // namespace

std::string system_text(int error) {
  return std::generic_category().message(error);
}

bool Printed::flush() {
  if (!problem_.empty()) return false;
  if (fflush(stdout) != 0) {
    problem_ = system_text(errno);
  } else if (ferror(stdout) != 0) {
    problem_ = "earlier output was lost";
  }
  return problem_.empty();
}

ResultFile::ResultFile(std::string path) : path_(std::move(path)) {}

ResultFile::~ResultFile() {
  if (stream_ >= 0) close(stream_);
}

FieldError ResultFile::refused(const std::string& why) const {
  // Shortens the path, so that the reason is not cut off.
  constexpr size_t kShownMax = 100;
  const std::string shown = path_.size() <= kShownMax ? path_ : path_.substr(0, kShownMax) + "...";
  return FieldError::of("--json", shown + " (" + why + ")", "a writable file, or - for standard output");
}

std::optional<FieldError> ResultFile::check() {
  if (!is_file()) return std::nullopt;
  const std::string problem = check_place();
  if (problem.empty()) return std::nullopt;
  return refused(problem);
}

std::string ResultFile::check_place() {
  place_ = behind_links(path_);
  struct stat status{};
  const bool exists = stat(place_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return system_text(errno);
  if (exists && S_ISDIR(status.st_mode)) return "a folder";
  if (exists && !S_ISREG(status.st_mode)) {
    stream_ = open_stream(place_);
    if (stream_ < 0 && errno == ENXIO && S_ISFIFO(status.st_mode)) return "a pipe without a reader";
    return stream_ < 0 ? system_text(errno) : "";
  }
  if (exists && access(place_.c_str(), W_OK) != 0) return system_text(errno);
  if (exists) mode_ = status.st_mode & 07777u;
  beside_ = name_beside(place_);
  int file = -1;
  const std::string problem = create_beside(file);
  if (file >= 0) close(file);
  unlink(beside_.c_str());
  signals::remove_at_end("");
  return problem;
}

// A file of this name can only be left over from a process that has ended.
std::string ResultFile::create_beside(int& file) {
  unlink(beside_.c_str());
  signals::remove_at_end(beside_);
  file = open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return file < 0 ? system_text(errno) : "";
}

std::optional<FieldError> ResultFile::write(const std::string& result) {
  if (!is_file()) return std::nullopt;
  const std::string problem = stream_ >= 0 ? write_all(stream_, result + '\n') : write_beside(result + '\n');
  if (problem.empty()) return std::nullopt;
  return refused(problem);
}

std::string ResultFile::write_beside(const std::string& result) {
  int file = -1;
  std::string problem = create_beside(file);
  if (!problem.empty()) return problem;
  if (mode_ != 0666) fchmod(file, mode_);
  problem = write_all(file, result);
  if (problem.empty() && fsync(file) != 0) problem = system_text(errno);
  if (close(file) != 0 && problem.empty()) problem = system_text(errno);
  if (!problem.empty()) unlink(beside_.c_str());
  signals::remove_at_end("");
  if (!problem.empty()) return problem;
  if (rename(beside_.c_str(), place_.c_str()) == 0) return "";
  return system_text(errno) + "; the run result is in " + beside_;
}

int report(const std::vector<FieldError>& errors) {
  const size_t shown = std::min(errors.size(), kErrorsShown);
  for (size_t i = 0; i < shown; ++i)
    fprintf(stderr, "latchscope: %s\n", errors[i].sentence().c_str());
  if (shown < errors.size()) fprintf(stderr, "latchscope: and %zu more errors\n", errors.size() - shown);
  return kBadUsage;
}

int cannot_write(const FieldError& error) {
  report({error});
  return kCannotWrite;
}

int cannot_print(const Printed& printed) {
  fprintf(stderr, "latchscope: cannot write to standard output: %s\n", printed.problem().c_str());
  return kCannotWrite;
}

int deliver(ResultFile& file, Printed& printed, const std::string& result) {
  if (file.is_standard_output()) printf("%s\n", result.c_str());
  if (const auto error = file.write(result)) return cannot_write(*error);
  return printed.flush() || file.is_file() ? kOk : cannot_print(printed);
}

void warn_if_stopped_early(const std::string& run, const std::string& why) {
  if (!why.empty()) fprintf(stderr, "latchscope: %s: a run ended early: %s\n", run.c_str(), why.c_str());
}

void report_failure(const char* text) {
  fprintf(stderr, "latchscope: the engine stopped: %s\n", text);
  fflush(nullptr);
  std::_Exit(kEngineFailed);
}

ProgressBar::ProgressBar(size_t total) : total_(total), is_terminal_(isatty(STDERR_FILENO) != 0) {
  draw(text(0, total_));
}

ProgressBar::~ProgressBar() {
  draw("");
}

void ProgressBar::advance() {
  draw(text(++done_, total_));
}

std::string ProgressBar::text(size_t done, size_t total) {
  constexpr size_t kWidth = 30;
  const size_t filled = total == 0 ? kWidth : kWidth * done / total;
  const size_t percent = total == 0 ? 100 : 100 * done / total;
  return "[" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] " + std::to_string(percent) +
         " %";
}

void ProgressBar::draw(const std::string& text) const {
  constexpr const char* kStartOfLine = "\r\x1b[K";
  if (is_terminal_) fprintf(stderr, "%s%s", kStartOfLine, text.c_str());
}

}  // namespace latchscope::cli
