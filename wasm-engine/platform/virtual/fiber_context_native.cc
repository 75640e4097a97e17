#if !defined(__EMSCRIPTEN__)

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "platform/platform.h"
#include "platform/virtual/fiber_context.h"

#if defined(__SANITIZE_ADDRESS__)
#define LATCHSCOPE_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATCHSCOPE_ADDRESS_SANITIZER
#endif
#endif
#if defined(LATCHSCOPE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// Implemented in third_party/boost_context.
extern "C" {
struct LatchscopeTransfer {
  void* context;  // of the side that switched here
  void* data;     // the argument that it passed
};
LatchscopeTransfer jump_fcontext(void* to, void* data);
void* make_fcontext(void* stack_top, size_t bytes, void (*entry)(LatchscopeTransfer));
}

namespace latchscope::platform {

namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kPooledStacksMax = 16;

size_t guard_bytes() {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// Stacks, each above a guard page. The pool keeps a few free ones, because exploring schedules
// starts threads all the time.
class StackPool {
 public:
  void* take() {
    if (!free_.empty()) {
      void* mapping = free_.back();
      free_.pop_back();
      return mapping;
    }
    void* mapping = mmap(nullptr, guard_bytes() + kStackBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) fail_out_of_memory();
    if (mprotect(mapping, guard_bytes(), PROT_NONE) != 0)
      fail_out_of_memory();  // the guard page needs a mapping of its own
    return mapping;
  }

  void give_back(void* mapping) {
#if defined(LATCHSCOPE_ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(mapping, guard_bytes() + kStackBytes);
#endif
    if (free_.size() < kPooledStacksMax) {
      free_.push_back(mapping);
    } else {
      munmap(mapping, guard_bytes() + kStackBytes);
    }
  }

 private:
  std::vector<void*> free_;
};

// Never destroyed: the process's machine is static too, and may return stacks later.
StackPool& stack_pool() {
  static StackPool* const pool = new StackPool;
  return *pool;
}

}  // namespace

struct FiberContext::Implementation {
  void* context = nullptr;  // where to continue, while it does not run
  void* mapping = nullptr;  // a guard page and the stack above it
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
#if defined(LATCHSCOPE_ADDRESS_SANITIZER)
  void* fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  size_t stack_size = 0;
#endif

  void prepare_to_leave([[maybe_unused]] Implementation& to) {
#if defined(LATCHSCOPE_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(&fake_stack, to.stack_bottom, to.stack_size);
#endif
  }
  void has_arrived([[maybe_unused]] Implementation& from) {
#if defined(LATCHSCOPE_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fake_stack, &from.stack_bottom, &from.stack_size);
#endif
  }

  static void begin(LatchscopeTransfer transfer);
};

namespace {

// Both ends of a switch, for the arriving side.
struct Journey {
  FiberContext* from;
  FiberContext* to;
};

}  // namespace

FiberContext::FiberContext() : implementation_(std::make_unique<Implementation>()) {}

FiberContext::FiberContext(void (*entry)(void*), void* argument)
    : implementation_(std::make_unique<Implementation>()) {
  void* mapping = stack_pool().take();
  implementation_->mapping = mapping;
  implementation_->entry = entry;
  implementation_->argument = argument;
  char* stack = static_cast<char*>(mapping) + guard_bytes();
#if defined(LATCHSCOPE_ADDRESS_SANITIZER)
  implementation_->stack_bottom = stack;
  implementation_->stack_size = kStackBytes;
#endif
  implementation_->context = make_fcontext(stack + kStackBytes, kStackBytes, Implementation::begin);
}

FiberContext::~FiberContext() {
  if (implementation_->mapping != nullptr) stack_pool().give_back(implementation_->mapping);
}

void FiberContext::Implementation::begin(LatchscopeTransfer transfer) {
  auto* journey = static_cast<Journey*>(transfer.data);
  Implementation& self = *journey->to->implementation_;
  journey->from->implementation_->context = transfer.context;
  self.has_arrived(*journey->from->implementation_);
  self.entry(self.argument);
  LATCHSCOPE_ASSERT(false, "a fiber's entry does not return");
}

void FiberContext::switch_from_to(FiberContext& from, FiberContext& to) {
  Journey journey{&from, &to};
  from.implementation_->prepare_to_leave(*to.implementation_);
  const LatchscopeTransfer back = jump_fcontext(to.implementation_->context, &journey);
  auto* return_journey = static_cast<Journey*>(back.data);
  return_journey->from->implementation_->context = back.context;
  from.implementation_->has_arrived(*return_journey->from->implementation_);
}

size_t FiberContext::stack_bytes() {
  return kStackBytes;
}

}  // namespace latchscope::platform

#endif
