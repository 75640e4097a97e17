// Hand-computed cases of the cost model. Costs of the profile below, in nanoseconds:
//    load hit 1, local write 8, transfer 40 within and 110 across sockets, shared load 22 (line
//    busy for 8), residency 10
#include "platform/virtual/coherence_model.h"

#include <gtest/gtest.h>

namespace latchscope::platform {
namespace {

constexpr Ps ns(uint64_t count) {
  return count * kPsPerNs;
}

constexpr uint32_t kNear = 1;  // in the socket of core 0
constexpr uint32_t kFar = 4;   // in the other socket

class CoherenceModelTest : public testing::Test {
 protected:
  Ps load(uint32_t core, Ps now) { return model_.load(line_, core, now); }
  Ps write(uint32_t core, Ps now) { return model_.write(line_, core, now); }

  const ServerProfile profile_{.sockets = 2, .cores_per_socket = 4, .load_hit_ps = ns(1)};
  CoherenceModel model_{profile_, 1};
  LineState line_;
};

TEST_F(CoherenceModelTest, TheFirstWriteFetchesTheLineAndTheNextIsLocal) {
  EXPECT_EQ(write(0, ns(100)), ns(122));
  EXPECT_EQ(write(0, ns(122)), ns(130));
  EXPECT_EQ(load(0, ns(130)), ns(131));
}

TEST_F(CoherenceModelTest, TransfersWithinAndAcrossSockets) {
  write(0, 0);  // takes until 22; core 0 keeps the line until 32
  EXPECT_EQ(write(kNear, ns(100)), ns(140));
  EXPECT_EQ(write(kFar, ns(200)), ns(310));
  EXPECT_EQ(load(kNear, ns(400)), ns(510)) << "a modified line is read by a transfer, too";
}

TEST_F(CoherenceModelTest, TransfersFollowEachOtherAndEachOwnerKeepsTheLineForAWhile) {
  write(0, 0);
  EXPECT_EQ(write(1, ns(100)), ns(140));  // keeps it until 150
  EXPECT_EQ(write(2, ns(100)), ns(190));  // 150 + 40; keeps it until 200
  EXPECT_EQ(write(3, ns(100)), ns(240));
  EXPECT_EQ(write(1, ns(140)), ns(148)) << "core 1 still has it";
  EXPECT_EQ(write(1, ns(149)), ns(157)) << "and may begin a last write";
  EXPECT_EQ(write(1, ns(150)), ns(290)) << "then it queues behind cores 2 and 3";
}

TEST_F(CoherenceModelTest, AReaderGoesOnHittingUntilTheTransferStarts) {
  write(0, 0);
  EXPECT_EQ(load(1, ns(50)), ns(90));
  EXPECT_EQ(load(2, ns(90)), ns(112)) << "from the L3 of the socket";
  EXPECT_EQ(write(3, ns(95)), ns(138)) << "the line is busy until 98, then 40";
  EXPECT_EQ(load(1, ns(96)), ns(97));
  EXPECT_EQ(load(1, ns(98)), ns(188)) << "waits until core 3 gives the line up at 148, then 40";
}

TEST_F(CoherenceModelTest, SharedLoadsOverlap) {
  write(0, 0);
  load(1, ns(50));  // shared from 90 on
  EXPECT_EQ(load(2, ns(100)), ns(122));
  EXPECT_EQ(load(3, ns(100)), ns(130)) << "starts when the line is free again, 8 later";
  EXPECT_EQ(load(kFar, ns(200)), ns(310));
  EXPECT_EQ(load(kFar + 1, ns(400)), ns(422)) << "now that socket has it";
}

TEST_F(CoherenceModelTest, WhoWritesASharedLineTakesItFromTheFarthestReader) {
  write(0, 0);
  load(1, ns(50));
  EXPECT_EQ(write(0, ns(100)), ns(140)) << "core 0 has a copy, but not alone";
  load(kFar, ns(200));  // until 310
  EXPECT_EQ(write(0, ns(400)), ns(510));
}

TEST_F(CoherenceModelTest, TheOnlyReaderMayWriteWithoutATransfer) {
  EXPECT_EQ(load(0, 0), ns(22));
  EXPECT_EQ(write(0, ns(22)), ns(30));
}

TEST_F(CoherenceModelTest, AWriterWhoseLineWasReadMustTakeItBack) {
  write(0, 0);
  load(1, ns(50));  // starts at 50
  EXPECT_EQ(write(0, ns(60)), ns(130)) << "busy until 90, then 40";
}

TEST_F(CoherenceModelTest, ABufferedStoreNeedsTheLineAndNoMore) {
  const auto store = [this](uint32_t core, Ps now) { return model_.store(line_, core, now); };
  EXPECT_EQ(store(0, 0), ns(22)) << "the first access fetches it";
  EXPECT_EQ(store(0, ns(100)), ns(100)) << "the core has it";
  EXPECT_EQ(store(kNear, ns(200)), ns(240));
  EXPECT_EQ(store(kNear, ns(210)), ns(240)) << "it is on its way";
  EXPECT_EQ(write(kNear, ns(240)), ns(248));
  EXPECT_EQ(store(0, ns(240)), ns(290)) << "takes its place in the queue: kept until 250, then 40";
}

// Two sockets of two complexes of two cores: 0 and 1, 2 and 3 | 4 and 5, 6 and 7.
class ComplexesTest : public CoherenceModelTest {
 protected:
  Ps load(uint32_t core, Ps now) { return with_complexes_.load(line_, core, now); }
  Ps write(uint32_t core, Ps now) { return with_complexes_.write(line_, core, now); }

  static ServerProfile profile() {
    ServerProfile profile{.sockets = 2, .cores_per_socket = 4, .cores_per_complex = 2, .load_hit_ps = ns(1)};
    profile.cross_complex_transfer_ps = ns(90);
    return profile;
  }
  CoherenceModel with_complexes_{profile(), 2};
};

TEST_F(ComplexesTest, ATransferCostsMoreFromAnotherComplexAndMostFromAnotherSocket) {
  write(0, 0);
  EXPECT_EQ(write(1, ns(100)), ns(140));
  EXPECT_EQ(write(2, ns(200)), ns(290));
  EXPECT_EQ(write(4, ns(400)), ns(510));
  EXPECT_EQ(load(6, ns(600)), ns(690));
}

TEST_F(ComplexesTest, ASharedLineComesFromTheNearestComplexThatHasIt) {
  write(0, 0);
  load(1, ns(50));
  EXPECT_EQ(load(2, ns(200)), ns(290)) << "from the other complex";
  EXPECT_EQ(load(3, ns(400)), ns(422)) << "now its own has it";
  EXPECT_EQ(load(5, ns(500)), ns(610)) << "from the other socket";
  EXPECT_EQ(load(7, ns(700)), ns(790)) << "now its own socket has it";
}

TEST_F(ComplexesTest, AWriteTakesASharedLineFromTheFarthestCopy) {
  write(0, 0);
  load(1, ns(50));
  EXPECT_EQ(write(0, ns(200)), ns(240)) << "the other copy is in its complex";
  load(2, ns(300));  // until 390
  EXPECT_EQ(write(1, ns(500)), ns(590)) << "one is in the other complex";
  load(2, ns(700));
  load(7, ns(900));
  EXPECT_EQ(write(2, ns(1'100)), ns(1'210)) << "one is in the other socket";
}

TEST_F(ComplexesTest, CopiesOfAnEarlierWriteDoNotCount) {
  write(0, 0);
  load(7, ns(100));
  write(0, ns(300));  // invalidates core 7's copy
  EXPECT_EQ(write(1, ns(600)), ns(640));
  load(0, ns(700));
  EXPECT_EQ(write(1, ns(900)), ns(940)) << "shared again, but within the complex only";
}

TEST_F(CoherenceModelTest, ACopyCanBeUsedOnceItHasArrived) {
  write(0, 0);
  EXPECT_EQ(write(kFar, ns(100)), ns(210));
  EXPECT_EQ(load(kFar, ns(150)), ns(211)) << "a sibling of the writer asks while the line is on its way";
  EXPECT_EQ(write(kFar, ns(150)), ns(218));
}

}  // namespace
}  // namespace latchscope::platform
