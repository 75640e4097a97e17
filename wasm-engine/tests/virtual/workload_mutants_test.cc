// Programs of workload files with random changes: each is refused with its field, or runs to its
// end. None may crash.
#include <gtest/gtest.h>

#include <cstdlib>

#include "platform/random.h"
#include "run/workload_program.h"
#include "tests/lab_mutexes.h"
#include "tests/scenario_run.h"
#include "tests/test_threads.h"
#include "tests/workload_program_json.h"

namespace latchscope {

namespace {

using platform::Random;
using run::Json;
using tests::kNoIndex;
using tests::packed;
using Op = workload::ScriptOp;

Json group(const char* name, const char* runs, uint32_t begin, uint32_t end) {
  return {{"name", name}, {"threads", 1}, {"has_transaction", false}, {"code", {begin, end}}, {"runs", runs}};
}

// Has something of everything that a program can have, so that a change can meet each of them.
Json rich_program() {
  Json json = tests::one_mutex();
  json["registers"] = 8;
  json["kinds"] =
      Json::array({{{"name", "spins"}, {"program", tests::lab_program_json(tests::rw_spin_latch())}}});
  json["latches"].push_back({{"name", "lab"}, {"kind", {{"kind", "lab_latch"}, {"program", 0}}}});
  json["holds"].push_back({{"latch", 2}, {"shared", true}, {"site", 0}});
  json["words"] = Json::array({{{"name", "a"}, {"line", 0}, {"elements", 2}}, {{"name", "b"}, {"line", 1}}});
  json["shared_lines"] = Json::array({{{"words", {0, 1}}, {"knob", 0}, {"variant", 1}}});
  json["devices"] = Json::array({{{"name", "log"}, {"kind", "network"}, {"latency", 1'000'000}}});
  json["counters"] = {"reads"};
  json["constants"] = {1'000'000, 3, 100'000};
  json["code"] = Json::array();
  json["source_lines"] = Json::array();
  const auto add = [&](uint32_t op, uint32_t immediate = 0) {
    json["code"].push_back(op);
    json["code"].push_back(immediate);
    json["source_lines"].push_back(json["source_lines"].size() + 1);
  };
  add(packed(Op::constant, 3), 0);
  add(packed(Op::arrive_exponential, 0, 3));
  add(packed(Op::transaction_begin));
  add(packed(Op::frame_begin));
  add(packed(Op::constant, 3), 1);
  add(packed(Op::constant, 4), 0);
  add(packed(Op::enter), kNoIndex);  // 6: repeats from here
  add(packed(Op::exponential, 5, 4));
  add(packed(Op::work, 0, 5));
  add(packed(Op::uniform, 6, 3));
  add(packed(Op::try_enter, 7), 1 | 6u << 16);
  add(packed(Op::jump_if_zero, 0, 7), 13);
  add(packed(Op::leave));
  add(packed(Op::leave));  // 13
  add(packed(Op::constant, 5), 2);
  add(packed(Op::chance, 5, 5));
  add(packed(Op::subtract, 3, 3, 7));
  add(packed(Op::jump_if_not_zero, 0, 5), 6);
  add(packed(Op::frame_end));
  add(packed(Op::enter), 2 | kNoIndex);
  add(packed(Op::fetch_add, 5, 4), 1 | kNoIndex);
  add(packed(Op::jump_if_not_zero, 0, 5), 23);
  add(packed(Op::wait), 1 | kNoIndex);
  add(packed(Op::leave));  // 23
  add(packed(Op::lognormal, 5, 4, 4));
  add(packed(Op::zipf, 5, 4), 0);
  add(packed(Op::led_by, 0, 5));
  add(packed(Op::futex_wait, 0, 4), 1 | kNoIndex);
  add(packed(Op::futex_wake, 5, 4), 1 | kNoIndex);
  add(packed(Op::io, 0, 4), 0);
  add(packed(Op::count, 0, 4), 1);
  add(packed(Op::transaction_end));
  add(packed(Op::parameter, 4), 0);
  add(packed(Op::think, 0, 4));
  add(packed(Op::give_back));
  const auto size = [&] { return static_cast<uint32_t>(json["source_lines"].size()); };
  json["groups"][0]["code"] = {0, size()};
  const auto add_body = [&](const char* name, const char* runs) {
    const uint32_t begin = size();
    add(packed(Op::constant, 3), 0);
    add(packed(Op::work, 0, 3));
    add(packed(Op::give_back));
    json["groups"].push_back(group(name, runs, begin, begin + 3));
  };
  add_body("flusher", "every");
  json["groups"][1]["period"] = 50'000'000;
  add_body("loader", "once");
  add_body("drop", "on_action");
  json["groups"][3]["title"] = "Drop";
  const uint32_t checks = size();
  add(packed(Op::counted, 3), 1);
  add(packed(Op::load, 4), 1 | kNoIndex);
  add(packed(Op::check, 0, 3));
  add(packed(Op::give_back));
  json["groups"].push_back(group("checks", "at_end", checks, size()));
  return json;
}

void collect(Json& json, std::vector<Json*>& leaves, std::vector<Json*>& lists) {
  if (json.is_array() && !json.empty()) lists.push_back(&json);
  if (json.is_primitive()) leaves.push_back(&json);
  if (json.is_structured()) {
    for (Json& element : json)
      collect(element, leaves, lists);
  }
}

uint64_t number_near(Random& random, uint64_t number) {
  switch (random.below(6)) {
    case 0:
      return number + 1;
    case 1:
      return number == 0 ? 1 : number - 1;
    case 2:
      return number ^ (uint64_t{1} << random.below(32));
    case 3:
      return random.below(8);
    case 4:
      return random.next();
    default:
      return uint64_t{1} << random.below(54);
  }
}

void change_somewhere(Json& program, Random& random) {
  std::vector<Json*> leaves, lists;
  collect(program, leaves, lists);
  if (random.below(8) == 0) {
    Json& list = *lists[random.below(static_cast<uint32_t>(lists.size()))];
    const uint32_t place = random.below(static_cast<uint32_t>(list.size()));
    if (random.below(2) == 0) {
      list.erase(place);
    } else {
      list.insert(list.begin() + place, Json(list[place]));
    }
    return;
  }
  Json& leaf = *leaves[random.below(static_cast<uint32_t>(leaves.size()))];
  if (leaf.is_number_unsigned() || leaf.is_number_integer()) {
    leaf = number_near(random, leaf.get<uint64_t>());
  } else if (random.below(4) == 0) {
    leaf = Json(random.below(3));
  } else if (leaf.is_string()) {
    leaf = leaf.get<std::string>() + static_cast<char>(random.below(128));
  }
}

// LATCHSCOPE_MUTANTS sets another number, for a run by hand.
uint32_t mutants_wanted() {
  if (const char* wanted = getenv("LATCHSCOPE_MUTANTS"); wanted != nullptr)
    return static_cast<uint32_t>(atoi(wanted));
  return tests::stress_rounds(getenv("LATCHSCOPE_LONG") == nullptr ? 1'000 : 100'000);
}

TEST(WorkloadMutants, AreRefusedWithAFieldOrRun) {
  const Json program = rich_program();
  ASSERT_TRUE(run::read_workload_program(program.dump()).program)
      << run::read_workload_program(program.dump()).errors[0].sentence();
  const uint32_t mutants = mutants_wanted();
  constexpr const char* kShort = R"("duration_s":0.0005,"threads":3,"events_max":100000)";
  uint32_t ran = 0, refused = 0, stopped = 0;
  for (uint32_t mutant = 0; mutant < mutants; ++mutant) {
    Random random(mutant);
    Json changed = program;
    for (uint32_t change = 0; change <= random.below(3); ++change)
      change_somewhere(changed, random);
    auto parsed = run::parse_run_spec(tests::spec_of_program(changed, kShort));
    if (!parsed.spec) {
      ++refused;
      ASSERT_FALSE(parsed.errors.empty());
      ASSERT_FALSE(parsed.errors[0].field.empty());
      continue;
    }
    tests::ScenarioRun run(*std::move(parsed.spec));
    run.run_until([&] { return run.engine.state() == telemetry::RunState::finished; });
    ++ran;
    stopped += run.engine.invariants()[0].ok ? 0 : 1;
    // Others are checks of the program.
    for (size_t other = 1; other < 3; ++other)
      ASSERT_TRUE(run.engine.invariants()[other].ok) << changed.dump();
  }
  // The changes reach behind the checks, and into them.
  EXPECT_GT(ran, mutants / 10) << refused << " refused";
  EXPECT_GT(refused, mutants / 10) << ran << " ran";
  EXPECT_GT(stopped, 0u);
}

}  // namespace

}  // namespace latchscope
