// Binaryen's Asyncify pass puts its own functions in the place of these imports (fiber_context_wasm.cc). Emscripten
// looks for them among its JavaScript functions all the same, before that pass.
addToLibrary({
  start_unwind: () => abort('asyncify: not replaced'),
  stop_unwind: () => abort('asyncify: not replaced'),
  start_rewind: () => abort('asyncify: not replaced'),
  stop_rewind: () => abort('asyncify: not replaced'),
});
