// A pending Atomics.waitAsync keeps its memory alive as long as the page, so every discarded engine kept its
// 512 MiB. Without waitAsync, Emscripten's threads send the page messages, as in browsers that do not have
// it.
addToLibrary({
  _emscripten_thread_mailbox_await: () => {},
});
