#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "explain/explain.h"
#include "explain/explain_names.h"
#include "run/json.h"

namespace latchscope::explain {

namespace {

// Writes JSON as text, without a tree of JSON values: an explanation may have a million parts.
class JsonText {
 public:
  explicit JsonText(const Explanation& explanation)
      : explanation_(explanation), began_ps_(explanation.explained.transaction.began_ps) {}

  std::string write() {
    const telemetry::Transaction& transaction = explanation_.explained.transaction;
    text_ = "{\"version\":1,\"spec\":" + run::to_json(explanation_.spec);
    field("asked_for", explanation_.choice.text);
    if (const auto& window = explanation_.choice.window) {
      name("window");
      text_ += "{\"from_ps\":" + std::to_string(window->from_ps);
      field("to_ps", window->to_ps);
      text_ += "}";
    }
    field("transactions", explanation_.transactions);
    if (transaction.is_over) field("rank", explanation_.rank);
    field("chain_depth_max", kChainDepthMax);
    field("chain_parts_max", kChainPartsMax);
    text_ += ",\"transaction\":{\"thread\":" + quoted(explanation_.thread_name(transaction.slot));
    field("slot", transaction.slot);
    field("ordinal", transaction.ordinal);
    field("began_ps", transaction.began_ps);
    field("began_run_ps", transaction.began_ps - explanation_.run_began_ps);
    field("latency_ps", transaction.latency_ps());
    name("is_over");
    text_ += transaction.is_over ? "true" : "false";
    field("chain_parts", explanation_.explained.chain_parts);
    write_parts("parts", explanation_.explained.parts);
    text_ += "}";
    if (explanation_.blame) write_blame(*explanation_.blame);
    return std::move(text_) + "}";
  }

 private:
  static std::string quoted(const std::string& text) { return run::Json(text).dump(); }
  void name(const char* field_name) {
    text_ += ",\"";
    text_ += field_name;
    text_ += "\":";
  }
  void field(const char* field_name, const std::string& value) {
    name(field_name);
    text_ += quoted(value);
  }
  void field(const char* field_name, uint64_t value) {
    name(field_name);
    text_ += std::to_string(value);
  }
  void field_unless_empty(const char* field_name, const std::string& value) {
    if (!value.empty()) field(field_name, value);
  }

  void write_parts(const char* field_name, const std::vector<Part>& parts) {
    name(field_name);
    char separator = '[';
    for (const Part& part : parts) {
      text_ += separator;
      separator = ',';
      write_part(part);
    }
    text_ += parts.empty() ? "[]" : "]";
  }

  void write_part(const Part& part) {
    text_ += "{\"state\":" + quoted(name_of(part.state));
    field("from_ps", part.from_ps - began_ps_);
    field("ps", part.ps());
    field_unless_empty("latch", latch_of_site(part.site));
    if (part.latch != 0) field("latch_number", part.latch - explanation_.latches_before);
    field_unless_empty("site", function_of_site(part.site));
    field_unless_empty("function", name_of_function(part.function));
    if (part.behind != Behind::nothing) write_behind(part);
    text_ += "}";
  }

  void write_behind(const Part& part) {
    field("behind", name_of(part.behind));
    if (!is_thread(part.behind)) return;
    name("holder");
    text_ += "{\"thread\":" + quoted(explanation_.thread_name(part.behind_slot));
    field("slot", part.behind_slot);
    if (part.behind == Behind::holder) {
      field("latch", telemetry::latch_name_of_site(part.holder_site));
      field("site", telemetry::function_name_of_site(part.holder_site));
      field("held_for_ps", part.from_ps - part.held_since_ps);
      field("holders", part.holders);
    }
    text_ += "}";
    field_unless_empty("cut", kNamesOfCuts[static_cast<size_t>(part.cut)]);
    write_parts("chain", part.chain);
  }

  void write_blame(const BlameOfSlowest& of_slowest) {
    const Blame& blame = of_slowest.blame;
    text_ += ",\"blame\":{\"transactions\":" + std::to_string(blame.transactions);
    field("slowest_1_percent", of_slowest.slowest);
    field("left_out", of_slowest.left_out);
    field("latency_ps", blame.latency_ps);
    rows("by_state", blame.by_state, [&](telemetry::ThreadState state) { first("state", name_of(state)); });
    rows("by_latch", blame.by_latch, [&](const std::string& latch) { first("latch", latch); });
    rows("by_site", blame.by_site, [&](uint32_t site) {
      first("latch", latch_of_site(site));
      field("site", function_of_site(site));
    });
    rows("by_holder", blame.by_holder, [&](const Blame::HolderKey& key) {
      const auto [behind, site, holder_site] = key;
      first("latch", latch_of_site(site));
      field("site", function_of_site(site));
      field("behind", name_of(behind));
      field_unless_empty("holder_latch", latch_of_site(holder_site));
      field_unless_empty("holder_site", function_of_site(holder_site));
    });
    rows("by_end", blame.by_end, [&](const Blame::End& end) {
      first("state", name_of(end.state));
      field_unless_empty("latch", latch_of_site(end.site));
      field_unless_empty("site", function_of_site(end.site));
      field_unless_empty("function", name_of_function(end.function));
      if (end.behind != Behind::nothing) field("behind", name_of(end.behind));
    });
    text_ += "}";
  }
  void first(const char* field_name, const std::string& value) {
    text_ += "{\"" + std::string(field_name) + "\":" + quoted(value);
  }

  template <class Key, class WriteKey>
  void rows(const char* field_name, const std::map<Key, uint64_t>& times, WriteKey write_key) {
    const auto sorted = longest_first(times);
    name(field_name);
    text_ += "[";
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (i > 0) text_ += ",";
      write_key(sorted[i].first);
      field("ps", sorted[i].second);
      name("share");
      const auto whole = static_cast<double>(explanation_.blame->blame.latency_ps);
      text_ += run::Json(whole == 0 ? 0 : static_cast<double>(sorted[i].second) / whole).dump() + "}";
    }
    text_ += "]";
  }

  const Explanation& explanation_;
  const uint64_t began_ps_;
  std::string text_;
};

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  return JsonText(explanation).write();
}

}  // namespace latchscope::explain
