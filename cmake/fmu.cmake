# The binary of an FMU: one shared library for all models, FMI 2.0 and 3.0.  It holds the layers up to `read`, with the
# data that was packed with the model in place of HDF5 and finite elements, and exports the functions of FMI only.
# The command embeds it (tool/fmu_binary.c), so that `hooke fmu` needs no file beside it.
file(GLOB fmu_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fmu/*.c)
file(GLOB fmu_read CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/read/*.c)
list(FILTER fmu_read EXCLUDE REGEX "model_migrate\\.c$")
foreach(name fe/cache fe/compliance_file fe/tooth prepare/prepare prepare/gear_pair
    prepare/flexible_body)
  list(APPEND fmu_read ${CMAKE_SOURCE_DIR}/src/${name}.c)
endforeach()
# Objects of the libraries, so that nothing is compiled twice: all of hooke_step but KLU, and a few others.
set(fmu_objects $<FILTER:$<TARGET_OBJECTS:hooke_step_objects>,EXCLUDE,klu_solver>)
set(others)
foreach(source ${fmu_read})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${source})
  list(APPEND others "/src/${name}\\.")
endforeach()
list(JOIN others "|" others)
list(APPEND fmu_objects "$<FILTER:$<TARGET_OBJECTS:hooke_other_objects>,INCLUDE,${others}>")
add_library(hooke_fmu MODULE ${fmu_sources} ${fmu_objects})
target_include_directories(hooke_fmu PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include ${YAML_INCLUDE_DIRS})
find_library(YAML_STATIC libyaml.a HINTS ${YAML_LIBRARY_DIRS})
target_link_libraries(hooke_fmu PRIVATE $<IF:$<BOOL:${YAML_STATIC}>,${YAML_STATIC},PkgConfig::YAML> m)
set_target_properties(hooke_fmu PROPERTIES PREFIX "" OUTPUT_NAME hooke_fmu C_VISIBILITY_PRESET hidden
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/fmu/exports.map)
target_link_options(hooke_fmu PRIVATE LINKER:--version-script=${CMAKE_SOURCE_DIR}/fmu/exports.map
  LINKER:-Bsymbolic LINKER:--gc-sections LINKER:-z,defs -static-libgcc)
hooke_make_portable(hooke_fmu)
if(HOOKE_SANITIZE OR HOOKE_SANITIZE_THREAD OR HOOKE_FUZZ)
  target_link_options(hooke_fmu PRIVATE LINKER:-z,undefs) # the program brings the sanitizers along
else()
  target_link_options(hooke_fmu PRIVATE LINKER:--strip-all)
endif()

# Its source code as an archive, which `hooke fmu --sources` packs (src/fmu/sources.c).
file(GLOB_RECURSE fmu_packed CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src/*.h
  ${CMAKE_SOURCE_DIR}/src/*.list ${CMAKE_SOURCE_DIR}/src/*.inc ${CMAKE_SOURCE_DIR}/include/hooke/*.h)
file(GLOB fmu_headers RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/fmu/*.h ${CMAKE_SOURCE_DIR}/fmu/*.inc)
list(APPEND fmu_packed ${fmu_headers})
foreach(source ${fmu_sources} ${HOOKE_step_SOURCES} ${fmu_read})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
  if(NOT name MATCHES "klu_solver\\.c$|fmu/glibc\\.c$")
    list(APPEND fmu_packed ${name})
  endif()
endforeach()
list(SORT fmu_packed)
list(JOIN fmu_packed "\n" lines)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/fmu_sources.txt CONTENT "${lines}\n")
set(fmu_packed_paths ${fmu_packed})
list(TRANSFORM fmu_packed_paths PREPEND ${CMAKE_SOURCE_DIR}/)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/fmu_sources.zip
  COMMAND ${CMAKE_COMMAND} -E tar cf ${CMAKE_BINARY_DIR}/fmu_sources.zip --format=zip --mtime=2026-01-01
    --files-from=${CMAKE_BINARY_DIR}/fmu_sources.txt
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DEPENDS ${fmu_packed_paths} ${CMAKE_BINARY_DIR}/fmu_sources.txt VERBATIM)
