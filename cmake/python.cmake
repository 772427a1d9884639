# The Python module: python/*.c for the stable ABI of Python 3.11, and the package python/hooke beside it.  It is built where
# the headers of a Python >= 3.11 are found; the same file runs under every later Python.
find_program(HOOKE_PYTHON_PROGRAM NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(HOOKE_PYTHON_PROGRAM NAMES python3)
set(python_include)
if(HOOKE_PYTHON_PROGRAM)
  execute_process(COMMAND ${HOOKE_PYTHON_PROGRAM} -c
    "import sys, sysconfig; print(sysconfig.get_path('include') if sys.version_info >= (3, 11) else '')"
    OUTPUT_VARIABLE python_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(python_include AND EXISTS ${python_include}/Python.h)
  set(python_found ON)
else()
  set(python_found OFF)
endif()
option(HOOKE_PYTHON "build the Python module" ${python_found})
if(NOT HOOKE_PYTHON)
  return()
endif()
if(NOT python_found)
  message(FATAL_ERROR "HOOKE_PYTHON: there is no Python.h of Python >= 3.11 (Debian package python3-dev)")
endif()

# A module with sanitizers needs their runtime before all others.
if(HOOKE_SANITIZE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libubsan.so OUTPUT_VARIABLE ubsan OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(HOOKE_PYTHON_PRELOAD "LD_PRELOAD=${asan}:${ubsan}" ASAN_OPTIONS=detect_leaks=0)
endif()
set(HOOKE_PYTHON_DIR lib/python3/dist-packages CACHE STRING "folder of the Python package below the prefix")
set(package ${CMAKE_BINARY_DIR}/python/hooke)
file(GLOB HOOKE_PYTHON_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/*.c)
add_library(hooke_python MODULE ${HOOKE_PYTHON_SOURCES})
target_include_directories(hooke_python SYSTEM PRIVATE ${python_include})
set(library hooke)
if(HOOKE_SHARED)
  set(library hooke_shared)
endif()
target_link_libraries(hooke_python PRIVATE ${library})
if(NOT HOOKE_SHARED)
  target_link_libraries(hooke_python PRIVATE hooke_dependencies)
endif()
file(RELATIVE_PATH up ${CMAKE_INSTALL_PREFIX}/${HOOKE_PYTHON_DIR}/hooke ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(hooke_python PROPERTIES PREFIX "" OUTPUT_NAME _hooke SUFFIX .abi3.so C_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${package} INSTALL_RPATH "$ORIGIN:$ORIGIN/${up}")

# The files of the package lie beside the module, so that PYTHONPATH=build/python is enough.
file(GLOB HOOKE_PYTHON_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/hooke/*.py)
set(copies)
foreach(file ${HOOKE_PYTHON_FILES})
  get_filename_component(name ${file} NAME)
  add_custom_command(OUTPUT ${package}/${name} COMMAND ${CMAKE_COMMAND} -E copy ${file} ${package}/${name}
    DEPENDS ${file} VERBATIM)
  list(APPEND copies ${package}/${name})
endforeach()
# Type stubs follow the tables of types.
add_custom_command(OUTPUT ${package}/__init__.pyi ${package}/py.typed
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_BINARY_DIR}/python ${HOOKE_PYTHON_PRELOAD}
    ${HOOKE_PYTHON_PROGRAM} ${CMAKE_SOURCE_DIR}/python/stubs/stubs.py ${CMAKE_SOURCE_DIR}/python/stubs/hooke.pyi.in
    ${package}/__init__.pyi
  COMMAND ${CMAKE_COMMAND} -E touch ${package}/py.typed
  DEPENDS hooke_python ${copies} ${CMAKE_SOURCE_DIR}/python/stubs/stubs.py ${CMAKE_SOURCE_DIR}/python/stubs/hooke.pyi.in VERBATIM)
add_custom_target(hooke_python_package ALL DEPENDS ${copies} ${package}/__init__.pyi)

install(TARGETS hooke_python LIBRARY DESTINATION ${HOOKE_PYTHON_DIR}/hooke)
install(FILES ${HOOKE_PYTHON_FILES} ${package}/__init__.pyi ${package}/py.typed
  DESTINATION ${HOOKE_PYTHON_DIR}/hooke)
