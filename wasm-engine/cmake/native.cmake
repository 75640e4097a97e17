# The command line, the tests and the benches.
add_executable(latchscope ${command_line_sources} wasm/c_abi.cc wasm/test_failures.cc)
if(LATCHSCOPE_FILES STREQUAL "together")
  compile_together(latchscope 0)
  # clang-tidy reads these files by themselves, and they use some of the command line's names.
  set_source_files_properties(wasm/c_abi.cc wasm/test_failures.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endif()
target_include_directories(latchscope SYSTEM PRIVATE ${LATCHSCOPE_CLI11_INCLUDE})
target_link_libraries(latchscope PRIVATE latchscope_engine)

if(LATCHSCOPE_GOOGLETEST_SOURCE)
  include(cmake/tests.cmake)
endif()

foreach(bench latch_bench check_bench)
  add_executable(${bench} bench/${bench}.cc)
  target_link_libraries(${bench} PRIVATE latchscope_engine)
endforeach()
if(LATCHSCOPE_PLATFORM STREQUAL "virtual")
  foreach(bench machine_bench scenario_bench script_bench)
    add_executable(${bench} bench/${bench}.cc)
    target_link_libraries(${bench} PRIVATE latchscope_engine)
  endforeach()
endif()
