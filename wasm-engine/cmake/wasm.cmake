# The page's modules, one per platform, and the generators of the page's declarations: telemetry
# layout, kinds of latches, code of the lab, limits and C ABI.
set(engine_module engine-${LATCHSCOPE_PLATFORM})
add_executable(${engine_module} wasm/c_abi.cc wasm/test_failures.cc)
target_link_libraries(${engine_module} PRIVATE latchscope_engine)
target_compile_options(${engine_module} PRIVATE -fno-exceptions -fno-rtti)
set_target_properties(${engine_module} PROPERTIES SUFFIX ".mjs")
set(exports_file ${CMAKE_CURRENT_BINARY_DIR}/exported_functions.json)
set(calls_library ${CMAKE_CURRENT_SOURCE_DIR}/cmake/texts_on_heap.js)
set(link_inputs ${calls_library})
target_link_options(${engine_module} PRIVATE
  --no-entry
  -sEXPORTED_FUNCTIONS=@${exports_file}
  "SHELL:--js-library ${calls_library}"
  -sMODULARIZE
  -sEXPORT_ES6
  -sEXPORT_NAME=createEngine
  -sFILESYSTEM=0
  -sABORTING_MALLOC=0
  -sSTACK_SIZE=1MB)

if(LATCHSCOPE_PLATFORM STREQUAL "virtual")
  # One thread, fibers by Asyncify, and memory that grows: no part of this needs cross-origin
  # isolation. Asyncify assumes that a fiber can be left in every function that makes an indirect
  # call. In the listed functions none is ever left: the model decides which fiber continues, and
  # only Machine::go_on_in() leaves one (machine.h). If you let a fiber be left in one of them, take
  # it off the list.
  set(never_left ${CMAKE_CURRENT_SOURCE_DIR}/cmake/asyncify_never_left.txt)
  list(APPEND link_inputs ${never_left})
  set(fiber_options -O3 -sENVIRONMENT=web,worker,node -sASYNCIFY -sASYNCIFY_REMOVE=@${never_left}
    "SHELL:--js-library ${CMAKE_CURRENT_SOURCE_DIR}/cmake/asyncify_operations.js")
  target_link_options(${engine_module} PRIVATE
    ${fiber_options}
    -sINITIAL_MEMORY=128MB
    -sALLOW_MEMORY_GROWTH
    -sMAXIMUM_MEMORY=2GB
    -sEXPORTED_RUNTIME_METHODS=ccall,wasmMemory)

  add_executable(machine_bench EXCLUDE_FROM_ALL bench/machine_bench.cc)
  target_link_libraries(machine_bench PRIVATE latchscope_engine)
  set_target_properties(machine_bench PROPERTIES SUFFIX ".mjs")
  target_link_options(machine_bench PRIVATE
    ${fiber_options}
    -sMODULARIZE
    -sEXPORT_ES6
    -sSTACK_SIZE=1MB
    -sINITIAL_MEMORY=256MB)

  # These run in Node.js, with its arguments and files.
  foreach(bench latch_bench check_bench script_bench)
    add_executable(${bench} EXCLUDE_FROM_ALL bench/${bench}.cc)
    target_link_libraries(${bench} PRIVATE latchscope_engine)
    set_target_properties(${bench} PROPERTIES SUFFIX ".cjs")
    target_link_options(${bench} PRIVATE
      ${fiber_options}
      -sENVIRONMENT=node
      -sNODERAWFS
      -sEXIT_RUNTIME
      -sSTACK_SIZE=1MB
      -sINITIAL_MEMORY=128MB
      -sALLOW_MEMORY_GROWTH
      -sMAXIMUM_MEMORY=2GB)
  endforeach()

  # The command line in Node.js (cli/host_node.cc). Only its files use exceptions. The engine's objects
  # come first: a function that both define inline is then the engine's, which needs no calls through
  # JavaScript to let exceptions pass.
  add_library(latchscope_command_line OBJECT EXCLUDE_FROM_ALL ${command_line_sources})
  if(LATCHSCOPE_FILES STREQUAL "together")
    compile_together(latchscope_command_line 0)
  endif()
  target_include_directories(latchscope_command_line SYSTEM PRIVATE ${LATCHSCOPE_CLI11_INCLUDE} ${LATCHSCOPE_JSON_INCLUDE})
  target_compile_options(latchscope_command_line PRIVATE -fexceptions -Os)
  target_link_libraries(latchscope_command_line PRIVATE latchscope_options)
  add_library(latchscope_command_line_abi OBJECT EXCLUDE_FROM_ALL wasm/c_abi.cc wasm/test_failures.cc)
  target_include_directories(latchscope_command_line_abi SYSTEM PRIVATE ${LATCHSCOPE_JSON_INCLUDE})
  target_compile_options(latchscope_command_line_abi PRIVATE -fno-exceptions -fno-rtti -Os)
  target_link_libraries(latchscope_command_line_abi PRIVATE latchscope_options)
  add_executable(latchscope-cli EXCLUDE_FROM_ALL $<TARGET_OBJECTS:latchscope_engine> $<TARGET_OBJECTS:latchscope_api>
    $<TARGET_OBJECTS:latchscope_command_line_abi> $<TARGET_OBJECTS:latchscope_command_line>)
  target_link_libraries(latchscope-cli PRIVATE latchscope_options)
  set_target_properties(latchscope-cli PROPERTIES SUFFIX ".mjs" LINKER_LANGUAGE CXX)
  set(host_library ${CMAKE_CURRENT_SOURCE_DIR}/cli/host_node.js)
  set_property(TARGET latchscope-cli PROPERTY LINK_DEPENDS "${host_library};${never_left}")
  target_link_options(latchscope-cli PRIVATE
    ${fiber_options}
    -fexceptions
    "SHELL:--js-library ${host_library}"
    -sENVIRONMENT=node
    -sMODULARIZE
    -sEXPORT_ES6
    -sEXPORT_NAME=createCommandLine
    -sINVOKE_RUN=0
    -sEXIT_RUNTIME
    -sFILESYSTEM=0
    -sABORTING_MALLOC=0
    -sSTACK_SIZE=1MB
    -sINITIAL_MEMORY=64MB
    -sALLOW_MEMORY_GROWTH
    -sMAXIMUM_MEMORY=4GB
    -sINCOMING_MODULE_JS_API=instantiateWasm,quit,host,thisProgram
    -sEXPORTED_RUNTIME_METHODS=callMain,copyMemory,runCopy)
else()
  set(threads_library ${CMAKE_CURRENT_SOURCE_DIR}/cmake/threads_without_wait_async.js)
  list(APPEND link_inputs ${threads_library})
  target_link_options(${engine_module} PRIVATE
    -sENVIRONMENT=web,worker
    "SHELL:--js-library ${threads_library}"
    -sINITIAL_MEMORY=512MB
    -sDEFAULT_PTHREAD_STACK_SIZE=256KB
    -sPTHREAD_POOL_SIZE=${LATCHSCOPE_POOL_THREADS}
    -sPTHREAD_POOL_SIZE_STRICT=2
    -sEXPORTED_RUNTIME_METHODS=ccall,wasmMemory,PThread)
endif()

add_executable(layout_gen telemetry/layout_gen.cc telemetry/layout.cc)
add_executable(latency_gen telemetry/latency_gen.cc telemetry/latency.cc)
add_executable(latch_gen latch/latch_gen.cc)
add_executable(lab_gen lab/lab_gen.cc lab/program.cc)
add_executable(script_gen workload/script_gen.cc)
add_executable(script_operations_gen workload/script_operations_gen.cc)
add_executable(limits_gen run/limits_gen.cc)
add_executable(abi_gen wasm/abi_gen.cc wasm/abi_hash.cc)
foreach(generator layout_gen latency_gen latch_gen lab_gen script_gen script_operations_gen limits_gen abi_gen)
  target_link_libraries(${generator} PRIVATE latchscope_options)
  set_target_properties(${generator} PROPERTIES SUFFIX ".cjs")
  target_link_options(${generator} PRIVATE -sENVIRONMENT=node -sINITIAL_MEMORY=64MB)
endforeach()

# A module exports the functions that latchscope.h declares. If one is missing, the module does not
# link.
add_custom_command(OUTPUT ${exports_file} COMMAND abi_gen exports > ${exports_file} DEPENDS abi_gen VERBATIM)
add_custom_target(exported_functions DEPENDS ${exports_file})
add_dependencies(${engine_module} exported_functions)
set_target_properties(${engine_module} PROPERTIES LINK_DEPENDS "${exports_file};${link_inputs}")
