# libFuzzer targets.  As a test each runs over its corpus and then looks around for a few seconds;
# script/fuzz runs them for long.
if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "HOOKE_FUZZ needs clang: CC=clang cmake ...")
endif()
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/options options REGEX "^[a-z]")
foreach(source ${fuzzers})
  get_filename_component(target ${source} NAME_WE)
  string(REPLACE fuzz_ "" name ${target})
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PRIVATE hooke hooke_dependencies)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  set(found ${CMAKE_BINARY_DIR}/fuzz/${name})
  file(MAKE_DIRECTORY ${found})
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
  if(name STREQUAL "results") # HDF5 files are made, not kept
    add_test(NAME fuzz/seed COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/make_seed $<TARGET_FILE:hooke_tool> ${found}/seed)
    set_tests_properties(fuzz/seed PROPERTIES LABELS fuzz FIXTURES_SETUP fuzz_seed ENVIRONMENT
      ASAN_OPTIONS=detect_leaks=0)
    set(corpus "")
  endif()
  set(own "")
  foreach(line ${options})
    if(line MATCHES "^${name} (.*)")
      separate_arguments(own UNIX_COMMAND "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  add_test(NAME fuzz/${name} COMMAND ${target} -max_total_time=6 -timeout=10 -rss_limit_mb=2048
    -max_len=8192 -print_final_stats=1 -verbosity=0 -artifact_prefix=${found}/crash- ${own} ${found}
    ${corpus})
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 120)
  if(name STREQUAL "results")
    set_tests_properties(fuzz/results PROPERTIES FIXTURES_REQUIRED fuzz_seed)
  endif()
  if(own MATCHES "detect_leaks=0") # the sanitizer's own look at the end, too; damaged files ask HDF5 for any number of bytes
    set_tests_properties(fuzz/${name} PROPERTIES ENVIRONMENT
      ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096:suppressions=${CMAKE_CURRENT_SOURCE_DIR}/fuzz/asan.suppressions)
  endif()
endforeach()
