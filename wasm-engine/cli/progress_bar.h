// Draws on standard error how much of a batch is done, if that is a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace latchscope::cli {

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
