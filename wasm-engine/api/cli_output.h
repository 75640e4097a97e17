// Where the command line prints to, and the file of the run result.
#pragma once

#include <optional>
#include <string>

#include "api/run_spec.h"

namespace latchscope::api {

// What the system says of an `errno`.
std::string system_text(int error);

// To be called before any file is opened: one that took the place of a closed standard stream would receive what is
// printed. Reading and writing such a stream fails.
void open_closed_streams();

// What was printed to standard output so far.
class Printed {
 public:
  // Writes what is still to be written. False if that, or anything before it, could not be written.
  bool flush();
  // Why it could not, once flush() has said so.
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

// Where the run result goes. A file is written beside its place and moved there when it is whole, so that an earlier
// result is kept until then; a pipe or device is written as it is.
class ResultFile {
 public:
  // "": nowhere; "-": standard output.
  explicit ResultFile(std::string path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  bool is_file() const { return !path_.empty() && path_ != "-"; }
  // Before the run, so that it is not lost to a wrong path: why the file cannot be written.
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
