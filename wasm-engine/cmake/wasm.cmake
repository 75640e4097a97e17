# The page's module, and the generator of its telemetry layout.
add_executable(engine-threads api/c_abi.cc)
target_link_libraries(engine-threads PRIVATE latchscope_engine)
target_compile_options(engine-threads PRIVATE -fno-exceptions -fno-rtti)
set_target_properties(engine-threads PROPERTIES SUFFIX ".mjs")
target_link_options(engine-threads PRIVATE
  --no-entry
  -sMODULARIZE
  -sEXPORT_ES6
  -sEXPORT_NAME=createEngine
  -sENVIRONMENT=web,worker
  -sINITIAL_MEMORY=512MB
  -sSTACK_SIZE=1MB
  -sDEFAULT_PTHREAD_STACK_SIZE=256KB
  -sPTHREAD_POOL_SIZE=${LATCHSCOPE_POOL_THREADS}
  -sPTHREAD_POOL_SIZE_STRICT=2
  -sFILESYSTEM=0
  -sEXPORTED_RUNTIME_METHODS=ccall,cwrap,UTF8ToString,HEAPU8,HEAPU32,wasmMemory,PThread)

add_executable(layout_gen telemetry/layout_gen.cc telemetry/layout.cc)
target_link_libraries(layout_gen PRIVATE latchscope_options)
set_target_properties(layout_gen PROPERTIES SUFFIX ".cjs")
target_link_options(layout_gen PRIVATE -sENVIRONMENT=node -sINITIAL_MEMORY=64MB)
