// Clang's thread-safety annotations (https://clang.llvm.org/docs/ThreadSafetyAnalysis.html), under
// short names.
#pragma once

#if defined(__clang__)
#define LATCHSCOPE_ANNOTATE(x) __attribute__((x))
#else
#define LATCHSCOPE_ANNOTATE(x)
#endif

#define CAPABILITY(name) LATCHSCOPE_ANNOTATE(capability(name))
#define SCOPED_CAPABILITY LATCHSCOPE_ANNOTATE(scoped_lockable)
#define GUARDED_BY(latch) LATCHSCOPE_ANNOTATE(guarded_by(latch))
#define REQUIRES(...) LATCHSCOPE_ANNOTATE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) LATCHSCOPE_ANNOTATE(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) LATCHSCOPE_ANNOTATE(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) LATCHSCOPE_ANNOTATE(try_acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE_SHARED(...) LATCHSCOPE_ANNOTATE(try_acquire_shared_capability(__VA_ARGS__))
#define RELEASE(...) LATCHSCOPE_ANNOTATE(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) LATCHSCOPE_ANNOTATE(release_shared_capability(__VA_ARGS__))
#define ASSERT_CAPABILITY(x) LATCHSCOPE_ANNOTATE(assert_capability(x))
#define NO_THREAD_SAFETY_ANALYSIS LATCHSCOPE_ANNOTATE(no_thread_safety_analysis)
