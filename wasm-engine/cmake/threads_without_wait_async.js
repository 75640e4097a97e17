// A pending Atomics.waitAsync keeps its memory alive as long as the page exists, so every discarded
// engine would keep its 512 MiB. Without waitAsync, Emscripten's threads send messages to the page,
// as in browsers that do not support it.
addToLibrary({
  _emscripten_thread_mailbox_await: () => {},
});
