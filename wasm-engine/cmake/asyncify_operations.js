// Binaryen's Asyncify pass replaces these imports with its own functions (fiber_context_wasm.cc).
// Before that pass, Emscripten still looks for them among its JavaScript functions.
addToLibrary({
  start_unwind: () => abort('asyncify: not replaced'),
  stop_unwind: () => abort('asyncify: not replaced'),
  start_rewind: () => abort('asyncify: not replaced'),
  stop_rewind: () => abort('asyncify: not replaced'),
});
