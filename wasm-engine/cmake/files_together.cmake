# LATCHSCOPE_FILES=together: compiles many files as few, because a small file's compile time is
# mostly its headers.

# Each layer is compiled as one file. Small layers are combined so that two processors have about
# the same amount of work.
set(rooms_machine platform telemetry latch)
set(rooms_storage server/aio server/buf server/fil server/ut)
set(rooms_rows server/row server/trx)
set(rooms_log server/binlog server/gtid)
set(rooms_workload workload lab)
set(rooms_api run explain wasm)

# Files of single bugs stay separate: bugs are alike and use the same names. The file that moves the
# stack pointer of WebAssembly by hand stays separate too: if its functions are inlined into the
# machine, each stack looks overrun.
set(compiled_apart "^workload/[a-z0-9_]*_[0-9]+(_[a-z]+)?\\.cc$|^platform/virtual/fiber_context_wasm\\.cc$")

set(lint_of_include "// NOLINTNEXTLINE(bugprone-suspicious-include)")

function(unit_of source result)
  foreach(unit machine storage rows log workload api)
    foreach(room ${rooms_${unit}})
      if(source MATCHES "^${room}/")
        set(${result} ${unit} PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  message(FATAL_ERROR "${source}: cmake/files_together.cmake assigns its folder to no unit")
endfunction()

function(compile_rooms_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${lint_of_include}")
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE absolute)
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${absolute})
    if(path MATCHES "\\.cc$" AND NOT path MATCHES "${compiled_apart}")
      unit_of(${path} unit)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    endif()
  endforeach()
endfunction()

# Compiles files of any kind in groups of this size; 0: all in one.
function(compile_together target files_at_a_time)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files_at_a_time}
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${lint_of_include}")
endfunction()
