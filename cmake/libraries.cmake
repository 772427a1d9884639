# Two libraries, each static and shared:
#   hooke_step  the layers up to `registry` (src/layers): builds models in C and steps them; stands on
#               KLU alone
#   hooke       all of it
# Every .c file below src/ belongs to them: adding an element touches no build file.
file(STRINGS ${CMAKE_SOURCE_DIR}/src/layers layers REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/layers)
set(part step)
foreach(layer ${layers})
  separate_arguments(folders UNIX_COMMAND "${layer}")
  foreach(folder ${folders})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.c)
    list(APPEND HOOKE_${part}_SOURCES ${sources})
  endforeach()
  if(layer MATCHES "registry")
    set(part other)
  endif()
endforeach()

foreach(part step other)
  add_library(hooke_${part}_objects OBJECT ${HOOKE_${part}_SOURCES})
  target_include_directories(hooke_${part}_objects PUBLIC ${CMAKE_SOURCE_DIR}/include
    PRIVATE ${CMAKE_SOURCE_DIR}/src)
  # Programs see what the public headers mark with HK_API.
  set_target_properties(hooke_${part}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden)
endforeach()
target_link_libraries(hooke_step_objects PRIVATE hooke_step_dependencies)
target_link_libraries(hooke_other_objects PRIVATE hooke_dependencies)

# Long unrolled kernels: with its checks in them clang takes a minute for each where it optimises.
if(HOOKE_FUZZ)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/solve/block_kernel_avx2.c
    ${CMAKE_SOURCE_DIR}/src/solve/block_kernel_portable.c ${CMAKE_SOURCE_DIR}/src/solve/lemke.c
    PROPERTIES COMPILE_OPTIONS -O0)
endif()

# The page of reports is built by script/viewer and embedded as it stands.
set(viewer ${CMAKE_SOURCE_DIR}/viewer/dist/viewer.html)
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/report/page_template.c PROPERTIES
  COMPILE_DEFINITIONS HK_VIEWER="${viewer}" OBJECT_DEPENDS ${viewer})

set(step $<TARGET_OBJECTS:hooke_step_objects>)
set(all ${step} $<TARGET_OBJECTS:hooke_other_objects>)
add_library(hooke_step STATIC ${step})
add_library(hooke STATIC ${all})
set(HOOKE_LIBRARIES hooke_step hooke)
if(HOOKE_SHARED)
  add_library(hooke_step_shared SHARED ${step})
  add_library(hooke_shared SHARED ${all})
  list(APPEND HOOKE_LIBRARIES hooke_step_shared hooke_shared)
endif()

if(HOOKE_SHARED AND HOOKE_STATIC)
  hooke_make_portable(hooke_step_shared STREAMS)
  hooke_make_portable(hooke_shared STREAMS)
endif()
set(HOOKE_COMMAND_MAIN)
if(HOOKE_WHEEL)
  set(HOOKE_COMMAND_MAIN hk_command_main)
  file(GLOB tool CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tool/*.c)
  target_sources(hooke_shared PRIVATE ${tool})
  target_include_directories(hooke_shared PRIVATE ${CMAKE_SOURCE_DIR}/src)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/tool/main.c PROPERTIES COMPILE_DEFINITIONS main=${HOOKE_COMMAND_MAIN})
endif()

foreach(library ${HOOKE_LIBRARIES})
  set(needs hooke_dependencies)
  if(library MATCHES step)
    set(needs hooke_step_dependencies)
  endif()
  string(REPLACE _shared "" name ${library})
  target_link_libraries(${library} PRIVATE ${needs})
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endforeach()

# The compiler shows functions that it compiles for several processors (base/hot.h) whatever it is told,
# so the linker is given the list of the public headers.
if(HOOKE_SHARED)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/hooke/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(names)
  if(HOOKE_COMMAND_MAIN)
    string(APPEND names "    ${HOOKE_COMMAND_MAIN};\n")
  endif()
  foreach(header ${headers})
    file(READ ${header} text)
    string(REGEX MATCHALL "HK_API [a-z][^;(]*" declarations "${text}")
    foreach(declaration ${declarations})
      string(REGEX MATCH "hk_[a-z0-9_]+[^a-z0-9_]*$" name "${declaration}")
      string(REGEX REPLACE "[^a-z0-9_]" "" name "${name}")
      string(APPEND names "    ${name};\n")
    endforeach()
  endforeach()
  set(exports ${CMAKE_BINARY_DIR}/hooke.exports)
  set(node HOOKE_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  file(CONFIGURE OUTPUT ${exports} CONTENT "${node} {\n  global:\n@names@  local: *;\n};\n" @ONLY)
  foreach(library hooke_shared hooke_step_shared)
    target_link_options(${library} PRIVATE LINKER:--version-script=${exports})
    set_target_properties(${library} PROPERTIES LINK_DEPENDS ${exports})
    if(NOT HOOKE_SANITIZE AND NOT HOOKE_SANITIZE_THREAD)
      target_link_options(${library} PRIVATE LINKER:--no-undefined)
    endif()
  endforeach()
endif()
