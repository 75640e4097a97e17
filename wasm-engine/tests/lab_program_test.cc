// Lab programs from outside: which are accepted, and which are refused before anything runs.
#include "run/lab_program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "lab/interpreter.h"

namespace latchscope {

namespace {

using lab::Op;
using run::Json;

uint32_t packed(Op op, uint32_t target = 0, uint32_t a = 0, uint32_t b = 0) {
  return static_cast<uint32_t>(op) | target << 8 | a << 16 | b << 24;
}

constexpr uint32_t kFirstElement = uint32_t{lab::kNoIndex} << 16;

// A test-and-set latch:
//   enter() { while (exchange(locked, 1) != 0) pause(); }
//   exit() { store(locked, 0); }
Json test_and_set() {
  const auto code = Json::array({packed(Op::constant, 2), 1,                 // 0
                                 packed(Op::exchange, 3, 2), kFirstElement,  // 1
                                 packed(Op::jump_if_zero, 0, 3), 5,          // 2
                                 packed(Op::pause, 0, 2), 0,                 // 3
                                 packed(Op::jump), 1,                        // 4
                                 packed(Op::give_back), 0,                   // 5
                                 packed(Op::constant, 2), 0,                 // 6
                                 packed(Op::store, 0, 2), kFirstElement,     // 7
                                 packed(Op::give_back), 0});                 // 8
  return {{"words", Json::array({{{"name", "locked"}}})},
          {"registers", 4},
          {"functions", {{"enter", {0, 6}}, {"exit", {6, 9}}}},
          {"code", code},
          {"source_lines", {3, 3, 3, 3, 3, 4, 6, 6, 7}}};
}

std::string fault_of(const Json& json) {
  const run::LabProgramOrErrors read = run::read_lab_program(json.dump());
  return read.program ? "" : read.errors.at(0).sentence();
}

TEST(LabProgram, IsReadAsItIs) {
  const run::LabProgramOrErrors read = run::read_lab_program(test_and_set().dump());
  ASSERT_TRUE(read.program) << read.errors.at(0).sentence();
  EXPECT_EQ(read.program->words.at(0).name, "locked");
  EXPECT_EQ(read.program->code.at(1), (lab::Instruction{Op::exchange, 3, 2, 0, kFirstElement}));
  EXPECT_EQ(read.program->function(lab::FunctionName::exit).begin, 6u);
  EXPECT_FALSE(read.program->is_rw_latch());
}

TEST(LabProgram, IsCarriedOutUpToItsNextAccess) {
  const run::LabProgramOrErrors read = run::read_lab_program(test_and_set().dump());
  lab::Registers registers;
  uint32_t pc = 0;
  const lab::LocalStop stop = lab::run_until_access(*read.program, pc, registers);
  EXPECT_EQ(stop.at->op, Op::exchange);
  EXPECT_EQ(stop.wrong, lab::Wrong::nothing);
  EXPECT_EQ(pc, 2u);
  registers[3] = 0;  // the result of the exchange
  EXPECT_EQ(lab::run_until_access(*read.program, pc, registers).at->op, Op::give_back);
}

TEST(LabProgram, ALoopWithoutAnAccessIsStopped) {
  Json json = test_and_set();
  json["code"][2] = packed(Op::copy, 3, 2);
  json["code"][6] = packed(Op::copy, 3, 2);
  const run::LabProgramOrErrors read = run::read_lab_program(json.dump());
  ASSERT_TRUE(read.program) << read.errors.at(0).sentence();
  lab::Registers registers;
  uint32_t pc = 0;
  EXPECT_EQ(lab::run_until_access(*read.program, pc, registers).wrong, lab::Wrong::no_access);
}

struct Refusal {
  const char* name;
  std::function<void(Json&)> change;
  const char* sentence;  // its beginning
};

class RefusedLabProgram : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedLabProgram, SaysWhatIsAllowed) {
  Json json = test_and_set();
  ASSERT_EQ(fault_of(json), "");
  GetParam().change(json);
  EXPECT_EQ(fault_of(json).substr(0, strlen(GetParam().sentence)), GetParam().sentence);
}

const Refusal kRefusals[] = {
    {"NoObject", [](Json& json) { json = 3; }, "program: got 3; allowed: a JSON object"},
    {"UnknownField", [](Json& json) { json["stack"] = 1; }, "stack: got 1; allowed: no such field"},
    {"NoWords", [](Json& json) { json.erase("words"); }, "words: got null; allowed: a list of at most 32"},
    {"NoName", [](Json& json) { json["words"][0].erase("name"); }, "words[0].name: got"},
    {"BadName", [](Json& json) { json["words"][0]["name"] = "a b"; },
     "words[0].name: got a b; allowed: letters, digits and _"},
    {"Line", [](Json& json) { json["words"][0]["line"] = 1; },
     "words[0].line: got 1; allowed: a number from 0 to 0"},
    {"NoElements", [](Json& json) { json["words"][0]["elements"] = 0; },
     "words[0].elements: got 0; allowed: a number from 1 to 256"},
    {"TooManyPacked",
     [](Json& json) {
       json["words"][0]["elements"] = 17;
       json["words"][0]["packed"] = true;
     },
     "words[0].packed: got true; allowed: false, or at most 16 elements"},
    {"Truth", [](Json& json) { json["words"][0]["packed"] = 1; },
     "words[0].packed: got 1; allowed: true or false"},
    {"Negative", [](Json& json) { json["registers"] = -1; }, "registers: got -1; allowed: an integer from 0"},
    {"TooManyRegisters", [](Json& json) { json["registers"] = 65; },
     "registers: got 65; allowed: a number from 2 to 64"},
    {"NoExit", [](Json& json) { json["functions"].erase("exit"); },
     "functions.exit: got none; allowed: a function: every latch needs it"},
    {"OnlySharedEnter",
     [](Json& json) {
       json["functions"]["exit"] = {6, 7};
       json["functions"]["enter_shared"] = {7, 9};
     },
     "functions.exit_shared: got none; allowed: both enter_shared and exit_shared, or neither"},
    {"Overlap", [](Json& json) { json["functions"]["exit"] = {5, 9}; },
     "functions.exit: got 5; allowed: instructions that no other function has"},
    {"BeyondTheCode", [](Json& json) { json["functions"]["exit"] = {6, 10}; },
     "functions.exit: got 6 to 10; allowed: instructions from 0 to 9"},
    {"OddCode", [](Json& json) { json["code"].push_back(1); }, "code: got 19; allowed: two integers"},
    {"UnknownOperation", [](Json& json) { json["code"][0] = 200; },
     "code[0].op: got 200; allowed: a number from 0"},
    {"OwnNumberAsTarget", [](Json& json) { json["code"][0] = packed(Op::constant, 0); },
     "code[0].target: got 0; allowed: a register from 2 to 3"},
    {"UnknownRegister", [](Json& json) { json["code"][2] = packed(Op::exchange, 3, 4); },
     "code[1].a: got 4; allowed: a register from 0 to 3"},
    {"UnknownIndex", [](Json& json) { json["code"][3] = 9u << 16; },
     "code[1].index: got 9; allowed: a register"},
    {"UnknownWord", [](Json& json) { json["code"][3] = kFirstElement + 1; },
     "code[1].immediate: got 1; allowed: a word below 1, the number of words"},
    {"JumpIntoAnotherFunction", [](Json& json) { json["code"][9] = 6; },
     "code[4].immediate: got 6; allowed: an instruction of the same function, a number from 0 to 5"},
    {"JumpBehindItsFunction",
     [](Json& json) {
       json["code"][15] = 9;
       json["code"][14] = packed(Op::jump);
     },
     "code[7].immediate: got 9; allowed: an instruction of the same function, a number from 6 to 8"},
    {"JumpBeforeItsFunction",
     [](Json& json) {
       json["code"][15] = 5;
       json["code"][14] = packed(Op::jump);
     },
     "code[7].immediate: got 5; allowed: an instruction of the same function, a number from 6 to 8"},
    {"BranchBehindItsFunction", [](Json& json) { json["code"][5] = 6; },
     "code[2].immediate: got 6; allowed: an instruction of the same function, a number from 0 to 5"},
    {"CallInALatch", [](Json& json) { json["code"][6] = packed(Op::call); },
     "code[3].immediate: got 0; allowed: no call outside client and at_end"},
    {"FallsOutOfAFunction", [](Json& json) { json["code"][10] = packed(Op::yield); },
     "code[5].op: got yield; allowed: give_back or jump"},
    {"TooFewSourceLines", [](Json& json) { json["source_lines"].erase(0); },
     "source_lines: got 8; allowed: one for each of 9 instructions"},
    {"ReadBeforeItIsWritten", [](Json& json) { json["code"][0] = packed(Op::constant, 3); },
     "functions.enter: got register 2; allowed: a register that is written before it is read"},
    {"ThreadsMax", [](Json& json) { json["threads_max"] = 2000; },
     "threads_max: got 2000; allowed: a number from 0 to 1024"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedLabProgram, testing::ValuesIn(kRefusals),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(LabProgram, MayJumpToTheFirstAndTheLastInstructionOfItsFunction) {
  for (const uint32_t place : {6u, 8u}) {
    Json json = test_and_set();
    json["code"][14] = packed(Op::jump);
    json["code"][15] = place;
    EXPECT_EQ(fault_of(json), "");
  }
}

TEST(LabProgram, TextThatIsNoJsonIsRefused) {
  EXPECT_EQ(run::read_lab_program(std::string_view("{")).errors.at(0).sentence(),
            "program: got {; allowed: JSON of at most 256 KiB");
}

}  // namespace

}  // namespace latchscope
