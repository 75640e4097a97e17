// Reads multi-word records under every outcome that a weak memory allows (weak_memory.h), after the
// engine's own functions wrote them. Readers written in TypeScript are repeated here in C++;
// Atomics.load is an acquire.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "telemetry/publish.h"
#include "tests/weak_memory.h"

namespace latchscope::telemetry {
namespace {

using tests::WeakCell;
using tests::WeakMemory;
using Stack = std::vector<uint32_t>;

struct WeakSlot {
  WeakCell<uint32_t> stack_word[1];
  WeakCell<uint32_t> frames[kFramesMax];
};

constexpr uint32_t kRing = 2;

struct WeakMark {
  WeakCell<uint64_t> run_ns[1];
  WeakCell<uint32_t> kind[1], subject[1], value[1], stopped_us[1];
  WeakCell<uint64_t> step_ns[1];
  WeakCell<uint32_t> is_by_hand[1];
};
struct WeakMarks {
  WeakCell<uint32_t> count;
  WeakMark ring[kRing];
};

struct WeakLine {
  WeakCell<uint32_t> sequence[1];
  WeakCell<uint8_t> text[3];
};
struct WeakLines {
  WeakCell<uint32_t> count;
  WeakLine ring[kRing];
};

// 0 pops; any other number pushes that function.
using Changes = std::vector<uint32_t>;

void carry_out(const Changes& changes, WeakSlot& slot, std::set<Stack>& had) {
  Stack stack;
  had.insert(stack);
  for (uint32_t change : changes) {
    if (change == 0) {
      pop_frame(slot);
      stack.pop_back();
    } else {
      push_frame(slot, change);
      stack.push_back(change);
    }
    had.insert(stack);
  }
}

void for_each_history(Changes& so_far, size_t depth, size_t length,
                      const std::function<void(const Changes&)>& visit) {
  if (so_far.size() == length) return visit(so_far);
  for (uint32_t change = depth == 0 ? 1 : 0; change <= 2; ++change) {
    so_far.push_back(change);
    for_each_history(so_far, change == 0 ? depth - 1 : depth + 1, length, visit);
    so_far.pop_back();
  }
}

TEST(PublishedRecords, EveryStackThatIsCopiedWasThereAtSomeMoment) {
  constexpr size_t kChanges = 8;
  uint64_t copies = 0;
  Changes changes;
  for_each_history(changes, 0, kChanges, [&](const Changes& history) {
    if (testing::Test::HasFailure()) return;
    WeakMemory memory;
    WeakSlot slot;
    std::set<Stack> had;
    carry_out(history, slot, had);
    std::set<Stack> copied;
    memory.try_every_outcome([&] {
      Stack copy;
      if (!copy_stack(slot, copy)) return;
      ++copies;
      copied.insert(copy);
    });
    EXPECT_TRUE(std::includes(had.begin(), had.end(), copied.begin(), copied.end()))
        << testing::PrintToString(history) << " never had one of " << testing::PrintToString(copied);
  });
  EXPECT_GT(copies, 1'000u);
}

constexpr uint32_t kMarks = 4;

// Publishes marks. Each word of a mark contains the number of the mark.
void publish_marks(WeakMarks& marks) {
  for (uint32_t i = 1; i <= kMarks; ++i)
    publish_mark(marks.count, marks.ring, {i, static_cast<MarkKind>(i), i, i, i, i, i});
}

// Same algorithm as TelemetryReader.marksFrom.
std::vector<std::vector<uint64_t>> read_marks(const WeakMarks& marks) {
  std::vector<std::vector<uint64_t>> read;
  const uint32_t count = marks.count.read_acquire();
  const uint32_t first = count > kRing ? count - kRing : 0;
  for (uint32_t number = first; number < count; ++number) {
    const WeakMark& mark = marks.ring[number % kRing];
    read.push_back({number, mark.run_ns[0].read_acquire(), mark.kind[0].read_acquire(),
                    mark.subject[0].read_acquire(), mark.value[0].read_acquire(),
                    mark.stopped_us[0].read_acquire(), mark.step_ns[0].read_acquire(),
                    mark.is_by_hand[0].read_acquire()});
  }
  const uint32_t count_after = marks.count.read_acquire();
  std::erase_if(read, [&](const auto& mark) { return mark[0] + kRing <= count_after; });
  return read;
}

TEST(PublishedRecords, EveryMarkThatIsReadIsWhole) {
  WeakMemory memory;
  WeakMarks marks;
  publish_marks(marks);
  uint64_t whole = 0;
  memory.try_every_outcome([&] {
    for (const auto& mark : read_marks(marks)) {
      for (size_t i = 1; i < mark.size(); ++i)
        ASSERT_EQ(mark[i], mark[0] + 1) << testing::PrintToString(mark);
      ++whole;
    }
  });
  EXPECT_GT(whole, 10u);
}

// Same algorithm as TelemetryReader.logLinesFrom, but also returns torn texts.
std::vector<std::string> read_lines(const WeakLines& lines) {
  std::vector<std::string> read;
  const uint32_t count = lines.count.read_acquire();
  for (uint32_t number = count > kRing ? count - kRing : 0; number < count; ++number) {
    const WeakLine& line = lines.ring[number % kRing];
    if (line.sequence[0].read_acquire() != number + 1) continue;
    std::string text;
    for (const auto& cell : line.text) {
      const uint8_t byte = cell.read_acquire();
      if (byte == 0) break;
      text += static_cast<char>(byte);
    }
    if (line.sequence[0].read_acquire() == number + 1) read.push_back(std::to_string(number) + text);
  }
  return read;
}

TEST(PublishedRecords, EveryLogLineThatIsReadIsWhole) {
  WeakMemory memory;
  WeakLines lines;
  for (const char* text : {"aa", "b", "c", "dd", "ee"})
    publish_line(lines.count, lines.ring, text);
  std::set<std::string> read;
  memory.try_every_outcome([&] {
    for (const std::string& line : read_lines(lines))
      read.insert(line);
  });
  EXPECT_EQ(read, (std::set<std::string>{"0aa", "1b", "2c", "3dd", "4ee"}));
}

// A state that another thread sets to failed right after it was read.
class OvertakenState {
 public:
  uint32_t read_acquire() {
    const uint32_t seen = state;
    state = static_cast<uint32_t>(RunState::failed);
    return seen;
  }
  void set_release(uint32_t value) { state = value; }
  bool compare_exchange(uint32_t& expected, uint32_t desired) {
    if (state == expected) {
      state = desired;
      return true;
    }
    expected = state;
    return false;
  }
  uint32_t state = static_cast<uint32_t>(RunState::running);
};

TEST(PublishedRecords, AnEngineThatFailsWhileItsStateChangesHasFailed) {
  OvertakenState state;
  set_run_state(state, RunState::paused);
  EXPECT_EQ(state.state, static_cast<uint32_t>(RunState::failed));
}

}  // namespace
}  // namespace latchscope::telemetry
