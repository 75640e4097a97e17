// Compiled workload files from outside: which are accepted, and which are refused before anything
// runs.
#include "run/workload_program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "tests/lab_mutexes.h"
#include "tests/lab_program_json.h"
#include "tests/workload_program_json.h"

namespace latchscope {

namespace {

using run::Json;
using tests::kNoIndex;
using tests::one_mutex;
using tests::packed;
using workload::ScriptOp;

void replace(Json& json, size_t place, uint32_t packed_op, uint32_t immediate = 0) {
  json["code"][place * 2] = packed_op;
  json["code"][place * 2 + 1] = immediate;
}

std::string fault_of(const Json& json) {
  const auto read = run::read_workload_program(json.dump());
  return read.program ? "" : read.errors.at(0).sentence();
}

TEST(WorkloadProgram, IsReadAsItIsWritten) {
  const auto read = run::read_workload_program(one_mutex().dump());
  ASSERT_TRUE(read.program) << read.errors.at(0).sentence();
  const workload::ScriptProgram& program = *read.program;
  EXPECT_EQ(program.title, "one mutex");
  EXPECT_EQ(program.parameters[0].scale, 1'000'000u);
  EXPECT_EQ(program.knobs[0].variants[1].kind->size, 8u);
  EXPECT_EQ(program.latches[1].knob, 0u);
  EXPECT_EQ(program.latches[1].elements, 4u);
  EXPECT_TRUE(program.holds[1].is_shared);
  EXPECT_EQ(program.code[3].op, ScriptOp::work);
  EXPECT_EQ(program.groups[0].end, 7u);
}

TEST(WorkloadProgram, ATryHasItsLatchOnlyOnOnePath) {
  Json json = one_mutex();
  replace(json, 1, packed(ScriptOp::try_enter, 3), kNoIndex);
  replace(json, 2, packed(ScriptOp::jump_if_zero, 0, 3), 5);
  replace(json, 3, packed(ScriptOp::work, 0, 3));
  EXPECT_EQ(fault_of(json), "");
  replace(json, 2, packed(ScriptOp::jump_if_zero, 0, 3), 4);
  EXPECT_NE(fault_of(json), "");
  replace(json, 2, packed(ScriptOp::copy, 4, 3));
  EXPECT_EQ(fault_of(json),
            "code[1]: got try_enter; allowed: try_enter with jump_if_zero of its target behind it");
}

// Adds a body of this instruction, which runs at the end.
void add_at_end(Json& json, uint32_t packed_op) {
  for (const uint32_t op : {packed_op, packed(ScriptOp::give_back)}) {
    json["code"].push_back(op);
    json["code"].push_back(0);
    json["source_lines"].push_back(6);
  }
  json["groups"].push_back(
      {{"name", "checks"}, {"threads", 1}, {"has_transaction", false}, {"code", {7, 9}}, {"runs", "at_end"}});
}

struct Refusal {
  const char* name;
  std::function<void(Json&)> change;
  const char* sentence;  // its beginning
};

class RefusedWorkloadProgram : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedWorkloadProgram, SaysWhatIsAllowed) {
  Json json = one_mutex();
  ASSERT_EQ(fault_of(json), "");
  GetParam().change(json);
  EXPECT_EQ(fault_of(json).substr(0, strlen(GetParam().sentence)), GetParam().sentence);
}

const Refusal kRefusals[] = {
    {"NoObject", [](Json& json) { json = 3; }, "program: got 3; allowed: a JSON object"},
    {"UnknownField", [](Json& json) { json["stack"] = 1; }, "stack: got 1; allowed: no such field"},
    {"NoTitle", [](Json& json) { json.erase("title"); }, "title: got null; allowed: a text"},
    {"EmptyTitle", [](Json& json) { json["title"] = ""; }, "title: got \"\"; allowed: a line of at most 200"},
    {"TitleOfTwoLines", [](Json& json) { json["title"] = "a\nb"; }, "title: got "},
    {"DefaultOutside", [](Json& json) { json["parameters"][0]["default"] = 11; },
     "parameters[0].default: got 11; allowed: a number from 1 to 10"},
    {"ScaleTooLarge", [](Json& json) { json["parameters"][0]["max"] = 9'007'199'255; },
     "parameters[0].max: got 9007199255; allowed: a number from 0 to 9007199254"},
    {"NegativeParameter", [](Json& json) { json["parameters"][0]["min"] = -1; },
     "parameters[0].min: got -1; allowed: an integer from 0"},
    {"OneVariant", [](Json& json) { json["knobs"][0]["variants"].erase(1); },
     "knobs[0].variants: got 1; allowed: from 2 to 16"},
    {"UnknownKind", [](Json& json) { json["latches"][0]["kind"]["kind"] = "spin"; },
     "latches[0].kind.kind: got spin; allowed: none, innodb_mutex"},
    {"SizeOfAMutex", [](Json& json) { json["latches"][0]["kind"]["size"] = 2; },
     "latches[0].size: got 2; allowed: a number from 0 to 0"},
    {"MixedVariants",
     [](Json& json) {
       json["knobs"][0]["variants"][1].erase("kind");
       json["knobs"][0]["variants"][1]["value"] = 2;
     },
     "knobs[0].variants[1]: got many; allowed: a kind of latch in all variants"},
    {"DesignWithoutKnobs", [](Json& json) { json["designs"][1]["variants"] = Json::array(); },
     "designs[1].variants: got 0; allowed: one for each of 1 knobs"},
    {"NoOriginal", [](Json& json) { json["designs"][0]["id"] = "first"; },
     "designs[0].id: got first; allowed: original"},
    {"TwoLatchesOfOneName", [](Json& json) { json["latches"][1]["name"] = "m"; },
     "latches[1]: got m; allowed: a name that no other has"},
    {"TooManyElements", [](Json& json) { json["latches"][1]["elements"] = 16'385; },
     "latches[1].elements: got 16385; allowed: a number from 1 to 16384"},
    {"TooManyShards", [](Json& json) { json["latches"][1]["elements"] = 8'193; },
     "latches[1].elements: got 8193; allowed: at most 65536 latches of all names, each shard counted"},
    {"LongName", [](Json& json) { json["names"][0] = std::string(64, 'n'); }, "names[0]: got nnnn"},
    {"TooManyThreadsOfTheServer",
     [](Json& json) {
       json["groups"].push_back(
           {{"name", "flusher"}, {"threads", 8}, {"has_transaction", false}, {"code", {7, 8}}});
       json["code"].push_back(packed(ScriptOp::give_back));
       json["code"].push_back(0);
       json["source_lines"].push_back(6);
     },
     "groups[1].threads: got 8; allowed: at most 7 threads without a transaction in all"},
    {"WordOnNoLine", [](Json& json) { json["words"] = Json::array({{{"name", "w"}, {"line", 1}}}); },
     "words[0].line: got 1; allowed: "},
    {"UnknownWord", [](Json& json) { replace(json, 2, packed(ScriptOp::load, 3), kNoIndex); },
     "code[2].immediate: got 16711680; allowed: a word below 0"},
    {"SharedMutex", [](Json& json) { json["holds"][0]["shared"] = true; },
     "holds[0].shared: got true; allowed: false, because no kind of the latch has readers"},
    {"UnknownSite", [](Json& json) { json["holds"][0]["site"] = 1; },
     "holds[0].site: got 1; allowed: a name below 1"},
    {"NoClients", [](Json& json) { json["groups"][0]["has_transaction"] = false; },
     "groups: got 0 with a transaction; allowed: one with a transaction"},
    {"CodeBeyondItsEnd", [](Json& json) { json["groups"][0]["code"] = {0, 8}; },
     "groups[0].code: got 0 to 8; allowed: instructions after"},
    {"UnknownOperation", [](Json& json) { replace(json, 3, 200); },
     "code[3].op: got 200; allowed: a number from 0"},
    {"TargetIsMe", [](Json& json) { replace(json, 2, packed(ScriptOp::constant, 0)); },
     "code[2].target: got 0; allowed: a register from 3 to 4"},
    {"UnknownConstant", [](Json& json) { replace(json, 2, packed(ScriptOp::constant, 3), 1); },
     "code[2].immediate: got 1; allowed: a constant below 1"},
    {"KnobOfKinds", [](Json& json) { replace(json, 2, packed(ScriptOp::knob_value, 3)); },
     "code[2].immediate: got 0; allowed: a knob whose variants are numbers"},
    {"JumpOutside", [](Json& json) { replace(json, 2, packed(ScriptOp::jump), 7); },
     "code[2].immediate: got 7; allowed: an instruction of the same group"},
    {"NotWritten", [](Json& json) { replace(json, 3, packed(ScriptOp::work, 0, 4)); },
     "code[3]: got work; allowed: registers that are written before they are read"},
    {"LeftTwice", [](Json& json) { replace(json, 3, packed(ScriptOp::leave)); },
     "code[4]: got leave; allowed: an end of what was begun last"},
    {"HeldAtTheEnd", [](Json& json) { replace(json, 4, packed(ScriptOp::work, 0, 3)); },
     "code[5]: got transaction_end; allowed: one transaction of the clients, while nothing is held"},
    {"HeldOnOnePath", [](Json& json) { replace(json, 3, packed(ScriptOp::jump_if_zero, 0, 3), 5); },
     "code[5]: got transaction_end; allowed: "},
    {"ThinkInATransaction", [](Json& json) { replace(json, 3, packed(ScriptOp::think, 0, 3)); },
     "code[3]: got think; allowed: think outside of the transaction"},
    {"EndInATransaction", [](Json& json) { replace(json, 5, packed(ScriptOp::give_back)); },
     "code[5]: got give_back; allowed: an end after the transaction"},
    {"NoEnd", [](Json& json) { replace(json, 6, packed(ScriptOp::check, 0, 3)); },
     "code[6]: got check; allowed: give_back or jump as the last instruction"},
    {"KindBeyondTheirEnd", [](Json& json) { json["latches"][0]["kind"] = {{"kind", "lab_latch"}}; },
     "latches[0].program: got 0; allowed: a kind below 0"},
    {"KindWithAFault",
     [](Json& json) {
       Json latch = tests::lab_program_json(tests::test_and_set());
       latch["registers"] = 2;
       json["kinds"] = Json::array({{{"name", "tas"}, {"program", latch}}});
     },
     "kinds[0].program.code[0].target: got 3; allowed: "},
    {"TriedInTheLab",
     [](Json& json) {
       Json latch = tests::lab_program_json(tests::test_and_set());
       json["kinds"] = Json::array({{{"name", "tas"}, {"program", latch}}});
       json["latches"][0]["kind"] = {{"kind", "lab_latch"}};
       replace(json, 1, packed(ScriptOp::try_enter, 3), kNoIndex);
       replace(json, 2, packed(ScriptOp::jump_if_zero, 0, 3), 5);
       replace(json, 3, packed(ScriptOp::work, 0, 3));
     },
     "code[1]: got try_enter; allowed: enter: a latch written in the lab's language cannot be tried"},
    {"SharedInTheLab",
     [](Json& json) {
       Json latch = tests::lab_program_json(tests::test_and_set());
       json["kinds"] = Json::array({{{"name", "tas"}, {"program", latch}}});
       json["latches"][0]["kind"] = {{"kind", "lab_latch"}};
       json["holds"][0]["shared"] = true;
     },
     "holds[0].shared: got true; allowed: false"},
    {"LineOfOneWord",
     [](Json& json) {
       json["words"] = Json::array({{{"name", "w"}}});
       json["shared_lines"] = Json::array({{{"words", {0}}, {"knob", 0}, {"variant", 1}}});
     },
     "shared_lines[0].words: got 1; allowed: from 2 to 16"},
    {"WordsOnALineAlready",
     [](Json& json) {
       json["words"] = Json::array({{{"name", "v"}}, {{"name", "w"}}});
       json["shared_lines"] = Json::array({{{"words", {0, 1}}, {"knob", 0}, {"variant", 1}}});
     },
     "shared_lines[0].words[0]: got 0; allowed: a word that has a line of its own"},
    {"LineOfNoVariant",
     [](Json& json) {
       json["words"] = Json::array({{{"name", "v"}}, {{"name", "w"}, {"line", 1}}});
       json["shared_lines"] = Json::array({{{"words", {0, 1}}, {"knob", 0}, {"variant", 2}}});
     },
     "shared_lines[0].variant: got 2; allowed: a number from 0 to 1"},
    {"LatencyOfADisk",
     [](Json& json) {
       json["devices"] = Json::array({{{"name", "log"}, {"kind", "nvme"}, {"latency", 5'000}}});
     },
     "devices[0].latency: got 5000; allowed: a number from 0 to 0"},
    {"UnknownDevice", [](Json& json) { replace(json, 3, packed(ScriptOp::io, 0, 3)); },
     "code[3].immediate: got 0; allowed: a device below 0"},
    {"CountsTransactions", [](Json& json) { replace(json, 3, packed(ScriptOp::count, 0, 3)); },
     "code[3].immediate: got 0; allowed: one of the program's counters"},
    {"CounterOfTransactions", [](Json& json) { json["counters"] = {"transactions"}; },
     "counters[0]: got transactions; allowed: a name other than those of the engine's counters"},
    {"CounterOfTheEngine", [](Json& json) { json["counters"] = {"commit_groups"}; },
     "counters[0]: got commit_groups; allowed: a name other than those of the engine's counters"},
    {"ArrivalInATransaction", [](Json& json) { replace(json, 3, packed(ScriptOp::arrive, 0, 3)); },
     "code[3]: got arrive; allowed: the arrival of a request before the transaction"},
    {"ArrivalAfterTheTransaction",
     [](Json& json) { replace(json, 6, packed(ScriptOp::arrive_exponential, 0, 1)); },
     "code[6]: got arrive_exponential; allowed: the arrival of a request before the transaction"},
    {"ArrivalInTheServer",
     [](Json& json) {
       add_at_end(json, packed(ScriptOp::arrive, 0, 1));
       json["groups"][1]["runs"] = "again_and_again";
     },
     "code[7]: got arrive; allowed: the arrival of a request before the transaction"},
    {"WaitWithoutALatch",
     [](Json& json) {
       json["words"] = Json::array({{{"name", "ready"}}});
       replace(json, 1, packed(ScriptOp::wait), kNoIndex);
     },
     "code[1]: got wait; allowed: wait while a latch is held"},
    {"ExponentTooLarge",
     [](Json& json) {
       json["constants"] = {1'000'000, 10'000'001};
       replace(json, 3, packed(ScriptOp::zipf, 4, 3), 1);
     },
     "code[3].immediate: got 10000001; allowed: a constant with a number from 10000 to 10000000"},
    {"TooManyExponents",
     [](Json& json) {
       json["constants"] = {10'000, 20'000, 30'000, 40'000, 50'000};
       json["code"].insert(json["code"].begin() + 8, 10, 0);
       json["source_lines"].insert(json["source_lines"].begin(), 5, 4);
       json["groups"][0]["code"] = {0, 12};
       for (uint32_t i = 0; i < 5; ++i)
         replace(json, 4 + i, packed(ScriptOp::zipf, 4, 3), i);
     },
     "code: got 5 exponents of zipf; allowed: at most 4"},
    {"TooManyNamesToWaitFor",
     [](Json& json) {
       for (uint32_t i = 0; i < 32; ++i)
         json["words"].push_back({{"name", "w" + std::to_string(i)}, {"line", i}});
       for (uint32_t i = 2; i < 18; ++i)
         json["latches"].push_back({{"name", "l" + std::to_string(i)},
                                    {"elements", 1},
                                    {"kind", {{"kind", "none"}}},
                                    {"source_line", 2}});
       json["code"].insert(json["code"].begin() + 8, 64, 0);
       json["source_lines"].insert(json["source_lines"].begin(), 32, 4);
       json["groups"][0]["code"] = {0, 39};
       for (uint32_t i = 0; i < 32; ++i)
         replace(json, 4 + i, packed(ScriptOp::wait), kNoIndex | i);
     },
     "latches: got 18; allowed: at most 48 names, with those of words on which threads sleep, of which there "
     "are 32"},
    {"CountedInARun", [](Json& json) { replace(json, 2, packed(ScriptOp::counted, 3)); },
     "code[2].op: got counted; allowed: counted at the end of the run only"},
    {"ClientsOnce", [](Json& json) { json["groups"][0]["runs"] = "once"; },
     "groups[0].runs: got once; allowed: again_and_again, because it has the transaction"},
    {"RunsSometimes", [](Json& json) { json["groups"][0]["runs"] = "sometimes"; },
     "groups[0].runs: got sometimes; allowed: again_and_again, every, once, on_action, at_end"},
    {"PeriodWithoutRate", [](Json& json) { json["groups"][0]["period"] = 1; },
     "groups[0].period: got 1; allowed: a number from 0 to 0"},
    {"WorkAtTheEnd", [](Json& json) { add_at_end(json, packed(ScriptOp::pause, 0, 1)); },
     "code[7].op: got pause; allowed: an operation without an effect at the end of the run"},
    {"TwoAtTheEnd",
     [](Json& json) {
       add_at_end(json, packed(ScriptOp::check, 0, 1));
       json["groups"].push_back(json["groups"][1]);
       json["groups"][2]["name"] = "also";
       json["groups"][2]["code"] = {8, 9};
       json["groups"][1]["code"] = {7, 8};
     },
     "groups: got 2 at the end; allowed: at most one"},
    {"ActionWithoutTitle",
     [](Json& json) {
       add_at_end(json, packed(ScriptOp::check, 0, 1));
       json["groups"][1]["runs"] = "on_action";
     },
     "groups[1].title: got \"\"; allowed: a line of at most 200"},
    {"TooFewLines", [](Json& json) { json["source_lines"].erase(0); },
     "source_lines: got 6; allowed: one for each of 7 instructions"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedWorkloadProgram, testing::ValuesIn(kRefusals),
                         [](const auto& given) { return given.param.name; });

}  // namespace

}  // namespace latchscope
