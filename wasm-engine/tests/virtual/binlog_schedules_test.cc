// The stages of ordered commit over many schedules (explorer.h).
#include <gtest/gtest.h>

#include <vector>

#include "server/binlog/commit_stage_manager.h"
#include "tests/virtual/explorer.h"

namespace latchscope::server::binlog {
namespace {

using latch::MysqlMutexGuard;
using tests::expect_found;
using tests::expect_holds;
using tests::kStuck;
using tests::require;
using tests::scenario;

const telemetry::LatchSite kFlushSite("LOCK_log", "binlog_schedules_test");
const telemetry::LatchSite kCommitSite("LOCK_commit", "binlog_schedules_test");
const telemetry::LatchSite kDoneSite("LOCK_done", "binlog_schedules_test");
const telemetry::LatchSite kDoneCondSite("COND_done", "binlog_schedules_test");

constexpr uint32_t kSessions = 3;
constexpr uint32_t kCommitsPerSession = 2;

// Sessions that commit through two stages. The first assigns numbers in order; the second must
// preserve the order.
template <bool enrolls_before_it_leaves>
class StagesWorld final : public tests::Scenario {
 public:
  uint32_t threads() const override { return kSessions; }
  void run(uint32_t /*thread*/) override {
    for (uint32_t i = 0; i < kCommitsPerSession; ++i)
      commit();
  }
  void check() override {
    require(committed_.size() == kSessions * kCommitsPerSession, "every session committed");
    for (size_t i = 0; i < committed_.size(); ++i)
      require(committed_[i] == i + 1, "commits keep the order of the flush stage");
  }

 private:
  void commit() NO_THREAD_SAFETY_ANALYSIS {
    BinlogSession session;
    session.pending = true;
    if (stages_.enroll_for(Stage::flush, session, nullptr, lock_log_, kFlushSite)) lead();
    require(!session.pending && session.gno != 0, "who returns has been committed");
  }

  void lead() NO_THREAD_SAFETY_ANALYSIS {
    BinlogSession* group = stages_.fetch_queue(Stage::flush);
    for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage)
      session->gno = ++last_gno_;
    latch::MysqlMutex* leave = &lock_log_;
    if constexpr (!enrolls_before_it_leaves) {
      lock_log_.unlock();
      leave = nullptr;
    }
    if (!stages_.enroll_for(Stage::commit, *group, leave, lock_commit_, kCommitSite)) return;
    group = stages_.fetch_queue(Stage::commit);
    for (BinlogSession* session = group; session != nullptr; session = session->next_in_stage)
      committed_.push_back(session->gno);
    lock_commit_.unlock();
    stages_.signal_done(group);
  }

  CommitStageManager stages_;
  latch::MysqlMutex lock_log_;
  latch::MysqlMutex lock_commit_;
  uint64_t last_gno_ = 0;
  std::vector<uint64_t> committed_;
};

TEST(Schedules, CommitStageManager) {
  expect_holds("Commit_stage_manager", scenario<StagesWorld</*enrolls_before_it_leaves=*/true>>());
}
TEST(BrokenTwin, CommitStagesWhoseLeaderLeavesBeforeItEnrolls) {
  expect_found("Commit_stage_manager, leaves before it enrolls", "keep the order",
               scenario<StagesWorld</*enrolls_before_it_leaves=*/false>>());
}

// --- twins: one stage, and how its leader wakes the followers ------------------------------------

enum class DoneFault { none, signals_before_it_marks, signals_one };

template <DoneFault fault>
class StageTwinWorld final : public tests::Scenario {
 public:
  uint32_t threads() const override { return kSessions; }
  void run(uint32_t /*thread*/) override {
    Session session;
    if (enroll(session)) {
      lead();
    } else {
      MysqlMutexGuard guard(lock_done_, kDoneSite);
      while (session.pending)
        cond_done_.wait(lock_done_, kDoneCondSite);
    }
  }

 private:
  struct Session {
    Session* next = nullptr;
    bool pending = true;
  };

  bool enroll(Session& session) {
    MysqlMutexGuard guard(queue_mutex_, kFlushSite);
    session.next = first_;
    first_ = &session;
    return session.next == nullptr;
  }

  void lead() {
    MysqlMutexGuard stage(lock_log_, kFlushSite);
    Session* group;
    {
      MysqlMutexGuard guard(queue_mutex_, kFlushSite);
      group = first_;
      first_ = nullptr;
    }
    if (fault == DoneFault::signals_before_it_marks) cond_done_.broadcast();
    MysqlMutexGuard guard(lock_done_, kDoneSite);
    for (Session* session = group; session != nullptr; session = session->next)
      session->pending = false;
    if (fault == DoneFault::none) cond_done_.broadcast();
    if (fault == DoneFault::signals_one) cond_done_.signal();
  }

  latch::MysqlMutex queue_mutex_;
  latch::MysqlMutex lock_log_;
  latch::MysqlMutex lock_done_;
  latch::MysqlCond cond_done_;
  Session* first_ = nullptr;
};

TEST(Schedules, TheStageTwinWithoutAFault) {
  expect_holds("Commit_stage_manager, twin", scenario<StageTwinWorld<DoneFault::none>>());
}
TEST(BrokenTwin, CommitStagesThatSignalBeforeTheyMark) {
  expect_found("Commit_stage_manager, signals before it marks", kStuck,
               scenario<StageTwinWorld<DoneFault::signals_before_it_marks>>());
}
TEST(BrokenTwin, CommitStagesThatSignalOneFollower) {
  expect_found("Commit_stage_manager, signals one", kStuck,
               scenario<StageTwinWorld<DoneFault::signals_one>>());
}

}  // namespace
}  // namespace latchscope::server::binlog
