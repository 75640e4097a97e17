// A stack of its own and a way to go on there: what a virtual thread is made of. Natively the context switch of
// Boost.Context; in WebAssembly Asyncify, which takes the stack apart and puts it together again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace latchscope::platform {

class FiberContext {
 public:
  // The context that is running: it gets its place when it is first left.
  FiberContext();
  // Begins with entry(argument) when it is first switched to; `entry` must not return.
  FiberContext(void (*entry)(void* argument), void* argument);
  ~FiberContext();
  FiberContext(const FiberContext&) = delete;
  FiberContext& operator=(const FiberContext&) = delete;

  // Leaves `from`, which is running, and goes on in `to`. Returns when somebody switches back.
  static void switch_from_to(FiberContext& from, FiberContext& to);

  // Calls function(argument) in the context that is running. WebAssembly then need not take the calls around it apart and put them
  // together again each time that the context is left during this one: once is enough, and they are put together when it ends.
  static void call_apart(FiberContext& running, void (*function)(void* argument), void* argument);
  // Natively a switch costs the same however many calls are under way.
#if defined(__EMSCRIPTEN__)
  static constexpr bool kIsTakenApart = true;
#else
  static constexpr bool kIsTakenApart = false;
#endif

  // Bytes that one fiber's stack takes, of which the host's system may give out only those that are used.
  static size_t stack_bytes();

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace latchscope::platform
