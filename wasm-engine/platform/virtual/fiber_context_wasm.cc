#if defined(__EMSCRIPTEN__)

// Asyncify (Binaryen) can take a call apart and put it together again: while it *unwinds*, each instrumented function
// stores its locals and returns at once; while it *rewinds*, each restores them and calls on. Emscripten's own fibers
// do this with a detour through JavaScript for every switch; here the whole switch stays inside WebAssembly, as the two
// ends of it are known to Binaryen by the operations that they call, and are left uninstrumented.
//
//   host -> run_fibers() -> a fiber's entry -> ... -> switch_from_to()
//             ^ one end: goes on in the next            ^ the other: begins to unwind, or ends rewinding
//
// The main context is whoever calls run_fibers(): to switch to it is to return from there, so its frames are never
// unwound.
//
// WebAssembly has no guard pages: whoever overruns a stack writes over what lies below it. So each time that a fiber was left
// run_fibers() looks whether both of its stacks were long enough.

#include <emscripten/stack.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "platform/platform.h"
#include "platform/virtual/fiber_context.h"

// Of emscripten's compiler-rt: sets the pointer to the stack in linear memory.
extern "C" void _emscripten_stack_restore(uintptr_t stack_pointer);

namespace latchscope::platform {

namespace {

constexpr size_t kStackBytes = 64 * 1024;
// Asyncify keeps the frames of a fiber that was left here; a call of the engine is some 15 frames deep.
constexpr size_t kAsyncifyStackBytes = 8 * 1024;
// The lowest words of a stack, which nobody writes who stays within it.
constexpr size_t kCanaryWords = 4;
constexpr uint64_t kCanary = 0x6c61746368736370;

// What Asyncify's operations take: where it stores next, and where its room ends.
struct AsyncifyData {
  char* current;
  char* end;
};

#define LATCHSCOPE_ASYNCIFY(name) __attribute__((import_module("asyncify"), import_name(name)))
extern "C" {
LATCHSCOPE_ASYNCIFY("start_unwind") void asyncify_start_unwind(AsyncifyData* data);
LATCHSCOPE_ASYNCIFY("stop_unwind") void asyncify_stop_unwind();
LATCHSCOPE_ASYNCIFY("start_rewind") void asyncify_start_rewind(AsyncifyData* data);
LATCHSCOPE_ASYNCIFY("stop_rewind") void asyncify_stop_rewind();
}
#undef LATCHSCOPE_ASYNCIFY

}  // namespace

struct FiberContext::Implementation {
  void (*entry)(void*) = nullptr;  // null: the main context
  void* argument = nullptr;
  char* stack = nullptr;
  uintptr_t stack_pointer = 0;  // where it was left
  bool has_begun = false;
  AsyncifyData frames{asyncify_stack, asyncify_stack + kAsyncifyStackBytes};
  alignas(16) char asyncify_stack[kAsyncifyStackBytes];

  static void run_fibers(Implementation* first);

  uint64_t* canary() const { return reinterpret_cast<uint64_t*>(stack); }
  bool is_stack_overrun() const {
    const uint64_t* words = canary();
    uint64_t changed = 0;
    for (size_t i = 0; i < kCanaryWords; ++i)
      changed |= words[i] ^ kCanary;
    return changed != 0 || stack_pointer < reinterpret_cast<uintptr_t>(words + kCanaryWords);
  }
};

namespace {

FiberContext::Implementation* next_context = nullptr;
bool is_rewinding = false;

// Called by its address, which Binaryen cannot see through: were it inlined where fibers are left, one function would be
// both ends.
void (*volatile run_fibers)(FiberContext::Implementation*) = FiberContext::Implementation::run_fibers;

}  // namespace

namespace {

// Asyncify has to come to rest before any instrumented function can run, and accepts no stack that is too long.
[[noreturn]] void fail_of_overrun(FiberContext::Implementation& fiber, uintptr_t own_stack_pointer) {
  const bool has_too_many_calls = fiber.frames.current > fiber.frames.end;
  fiber.frames.current = fiber.asyncify_stack;
  asyncify_stop_unwind();
  _emscripten_stack_restore(own_stack_pointer);
  fail(has_too_many_calls
           ? "a thread has more nested calls than fit in the 8 KiB that keep them while it stands"
           : "a thread has overrun its stack of 64 KiB");
}

}  // namespace

// Runs `first`, whomever it switches to, and so on, until one of them switches to the main context.
void FiberContext::Implementation::run_fibers(Implementation* first) {
  const uintptr_t own_stack_pointer = emscripten_stack_get_current();
  for (Implementation* fiber = first; fiber->entry != nullptr; fiber = next_context) {
    _emscripten_stack_restore(fiber->stack_pointer);
    is_rewinding = std::exchange(fiber->has_begun, true);
    if (is_rewinding) asyncify_start_rewind(&fiber->frames);
    fiber->entry(fiber->argument);
    if (fiber->frames.current > fiber->frames.end || fiber->is_stack_overrun()) [[unlikely]]
      fail_of_overrun(*fiber, own_stack_pointer);
    asyncify_stop_unwind();
  }
  _emscripten_stack_restore(own_stack_pointer);
}

FiberContext::FiberContext() : implementation_(std::make_unique<Implementation>()) {}

FiberContext::FiberContext(void (*entry)(void*), void* argument)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& fiber = *implementation_;
  fiber.entry = entry;
  fiber.argument = argument;
  fiber.stack = static_cast<char*>(aligned_alloc(16, kStackBytes));
  if (fiber.stack == nullptr) fail_out_of_memory();
  std::fill_n(fiber.canary(), kCanaryWords, kCanary);
  fiber.stack_pointer = reinterpret_cast<uintptr_t>(fiber.stack) + kStackBytes;
}

FiberContext::~FiberContext() {
  free(implementation_->stack);
}

// Called twice for each time that a fiber is left: to unwind it, and again once it has been rewound.
void FiberContext::switch_from_to(FiberContext& from, FiberContext& to) {
  if (std::exchange(is_rewinding, false)) {
    asyncify_stop_rewind();
    return;
  }
  Implementation& left = *from.implementation_;
  if (left.entry == nullptr) {
    run_fibers(to.implementation_.get());
    return;
  }
  next_context = to.implementation_.get();
  left.stack_pointer = emscripten_stack_get_current();
  left.frames.current = left.asyncify_stack;
  asyncify_start_unwind(&left.frames);
}

size_t FiberContext::stack_bytes() {
  return kStackBytes + sizeof(Implementation);
}

}  // namespace latchscope::platform

#endif
