#include "cli/progress_bar.h"

#include <unistd.h>

#include <cstdio>

namespace latchscope::cli {

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
