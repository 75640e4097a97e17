// A workload program in its JSON form, for tests.
#pragma once

#include <initializer_list>
#include <utility>

#include "run/json.h"
#include "workload/script_program.h"

namespace latchscope::tests {

inline uint32_t packed(workload::ScriptOp op, uint32_t target = 0, uint32_t a = 0, uint32_t b = 0) {
  return static_cast<uint32_t>(op) | target << 8 | a << 16 | b << 24;
}

inline constexpr uint32_t kNoIndex = uint32_t{workload::kScriptNoIndex} << 16;

// thread client[4] { transaction { hold m { work(1us); } } }
inline run::Json one_mutex() {
  run::Json json = {
      {"title", "one mutex"},
      {"unit", "transactions"},
      {"parameters", run::Json::array({{{"id", "cost"},
                                        {"title", "Cost"},
                                        {"unit", "us"},
                                        {"scale", 1'000'000},
                                        {"min", 1},
                                        {"max", 10},
                                        {"default", 2}}})},
      {"knobs",
       run::Json::array(
           {{{"id", "kind"},
             {"question", "Which kind?"},
             {"variants",
              run::Json::array({{{"id", "one"}, {"origin", ""}, {"kind", {{"kind", "innodb_rw_lock"}}}},
                                {{"id", "many"},
                                 {"origin", "5.7"},
                                 {"kind", {{"kind", "sharded_rw_lock"}, {"size", 8}}}}})}}})},
      {"designs",
       run::Json::array({{{"id", "original"}, {"variants", {0}}}, {{"id", "fixed"}, {"variants", {1}}}})},
      {"latches",
       run::Json::array(
           {{{"name", "m"}, {"elements", 1}, {"kind", {{"kind", "innodb_mutex"}}}, {"source_line", 2}},
            {{"name", "rw"}, {"elements", 4}, {"knob", 0}, {"source_line", 3}}})},
      {"groups",
       run::Json::array({{{"name", "client"}, {"threads", 4}, {"has_transaction", true}, {"code", {0, 7}}}})},
      {"names", {"client"}},
      {"holds", run::Json::array({{{"latch", 0}, {"shared", false}, {"site", 0}},
                                  {{"latch", 1}, {"shared", true}, {"site", 0}}})},
      {"registers", 5},
      {"constants", {1'000'000}},
      {"code", run::Json::array()},
      {"source_lines", {4, 4, 4, 4, 4, 4, 5}}};
  for (const auto& [op, immediate] : std::initializer_list<std::pair<uint32_t, uint32_t>>{
           {packed(workload::ScriptOp::transaction_begin), 0},
           {packed(workload::ScriptOp::enter), kNoIndex},
           {packed(workload::ScriptOp::constant, 3), 0},
           {packed(workload::ScriptOp::work, 0, 3), 0},
           {packed(workload::ScriptOp::leave), 0},
           {packed(workload::ScriptOp::transaction_end), 0},
           {packed(workload::ScriptOp::give_back), 0}}) {
    json["code"].push_back(op);
    json["code"].push_back(immediate);
  }
  return json;
}

// Returns a run spec of this program, with further fields.
inline std::string spec_of_program(const run::Json& program, const std::string& fields = "") {
  return R"({"version":1,"scenario":"workload","workload":{"program":)" + program.dump() + "}" +
         (fields.empty() ? "" : "," + fields) + "}";
}

}  // namespace latchscope::tests
