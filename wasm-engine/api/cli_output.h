// Standard output of the command line, and the file of the run result.
#pragma once

#include <optional>
#include <string>

#include "api/run_spec.h"

namespace latchscope::api {

// The system's message for an `errno`.
std::string system_text(int error);

// Call this before any file is opened: a file opened in place of a closed standard stream would receive the
// output. Reading and writing such a stream then fails.
void open_closed_streams();

// What has been printed to standard output so far.
class Printed {
 public:
  // Writes buffered output. Returns false if that, or any earlier write, failed.
  bool flush();
  // Why it failed, after flush() returned false.
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

// The destination of the run result. A file is written beside its place and renamed when it is complete, so
// an earlier result is kept until then. A pipe or device is written directly.
class ResultFile {
 public:
  // "": nowhere; "-": standard output.
  explicit ResultFile(std::string path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  bool is_file() const { return !path_.empty() && path_ != "-"; }
  // Call it before the run, so that a wrong path does not lose the result. Returns why the file cannot be
  // written.
  std::optional<FieldError> check();
  std::optional<FieldError> write(const std::string& result);

 private:
  FieldError refused(const std::string& why) const;
  // Each returns why it failed, or "".
  std::string check_place();
  std::string create_beside(int& file);
  std::string write_beside(const std::string& result);

  const std::string path_;
  std::string place_;   // the path, or where its symbolic links lead
  std::string beside_;  // the file that is moved there; "" for a pipe or device
  unsigned mode_ = 0666;
  int stream_ = -1;  // a pipe or device
};

}  // namespace latchscope::api
