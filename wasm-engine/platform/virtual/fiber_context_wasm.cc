#if defined(__EMSCRIPTEN__)

// Asyncify (Binaryen) can unwind a call and rewind it later. While it *unwinds*, each instrumented
// function stores its locals and returns at once; while it *rewinds*, each restores them and calls
// on. Emscripten's own fibers make a detour through JavaScript for every switch. Here the whole
// switch stays inside WebAssembly. Binaryen recognizes its two ends by the Asyncify operations that
// they call, and leaves them uninstrumented.
//
//   host -> run_fibers() -> a fiber's entry -> ... -> switch_from_to()
//             ^ one end: runs the next fiber      ^ the other: starts unwinding, ends rewinding
//
// Nested calls. To unwind a whole engine call at each switch would cost more than everything else.
// So a fiber is a stack of *calls*, each with its own buffer for frames (call_apart). When a fiber
// is left, all frames on the WebAssembly stack are unwound, each call's into its own buffer. When
// the fiber continues, only the innermost call is rewound. The outer call stays unwound until the
// inner one ends; then run_fibers() rewinds it. So a frame is rewound when control returns to its
// call, and not for each switch in an inner call.
//
//   run_fibers() -> entry -> ... -> call_apart() -> run_call() -> ... -> switch_from_to()
//                                                             at first, until the fiber is left
//   run_fibers() -> ... -> switch_from_to()                   then, until the inner call ends
//   run_fibers() -> entry -> ... -> call_apart()              then, and call_apart() returns
//
// The main context is the caller of run_fibers(). To switch to it is to return from run_fibers(),
// so its frames are never unwound.
//
// WebAssembly has no guard pages, so an overrun of a stack overwrites the memory below it. Each
// time a fiber is left, run_fibers() therefore checks both of its stacks for an overrun.

#include <emscripten/stack.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "platform/platform.h"
#include "platform/virtual/fiber_context.h"

// Defined in Emscripten's compiler-rt: sets the stack pointer in linear memory.
extern "C" void _emscripten_stack_restore(uintptr_t stack_pointer);

namespace latchscope::platform {

namespace {

constexpr size_t kStackBytes = 64 * 1024;
// Asyncify stores the frames of a suspended fiber here. An engine call is about 15 frames deep; an
// inner call has fewer.
constexpr size_t kAsyncifyStackBytes = 8 * 1024;
constexpr size_t kInnerAsyncifyStackBytes = 4 * 1024;
constexpr size_t kInnerCallsMax = 4;
// The lowest words of a stack, which no code writes unless it overruns the stack.
constexpr size_t kCanaryWords = 4;
constexpr uint64_t kCanary = 0x6c61746368736370;

// The argument of Asyncify's operations: where it stores next, and the end of its buffer.
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

// One of a fiber's nested calls.
struct Call {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  uintptr_t stack_pointer = 0;  // of the enclosing call
  bool has_begun = false;
  char* frames_begin = nullptr;
  AsyncifyData frames{};

  void start_unwind() {
    frames.current = frames_begin;
    asyncify_start_unwind(&frames);
  }
  bool has_too_many_frames() const { return frames.current > frames.end; }
};

}  // namespace

struct FiberContext::Implementation {
  bool is_main = true;
  char* stack = nullptr;
  uintptr_t stack_pointer = 0;  // where the fiber was left
  uint32_t innermost = 0;       // index of the innermost call
  bool has_too_many_calls = false;
  Call calls[1 + kInnerCallsMax];
  alignas(16) char asyncify_stack[kAsyncifyStackBytes + kInnerCallsMax * kInnerAsyncifyStackBytes];

  void give_rooms() {
    char* room = asyncify_stack;
    for (Call& call : calls) {
      call.frames_begin = room;
      room += &call == calls ? kAsyncifyStackBytes : kInnerAsyncifyStackBytes;
      call.frames.end = room;
    }
  }

  static void run_fibers(Implementation* first);
  void go_on();
  static bool run_call(Implementation* fiber, Call* call);

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
bool is_unwinding = false;
bool is_rewinding = false;

// Both are called through pointers that Binaryen cannot see through. If one of them were inlined at
// a suspend point, a single function would be both ends.
void (*volatile run_fibers)(FiberContext::Implementation*) = FiberContext::Implementation::run_fibers;
bool (*volatile run_call)(FiberContext::Implementation*, Call*) = FiberContext::Implementation::run_call;

// REQUIRES: Asyncify is neither unwinding nor rewinding.
[[noreturn]] void fail_of_overrun(const FiberContext::Implementation& fiber, uintptr_t own_stack_pointer) {
  _emscripten_stack_restore(own_stack_pointer);
  fail(fiber.has_too_many_calls ? "a thread has more nested calls than its unwind buffer can hold"
                                : "a thread has overrun its stack of 64 KiB");
}

}  // namespace

// Runs `first`, then each fiber that the previous one switches to, until one switches to the main
// context.
void FiberContext::Implementation::run_fibers(Implementation* first) {
  const uintptr_t own_stack_pointer = emscripten_stack_get_current();
  for (Implementation* fiber = first; !fiber->is_main; fiber = next_context) {
    fiber->go_on();
    if (fiber->has_too_many_calls || fiber->is_stack_overrun()) [[unlikely]]
      fail_of_overrun(*fiber, own_stack_pointer);
  }
  _emscripten_stack_restore(own_stack_pointer);
}

// Runs the fiber until it is left.
void FiberContext::Implementation::go_on() {
  for (;;) {
    Call& call = calls[innermost];
    _emscripten_stack_restore(stack_pointer);
    is_rewinding = std::exchange(call.has_begun, true);
    if (is_rewinding) asyncify_start_rewind(&call.frames);
    if (run_call(this, &call)) break;
    stack_pointer = call.stack_pointer;
    --innermost;
  }
  is_unwinding = false;
}

// Returns whether the fiber was left during the call; then the call is unwound. Asyncify must stop
// before any instrumented function runs, and does not accept a buffer that is too small.
bool FiberContext::Implementation::run_call(Implementation* fiber, Call* call) {
  call->function(call->argument);
  if (!is_unwinding) return false;
  if (call->has_too_many_frames()) [[unlikely]] {
    fiber->has_too_many_calls = true;
    call->frames.current = call->frames_begin;
  }
  asyncify_stop_unwind();
  return true;
}

// If the fiber was left meanwhile, this function runs a second time when the call has ended.
void FiberContext::call_apart(FiberContext& running, void (*function)(void*), void* argument) {
  if (std::exchange(is_rewinding, false)) {
    asyncify_stop_rewind();
    return;
  }
  Implementation& fiber = *running.implementation_;
  if (fiber.is_main) {  // the main context is never unwound
    function(argument);
    return;
  }
  Call* const around = &fiber.calls[fiber.innermost];
  ++fiber.innermost;
  LATCHSCOPE_ASSERT(fiber.innermost <= kInnerCallsMax,
                    "suspend boundaries are nested at most kInnerCallsMax deep");
  Call* const call = around + 1;
  call->function = function;
  call->argument = argument;
  call->stack_pointer = emscripten_stack_get_current();
  call->has_begun = true;
  if (run_call(&fiber, call)) {
    around->start_unwind();
  } else {
    --fiber.innermost;
  }
}

// Runs twice for each suspend: to start the unwinding, and again once the fiber has been rewound.
void FiberContext::switch_from_to(FiberContext& from, FiberContext& to) {
  if (std::exchange(is_rewinding, false)) {
    asyncify_stop_rewind();
    return;
  }
  Implementation& left = *from.implementation_;
  if (left.is_main) {
    run_fibers(to.implementation_.get());
    return;
  }
  next_context = to.implementation_.get();
  is_unwinding = true;
  left.stack_pointer = emscripten_stack_get_current();
  left.calls[left.innermost].start_unwind();
}

FiberContext::FiberContext() : implementation_(std::make_unique<Implementation>()) {}

FiberContext::FiberContext(void (*entry)(void*), void* argument)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& fiber = *implementation_;
  fiber.is_main = false;
  fiber.give_rooms();
  fiber.calls[0].function = entry;
  fiber.calls[0].argument = argument;
  fiber.stack = static_cast<char*>(aligned_alloc(16, kStackBytes));
  if (fiber.stack == nullptr) fail_out_of_memory();
  std::fill_n(fiber.canary(), kCanaryWords, kCanary);
  fiber.stack_pointer = reinterpret_cast<uintptr_t>(fiber.stack) + kStackBytes;
}

FiberContext::~FiberContext() {
  free(implementation_->stack);
}

size_t FiberContext::stack_bytes() {
  return kStackBytes + sizeof(Implementation);
}

}  // namespace latchscope::platform

#endif
