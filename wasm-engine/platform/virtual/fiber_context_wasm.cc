#if defined(__EMSCRIPTEN__)

// Asyncify (Binaryen) can take a call apart and put it together again: while it *unwinds*, each instrumented function
// stores its locals and returns at once; while it *rewinds*, each restores them and calls on. Emscripten's own fibers
// do this with a detour through JavaScript for every switch; here the whole switch stays inside WebAssembly, as the two
// ends of it are known to Binaryen by the operations that they call, and are left uninstrumented.
//
//   host -> run_fibers() -> a fiber's entry -> ... -> switch_from_to()
//             ^ one end: goes on in the next            ^ the other: begins to unwind, or ends rewinding
//
// Calls within calls. Taking a whole call of the engine apart for each switch would cost more than all else. So a fiber is a stack of
// *calls*, each with a room of its own for its frames (call_apart). When a fiber is left, all frames that are on the stack of WebAssembly
// are unwound, each call's into its own room; when it goes on, only the innermost call is rewound. The call around it stays where it
// is until the inner one ends: then run_fibers() rewinds it. So a frame is rewound when control comes back to its call, and not
// for each switch of an inner one.
//
//   run_fibers() -> entry -> ... -> call_apart() -> run_call() -> ... -> switch_from_to()     until the fiber is left
//   run_fibers() -> ... -> switch_from_to()                                                  from then on, until the inner call ends
//   run_fibers() -> entry -> ... -> call_apart()                                             which returns
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
// Asyncify keeps the frames of a fiber that was left here; a call of the engine is some 15 frames deep. What is called apart has
// fewer.
constexpr size_t kAsyncifyStackBytes = 8 * 1024;
constexpr size_t kInnerAsyncifyStackBytes = 4 * 1024;
constexpr size_t kInnerCallsMax = 4;
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

// One of the calls that a fiber is in.
struct Call {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  uintptr_t stack_pointer = 0;  // of the call around it
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
  uintptr_t stack_pointer = 0;  // where it was left
  uint32_t innermost = 0;       // call
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

// Called by their addresses, which Binaryen cannot see through: were one of them inlined where fibers are left, one function would be
// both ends.
void (*volatile run_fibers)(FiberContext::Implementation*) = FiberContext::Implementation::run_fibers;
bool (*volatile run_call)(FiberContext::Implementation*, Call*) = FiberContext::Implementation::run_call;

// Asyncify has come to rest.
[[noreturn]] void fail_of_overrun(const FiberContext::Implementation& fiber, uintptr_t own_stack_pointer) {
  _emscripten_stack_restore(own_stack_pointer);
  fail(fiber.has_too_many_calls
           ? "a thread has more nested calls than fit in the room that keeps them while it stands"
           : "a thread has overrun its stack of 64 KiB");
}

}  // namespace

// Runs `first`, whomever it switches to, and so on, until one of them switches to the main context.
void FiberContext::Implementation::run_fibers(Implementation* first) {
  const uintptr_t own_stack_pointer = emscripten_stack_get_current();
  for (Implementation* fiber = first; !fiber->is_main; fiber = next_context) {
    fiber->go_on();
    if (fiber->has_too_many_calls || fiber->is_stack_overrun()) [[unlikely]]
      fail_of_overrun(*fiber, own_stack_pointer);
  }
  _emscripten_stack_restore(own_stack_pointer);
}

// Until the fiber is left.
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

// Returns whether the call was left: then it is unwound. Asyncify has to come to rest before any instrumented function can run, and
// accepts no room that is too small.
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

// Called once more, if the fiber was left meanwhile, when the call has ended.
void FiberContext::call_apart(FiberContext& running, void (*function)(void*), void* argument) {
  if (std::exchange(is_rewinding, false)) {
    asyncify_stop_rewind();
    return;
  }
  Implementation& fiber = *running.implementation_;
  if (fiber.is_main) {  // never unwound
    function(argument);
    return;
  }
  Call* const around = &fiber.calls[fiber.innermost];
  ++fiber.innermost;
  LATCHSCOPE_ASSERT(fiber.innermost <= kInnerCallsMax, "no more calls within calls than there is room for");
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

// Called twice for each time that a fiber is left: to unwind it, and again once it has been rewound.
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
