// A latch runs on two machines: the checker's own, which knows only the latch's words, and the
// engine's, which runs it on the platform. Under the same schedule both must make the same accesses
// and find the same values.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "lab/check_moves.h"
#include "lab/lab_latch.h"
#include "platform/virtual/exploring_scheduler.h"
#include "telemetry/telemetry.h"
#include "tests/lab_given.h"
#include "tests/lab_mutexes.h"
#include "tests/virtual/explorer.h"

namespace latchscope::tests {

namespace {

using lab::Op;
using lab::Program;
using platform::Candidate;
using Outcome = platform::ExploringScheduler::Outcome;

const telemetry::LatchSite kSite("lab_latch", "lab_machines_test");

constexpr uint32_t kMoves = 300;
constexpr uint32_t kStepsAtOnce = 32;

// One move of the checker's machine.
struct Access {
  uint32_t thread = 0;  // from 0
  uint32_t place = 0;
  bool fell_asleep = false;
  std::vector<uint32_t> elements_after;
};

struct Course {
  lab::Configuration configuration;
  std::vector<Access> accesses;
};

// Makes random moves up to the first fault. Omits fences and exits without an access, which the
// engine's words do not see.
Course course_of(const lab::CheckedProgram& checked, const lab::Configuration& configuration, uint64_t seed) {
  const lab::CheckedMachine machine(checked, configuration);
  platform::Random random(seed);
  Course course{configuration, {}};
  lab::MachineState state{};
  if (machine.begin(state).fault != lab::FaultKind::none) return course;
  for (uint32_t move = 0; move < kMoves; ++move) {
    const lab::Moves moves = machine.possible(state);
    if (moves.count == 0) break;
    const lab::Happening happening = machine.carry_out(state, moves.moves[random.below(moves.count)]);
    if (happening.fault != lab::FaultKind::none) break;
    if (happening.element == lab::kNoElement) continue;
    const auto elements = state.elements.begin();
    course.accesses.push_back({happening.thread,
                               happening.place,
                               happening.fell_asleep,
                               {elements, elements + machine.layout().elements()}});
  }
  return course;
}

// The latch on the platform, and threads that enter and exit forever.
struct World {
  World(const Program& of, uint32_t threads_of_it)
      : program(of), threads(threads_of_it), costs(program.code.size()), latch(program, threads) {
    latch.note_costs(costs);
  }
  void run(uint32_t thread, bool is_shared) {
    const uint32_t number = thread + 1;
    while (is_shared ? latch.enter_shared(kSite, number) && latch.exit_shared(number)
                     : latch.enter(kSite, number) && latch.exit(number)) {
    }
  }
  std::vector<uint32_t> elements() {
    std::vector<uint32_t> values;
    for (uint32_t word = 0; word < program.words.size(); ++word) {
      for (uint32_t index = 0; index < latch.words().elements_of(word); ++index)
        values.push_back(latch.words().at(word, index).value());
    }
    return values;
  }

  const Program program;
  const uint32_t threads;
  std::vector<lab::InstructionCost> costs;
  lab::LabLatch latch;
};

// Chooses the recorded thread until it has made its recorded access, then compares.
class FollowsCourse final : public platform::Schedule {
 public:
  FollowsCourse(World& world, const Course& course)
      : world_(world), course_(course), times_(world.costs.size()), sleeps_at_(world.threads, kNowhere) {}

  bool is_over() const { return !differs_.empty() || next_ == course_.accesses.size(); }
  // Returns how the engine differs from the recorded accesses, or "" if it does not.
  const std::string& differs() const { return differs_; }
  void finds_nobody() { static_cast<void>(pick({})); }

 private:
  static constexpr uint32_t kNowhere = ~0u;

  size_t pick(std::span<const Candidate> candidates) override {
    for (uint32_t place = 0; place < times_.size(); ++place) {
      if (world_.costs[place].times > times_[place]) has_made_access(place);
      times_[place] = world_.costs[place].times;
    }
    while (!is_over()) {
      const Access& access = course_.accesses[next_];
      for (size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].thread != access.thread + 1) continue;
        running_ = access.thread;
        return i;
      }
      if (!access.fell_asleep || running_ != access.thread) {
        differs_ = describe("cannot continue");
      } else {
        sleeps_at_[access.thread] = access.place;
        compare_words();
      }
    }
    return 0;
  }

  // Called after the thread chosen last has made an access.
  void has_made_access(uint32_t place) {
    if (is_over()) return;
    if (sleeps_at_[running_] == place) {  // it was woken
      sleeps_at_[running_] = kNowhere;
      return;
    }
    const Access& access = course_.accesses[next_];
    if (access.fell_asleep || access.place != place) {
      differs_ = describe("is at instruction " + std::to_string(place));
    } else {
      compare_words();
    }
  }

  void compare_words() {
    if (world_.elements() == course_.accesses[next_].elements_after) {
      ++next_;
    } else {
      differs_ = describe("leaves other words");
    }
  }

  std::string describe(const std::string& what) const {
    const Access& access = course_.accesses[next_];
    return "access " + std::to_string(next_) + ", thread " + std::to_string(access.thread + 1) +
           ", instruction " + std::to_string(access.place) + (access.fell_asleep ? ", falls asleep" : "") +
           ": the engine " + what;
  }

  World& world_;
  const Course& course_;
  std::vector<uint64_t> times_;      // executions of each instruction
  std::vector<uint32_t> sleeps_at_;  // by thread: the instruction at which it sleeps
  uint32_t running_ = kNowhere;
  size_t next_ = 0;
  std::string differs_;
};

std::string follow(platform::ExploringScheduler& scheduler, const Program& program, const Course& course) {
  auto world = std::make_unique<World>(program, course.configuration.threads);
  FollowsCourse schedule(*world, course);
  scheduler.begin(schedule, /*timeouts_end=*/false);
  for (uint32_t thread = 0; thread < world->threads; ++thread) {
    const bool is_shared = course.configuration.roles[thread] == lab::Role::shared;
    platform::machine().spawn(
        [&world = *world, thread, is_shared] {
          telemetry::ThreadScope scope({thread, 0, thread, /*seed=*/1});
          world.run(thread, is_shared);
        },
        platform::Machine::Place::on_server);
  }
  while (!schedule.is_over()) {
    if (scheduler.run(kStepsAtOnce) == Outcome::some_are_stuck) schedule.finds_nobody();
  }
  clear_slots(world->threads);
  static_cast<void>(world.release());  // its threads never continue
  return schedule.differs();
}

void expect_the_same(const std::string& name, const Program& program, uint32_t schedules) {
  const lab::CheckedProgram checked(program);
  platform::ExploringScheduler scheduler(platform::machine());
  uint64_t accesses = 0;
  for (uint64_t seed = 0; seed < schedules; ++seed) {
    lab::Configuration configuration;
    configuration.threads = std::min<uint32_t>(2 + seed % 4, checked.threads_max());
    configuration.rounds = lab::kForEver;
    if (program.is_rw_latch()) configuration.roles[1] = configuration.roles[3] = lab::Role::shared;
    const Course course = course_of(checked, configuration, seed);
    accesses += course.accesses.size();
    ASSERT_EQ(follow(scheduler, program, course), "") << name << ", seed " << seed;
  }
  EXPECT_GT(accesses, 0u) << name;
}

bool draws(const Program& program) {
  return std::ranges::any_of(program.code,
                             [](const lab::Instruction& each) { return each.op == Op::random; });
}

TEST(LabMachines, MakeTheSameAccesses) {
  expect_the_same("test and set", test_and_set(), 100);
  expect_the_same("test and set, once", test_and_set(false), 100);
  expect_the_same("ticket", ticket(), 100);
  expect_the_same("futex", futex_mutex(), 100);
  expect_the_same("futex, marks late", futex_mutex(FutexMistake::marks_after_it_looked), 100);
  expect_the_same("never wakes", never_wakes(), 100);
}

TEST(LabMachines, MakeTheSameAccessesInLatchesThatAreGiven) {
  const std::vector<GivenProgram> programs = given_programs();
  if (programs.empty()) GTEST_SKIP() << "no programs are given";
  for (const GivenProgram& given : programs) {
    if (draws(given.program)) continue;  // each machine draws its own random numbers
    expect_the_same(given.name, given.program, 40);
    printf("%s: the same\n", given.name.c_str());
  }
}

}  // namespace

}  // namespace latchscope::tests
