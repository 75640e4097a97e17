// A lab latch provides mutual exclusion on both platforms. On real threads ThreadSanitizer checks
// it.
#include "lab/lab_latch.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/lab_mutexes.h"
#include "tests/test_threads.h"

namespace latchscope {

namespace {

const telemetry::LatchSite kSite("lab_latch", "lab_exclusion_test");

constexpr uint32_t kThreads = 4;

void count_under(const lab::Program& program, uint32_t rounds) {
  telemetry::reset();
  lab::LabLatch latch(program, kThreads);
  uint32_t counter = 0;  // plain: only the latch prevents races
  tests::run_threads(kThreads, [&](uint32_t ordinal) {
    for (uint32_t round = 0; round < rounds; ++round) {
      ASSERT_TRUE(latch.enter(kSite, ordinal + 1));
      ++counter;
      if (round % 512 == 0) platform::yield();  // lets other threads contend for the latch
      ASSERT_TRUE(latch.exit(ordinal + 1));
    }
  });
  EXPECT_EQ(counter, kThreads * rounds);
  EXPECT_EQ(telemetry::latch_site_total(kSite.id).acquisitions, uint64_t{kThreads} * rounds);
}

TEST(LabLatch, ExcludesWhenItSleeps) {
  count_under(tests::futex_mutex(), tests::stress_rounds(5'000));
}

TEST(LabLatch, ExcludesWhenItSpins) {
  // With fewer cores than threads the next thread in line may have no core, so each round can take
  // a time slice.
  count_under(tests::ticket(), tests::stress_rounds(600));
}

TEST(LabLatch, LetsEverybodyGoOnceItIsGivenUp) {
  telemetry::reset();
  const lab::Program program = tests::never_wakes();
  lab::LabLatch latch(program, 3);
  tests::run_threads(1, [&](uint32_t) { ASSERT_TRUE(latch.enter(kSite, 1)); });  // and never exits
  tests::run_threads(3, [&](uint32_t ordinal) {
    if (ordinal == 0) {
      // Gives the others time to sleep. The test does not depend on it.
      platform::sleep_ns(1'000'000);
      latch.give_up();
    } else {
      EXPECT_FALSE(latch.enter(kSite, ordinal + 1));
    }
  });
}

// Word 0 has three elements, word 1 one per thread and one more. Enter reads one of them.
lab::Program reads(uint32_t word, uint32_t index) {
  tests::LabAssembler code;
  code.word("three", 0, 3);
  code.word("of_threads", 0, 1, /*per_thread=*/true);
  code.function(lab::FunctionName::enter);
  code.constant(2, index);
  code.load(3, word, 2);
  code.give_back();
  code.function(lab::FunctionName::exit);
  code.give_back();
  return code.program();
}

lab::Wrong wrong_with(const lab::Program& program) {
  constexpr uint32_t kThreadsOfIt = 4;
  lab::LabLatch latch(program, kThreadsOfIt);
  tests::run_threads(1, [&](uint32_t) {
    const bool is_in = latch.enter(kSite, 1);
    EXPECT_EQ(is_in, latch.problem().wrong == lab::Wrong::nothing);
    if (is_in) latch.exit(1);
  });
  return latch.problem().wrong;
}

TEST(LabLatch, TakesTheLastElementAndNoneBehindIt) {
  telemetry::reset();
  EXPECT_EQ(wrong_with(reads(0, 2)), lab::Wrong::nothing);
  EXPECT_EQ(wrong_with(reads(0, 3)), lab::Wrong::index_too_large);
  EXPECT_EQ(wrong_with(reads(1, 4)), lab::Wrong::nothing);
  EXPECT_EQ(wrong_with(reads(1, 5)), lab::Wrong::index_too_large);
}

// `next` and `waiting` of one thread share a line; those of two threads do not. A word on its own
// line shares with none.
TEST(LabWords, LieOnTheLinesThatAreDeclared) {
  lab::Program program = tests::never_wakes();
  const auto per_thread = [](const char* name, bool initial_is_index) {
    lab::WordDeclaration word;
    word.name = name;
    word.line = 1;
    word.per_thread = true;
    word.initial_is_index = initial_is_index;
    return word;
  };
  program.words.push_back(per_thread("next", true));
  program.words.push_back(per_thread("waiting", false));
  lab::LatchWords words(program.words, 5, {});
  const auto address = [&](uint32_t word, uint32_t element) {
    return reinterpret_cast<const char*>(&words.at(word, element));
  };
  EXPECT_EQ(words.elements_of(1), 6u);
  EXPECT_EQ(words.at(1, 4).load(), 4u);
  EXPECT_EQ(address(2, 3) - address(1, 3), static_cast<ptrdiff_t>(sizeof(lab::LatchWords::Word)));
  EXPECT_GE(address(1, 4) - address(1, 3), 64);
  EXPECT_GE(std::abs(address(1, 0) - address(0, 0)), 64);
}

}  // namespace

}  // namespace latchscope
