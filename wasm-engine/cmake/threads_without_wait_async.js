// An Atomics.waitAsync that nobody wakes keeps its memory alive as long as the page: every engine that was thrown away stayed,
// with its 512 MiB. Without it Emscripten's threads tell the page by message, as in browsers that do not have it.
addToLibrary({
  _emscripten_thread_mailbox_await: () => {},
});
