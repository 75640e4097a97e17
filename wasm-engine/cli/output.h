// Standard output of the command line, and the file of the run result.
#pragma once

#include <optional>
#include <string>

#include "run/run_spec.h"

namespace latchscope::cli {

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
  // Returns why the file cannot be written, if so. Call it before the run, so that a wrong path
  // does not lose the result.
  std::optional<run::FieldError> check();
  std::optional<run::FieldError> write(const std::string& result);

 private:
  run::FieldError refused(const std::string& why) const;
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

}  // namespace latchscope::cli
