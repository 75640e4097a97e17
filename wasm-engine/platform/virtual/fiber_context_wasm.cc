#if defined(__EMSCRIPTEN__)

#include <emscripten/fiber.h>

#include <cstdlib>

#include "platform/platform.h"
#include "platform/virtual/fiber_context.h"

namespace latchscope::platform {

namespace {

constexpr size_t kStackBytes = 64 * 1024;
// Asyncify keeps the frames of a fiber that was left here; a call of the engine is some 15 frames deep.
constexpr size_t kAsyncifyStackBytes = 8 * 1024;

}  // namespace

struct FiberContext::Implementation {
  emscripten_fiber_t fiber;
  void* stack = nullptr;
  alignas(16) char asyncify_stack[kAsyncifyStackBytes];
};

FiberContext::FiberContext() : implementation_(std::make_unique<Implementation>()) {
  emscripten_fiber_init_from_current_context(&implementation_->fiber, implementation_->asyncify_stack,
                                             kAsyncifyStackBytes);
}

FiberContext::FiberContext(void (*entry)(void*), void* argument)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->stack = aligned_alloc(16, kStackBytes);
  LATCHSCOPE_ASSERT(implementation_->stack != nullptr, "no memory for the stack of another thread");
  emscripten_fiber_init(&implementation_->fiber, entry, argument, implementation_->stack, kStackBytes,
                        implementation_->asyncify_stack, kAsyncifyStackBytes);
}

FiberContext::~FiberContext() {
  free(implementation_->stack);
}

void FiberContext::switch_from_to(FiberContext& from, FiberContext& to) {
  emscripten_fiber_swap(&from.implementation_->fiber, &to.implementation_->fiber);
}

size_t FiberContext::stack_bytes() {
  return kStackBytes + sizeof(Implementation);
}

}  // namespace latchscope::platform

#endif
