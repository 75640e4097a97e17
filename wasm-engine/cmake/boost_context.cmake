# The context switch of Boost.Context for this machine: third_party/boost_context.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(boost_context_abi x86_64_sysv)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(boost_context_abi arm64_aapcs)
else()
  message(FATAL_ERROR "CMAKE_SYSTEM_PROCESSOR: ${CMAKE_SYSTEM_PROCESSOR}; allowed for the virtual platform: x86_64, arm64")
endif()
if(APPLE)
  set(boost_context_format macho)
else()
  set(boost_context_format elf)
endif()
set(boost_context_sources
  third_party/boost_context/jump_${boost_context_abi}_${boost_context_format}_gas.S
  third_party/boost_context/make_${boost_context_abi}_${boost_context_format}_gas.S)
# Saving the floating-point environment is not needed: the engine never changes it. (The name is
# Boost's.)
set_source_files_properties(${boost_context_sources} PROPERTIES COMPILE_DEFINITIONS BOOST_USE_TSX)
