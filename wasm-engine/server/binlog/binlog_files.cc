#include "server/binlog/binlog_files.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace latchscope::server::binlog {

std::string file_name(uint32_t number) {
  char name[32];
  snprintf(name, sizeof name, "binlog.%06u", number);
  return name;
}

bool is_binlog_file(const std::string& name) {
  constexpr std::string_view kPrefix = "binlog.";
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

uint32_t file_number(const std::string& name) {
  return static_cast<uint32_t>(strtoul(name.c_str() + sizeof "binlog." - 1, nullptr, 10));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t from = 0; from < text.size();) {
    const size_t end = text.find('\n', from);
    if (end == std::string::npos) break;
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + '\n';
  return text;
}

FileGtids read_gtids(const Bytes& bytes) {
  FileGtids gtids{};
  if (bytes.size() < kBinlogMagic.size() ||
      !std::equal(kBinlogMagic.begin(), kBinlogMagic.end(), bytes.begin(),
                  [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; }))
    return gtids;
  EventReader reader(bytes, kBinlogMagic.size());
  bool has_previous = false;
  while (const auto event = reader.next()) {
    if (event->type == EventType::previous_gtids) {
      gtids.previous = gtids_of(*event);
      has_previous = true;
    }
    if (event->type == EventType::gtid) gtids.own.add(gno_of(*event));
  }
  gtids.is_sound = has_previous && reader.at_end();
  return gtids;
}

}  // namespace latchscope::server::binlog
