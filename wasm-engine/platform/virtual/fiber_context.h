// A separate stack and a way to switch to it: the execution context of a virtual thread. Natively
// it uses the context switch of Boost.Context. In WebAssembly it uses Asyncify, which unwinds the
// stack and rewinds it later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace latchscope::platform {

class FiberContext {
 public:
  // Represents the running context. Its position is stored when it is first left.
  FiberContext();
  // Runs entry(argument) when it is first switched to; `entry` must not return.
  FiberContext(void (*entry)(void* argument), void* argument);
  ~FiberContext();
  FiberContext(const FiberContext&) = delete;
  FiberContext& operator=(const FiberContext&) = delete;

  // Leaves `from`, the running context, and continues in `to`. Returns when a context switches
  // back.
  static void switch_from_to(FiberContext& from, FiberContext& to);

  // Runs function(argument) in the running context as a suspend boundary. In WebAssembly the frames
  // outside it unwind once, not at every switch, and rewind when it ends.
  static void call_apart(FiberContext& running, void (*function)(void* argument), void* argument);
  // Natively a switch costs the same at any call depth.
#if defined(__EMSCRIPTEN__)
  static constexpr bool kIsTakenApart = true;
#else
  static constexpr bool kIsTakenApart = false;
#endif

  // Returns the bytes of one fiber's stack. The host's system may allocate only the pages in use.
  static size_t stack_bytes();

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace latchscope::platform
