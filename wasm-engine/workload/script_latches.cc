#include "workload/script_latches.h"

#include "latch/counting_semaphore.h"
#include "latch/mysql_mutex.h"
#include "latch/sharded_rw_lock.h"
#include "latch/thread_annotations.h"
#include "latch/ttas_event_mutex.h"

namespace latchscope::workload {

namespace {

using telemetry::LatchSite;

constexpr uint32_t kNoKey = 0;

std::optional<uint32_t> key_if(bool is_taken) {
  return is_taken ? std::optional(kNoKey) : std::nullopt;
}

// No latch at all: nothing is excluded, and nothing is counted.
class NoLatch final : public LatchOfScript {
 public:
  uint32_t enter(const LatchSite& /*site*/, bool /*is_shared*/) override { return kNoKey; }
  std::optional<uint32_t> try_enter(const LatchSite& /*site*/, bool /*is_shared*/) override { return kNoKey; }
  void leave(uint32_t /*key*/, bool /*is_shared*/) override {}
  uint32_t acquisitions(bool /*is_shared*/) const override { return 0; }
  bool can_be_shared() const override { return true; }
  bool can_be_taken_again() const override { return true; }
  bool is_free() const override { return true; }
};

class InnodbMutex final : public LatchOfScript {
 public:
  explicit InnodbMutex(latch::LatchEnvironment& environment) : mutex_(environment) {}

  uint32_t enter(const LatchSite& site, bool /*is_shared*/) override NO_THREAD_SAFETY_ANALYSIS {
    mutex_.enter(site);
    return kNoKey;
  }
  std::optional<uint32_t> try_enter(const LatchSite& site,
                                    bool /*is_shared*/) override NO_THREAD_SAFETY_ANALYSIS {
    return key_if(mutex_.try_enter(site));
  }
  void leave(uint32_t /*key*/, bool /*is_shared*/) override NO_THREAD_SAFETY_ANALYSIS { mutex_.exit(); }
  uint32_t acquisitions(bool /*is_shared*/) const override { return 1; }
  bool can_be_taken_again() const override { return false; }
  bool is_free() const override { return !mutex_.is_locked(); }

 private:
  latch::TTASEventMutex mutex_;
};

class InnodbRwLock final : public LatchOfScript {
 public:
  explicit InnodbRwLock(latch::LatchEnvironment& environment) : lock_(environment) {}

  uint32_t enter(const LatchSite& site, bool is_shared) override NO_THREAD_SAFETY_ANALYSIS {
    if (is_shared) {
      lock_.s_lock(site);
    } else {
      lock_.x_lock(site);
    }
    return kNoKey;
  }
  std::optional<uint32_t> try_enter(const LatchSite& site,
                                    bool is_shared) override NO_THREAD_SAFETY_ANALYSIS {
    return key_if(is_shared ? lock_.try_s_lock(site) : lock_.try_x_lock(site));
  }
  void leave(uint32_t /*key*/, bool is_shared) override NO_THREAD_SAFETY_ANALYSIS {
    if (is_shared) {
      lock_.s_unlock();
    } else {
      lock_.x_unlock();
    }
  }
  uint32_t acquisitions(bool /*is_shared*/) const override { return 1; }
  bool can_be_shared() const override { return true; }
  bool can_be_taken_again() const override { return false; }
  bool is_free() const override { return lock_.lock_word() == latch::RwLock::kXLockDecr; }

 private:
  latch::RwLock lock_;
};

// The key of a shared acquisition is its shard.
class ShardedRwLock final : public LatchOfScript {
 public:
  ShardedRwLock(latch::LatchEnvironment& environment, uint32_t shards) : lock_(environment, shards) {}

  uint32_t enter(const LatchSite& site, bool is_shared) override NO_THREAD_SAFETY_ANALYSIS {
    if (is_shared) return lock_.s_lock(site);
    lock_.x_lock(site);
    return kNoKey;
  }
  std::optional<uint32_t> try_enter(const LatchSite& site,
                                    bool is_shared) override NO_THREAD_SAFETY_ANALYSIS {
    return is_shared ? lock_.try_s_lock(site) : key_if(lock_.try_x_lock(site));
  }
  void leave(uint32_t key, bool is_shared) override NO_THREAD_SAFETY_ANALYSIS {
    if (is_shared) {
      lock_.s_unlock(key);
    } else {
      lock_.x_unlock();
    }
  }
  uint32_t acquisitions(bool is_shared) const override { return is_shared ? 1 : lock_.shards(); }
  bool can_be_shared() const override { return true; }
  bool can_be_taken_again() const override { return false; }
  bool is_free() const override { return lock_.is_free(); }

 private:
  latch::ShardedRwLock lock_;
};

class PthreadMutex final : public LatchOfScript {
 public:
  uint32_t enter(const LatchSite& site, bool /*is_shared*/) override NO_THREAD_SAFETY_ANALYSIS {
    mutex_.lock(site);
    return kNoKey;
  }
  std::optional<uint32_t> try_enter(const LatchSite& site,
                                    bool /*is_shared*/) override NO_THREAD_SAFETY_ANALYSIS {
    return key_if(mutex_.try_lock(site));
  }
  void leave(uint32_t /*key*/, bool /*is_shared*/) override NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }
  uint32_t acquisitions(bool /*is_shared*/) const override { return 1; }
  bool can_be_taken_again() const override { return false; }
  bool is_free() const override { return !mutex_.is_locked(); }

 private:
  latch::MysqlMutex mutex_;
};

// Several threads hold a semaphore at once, each one unit.
class Semaphore final : public LatchOfScript {
 public:
  explicit Semaphore(uint32_t units) : semaphore_(units), units_(units) {}

  uint32_t enter(const LatchSite& site, bool /*is_shared*/) override {
    telemetry::latch_wanted(site.id, semaphore_.number());
    semaphore_.acquire(site, [](uint32_t /*attempt*/) {});
    telemetry::recorder().latch_acquired(site, semaphore_.number());
    return kNoKey;
  }
  std::optional<uint32_t> try_enter(const LatchSite& site, bool /*is_shared*/) override {
    telemetry::latch_wanted(site.id, semaphore_.number());
    if (!semaphore_.try_acquire()) return std::nullopt;
    telemetry::recorder().latch_acquired(site, semaphore_.number());
    return kNoKey;
  }
  void leave(uint32_t /*key*/, bool /*is_shared*/) override {
    telemetry::LatchRelease release(semaphore_.number());
    semaphore_.release();
    telemetry::latch_is_free(semaphore_.number());
  }
  uint32_t acquisitions(bool /*is_shared*/) const override { return 1; }
  bool can_be_taken_again() const override { return true; }
  bool is_free() const override { return semaphore_.units() == units_; }

 private:
  latch::CountingSemaphore semaphore_;
  const uint32_t units_;
};

// A latch written in the lab's language. If it has to be stopped, an rw-lock takes its place. The key
// says by which of them the thread is in.
class LatchOfLab final : public LatchOfScript {
 public:
  LatchOfLab(lab::LatchPlace& place, latch::LatchEnvironment& environment)
      : yours_(place), own_(environment), can_be_shared_(place.program().is_rw_latch()) {}

  uint32_t enter(const LatchSite& site, bool is_shared) override {
    if (is_shared ? yours_.enter_shared(site) : yours_.enter(site)) return kByReaders;
    own_.enter(site, is_shared);
    if (is_shared) {
      yours_.enter_shared_beside_own();
    } else {
      yours_.enter_beside_own();
    }
    return kByOwn;
  }
  // find_fault() refuses programs that try to take such a latch: its code has no way to do so.
  std::optional<uint32_t> try_enter(const LatchSite& /*site*/, bool /*is_shared*/) override {
    return std::nullopt;
  }
  void leave(uint32_t key, bool is_shared) override {
    if (key == kByReaders) return yours_.exit_by_readers(is_shared);
    yours_.exit_by_own(is_shared);
    own_.leave(kNoKey, is_shared);
  }
  uint32_t acquisitions(bool /*is_shared*/) const override { return 1; }
  bool can_be_shared() const override { return can_be_shared_; }
  bool can_be_taken_again() const override { return false; }
  bool is_free() const override { return !yours_.is_anybody_in(); }

 private:
  static constexpr uint32_t kByReaders = 1, kByOwn = 2;

  lab::YourLatch yours_;
  InnodbRwLock own_;
  const bool can_be_shared_;
};

}  // namespace

std::unique_ptr<LatchOfScript> make_latch(const ScriptKind& kind, latch::LatchEnvironment& environment,
                                          lab::LatchPlace* place) {
  switch (kind.kind) {
    case ScriptLatchKind::none:
      return std::make_unique<NoLatch>();
    case ScriptLatchKind::innodb_mutex:
      return std::make_unique<InnodbMutex>(environment);
    case ScriptLatchKind::innodb_rw_lock:
      return std::make_unique<InnodbRwLock>(environment);
    case ScriptLatchKind::sharded_rw_lock:
      return std::make_unique<ShardedRwLock>(environment, kind.size);
    case ScriptLatchKind::pthread_mutex:
      return std::make_unique<PthreadMutex>();
    case ScriptLatchKind::semaphore:
      return std::make_unique<Semaphore>(kind.size);
    case ScriptLatchKind::lab_latch:
      return std::make_unique<LatchOfLab>(*place, environment);
  }
  return nullptr;
}

}  // namespace latchscope::workload
