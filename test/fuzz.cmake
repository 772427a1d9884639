# libFuzzer targets.  As a test each runs over its corpus and then looks around for a few seconds;
# script/fuzz runs them for long.
if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "HOOKE_FUZZ needs clang: CC=clang cmake ...")
endif()
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source ${fuzzers})
  get_filename_component(target ${source} NAME_WE)
  string(REPLACE fuzz_ "" name ${target})
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE hooke hooke_dependencies)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  set(found ${CMAKE_BINARY_DIR}/fuzz/${name})
  file(MAKE_DIRECTORY ${found})
  add_test(NAME fuzz/${name} COMMAND ${target} -max_total_time=20 -timeout=10 -rss_limit_mb=2048
    -max_len=8192 -print_final_stats=1 -verbosity=0 -artifact_prefix=${found}/crash- ${found}
    ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
  set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 120)
endforeach()
