// What the command line prints and writes: errors, standard output, the file of the result, and how
// much of a batch is done. docs/reference/command-line.md lists the exit codes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "run/run_spec.h"

namespace latchscope::cli {

using run::FieldError;
using run::Json;
using run::RunSpec;
using run::RunSpecOrErrors;

enum ExitCode { kOk = 0, kInvariantBroken = 1, kBadUsage = 2, kEngineFailed = 3, kCannotWrite = 4 };

// Returns the system's message for an `errno`.
std::string system_text(int error);

// What has been printed to standard output so far.
class Printed {
 public:
  // Writes buffered output. Returns false if this write, or any earlier one, failed.
  bool flush();
  // Returns why a write failed, after flush() has returned false.
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

// The destination of the run result. A file is written next to its final place and renamed when
// complete, so an earlier result stays intact until then. A pipe or device is written directly.
class ResultFile {
 public:
  // "": nowhere; "-": standard output.
  explicit ResultFile(std::string path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  bool is_file() const { return !path_.empty() && path_ != "-"; }
  bool is_standard_output() const { return path_ == "-"; }
  // Returns why the file cannot be written, if so. Call it before the run, so that a wrong path
  // does not lose the result.
  std::optional<FieldError> check();
  std::optional<FieldError> write(const std::string& result);

 private:
  FieldError refused(const std::string& why) const;
  // Each returns why it failed, or "".
  std::string check_place();
  std::string create_beside(int& file);
  std::string write_beside(const std::string& result);

  const std::string path_;
  std::string place_;   // the path, or the target of its symbolic links
  std::string beside_;  // the temporary file, which is moved to `place_`; "" for a pipe or device
  unsigned mode_ = 0666;
  int stream_ = -1;  // a pipe or device
};

// Each prints to standard error and returns the exit code.
int report(const std::vector<FieldError>& errors);
int cannot_write(const FieldError& error);
int cannot_print(const Printed& printed);
// Writes a command's result to its destination, after what the command has printed. Returns the exit
// code.
int deliver(ResultFile& file, Printed& printed, const std::string& result);
// Prints to standard error that a run ended early, if `why` says so.
void warn_if_stopped_early(const std::string& run, const std::string& why);
// Handles failures (platform/failure.h): ends the process.
void report_failure(const char* text);

// Draws on standard error how much of a batch is done, if that is a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(size_t total);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();  // removes the bar

  void advance();

  // Returns text such as "[####....] 50 %".
  static std::string text(size_t done, size_t total);

 private:
  void draw(const std::string& text) const;

  const size_t total_;
  const bool is_terminal_;
  size_t done_ = 0;
};

}  // namespace latchscope::cli
