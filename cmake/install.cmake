# Installed: headers, libraries, command, man pages, examples, CMake package and pkg-config files.
include(CMakePackageConfigHelpers)
set(HOOKE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hooke)

install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/hooke DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
set_target_properties(hooke_dependencies PROPERTIES EXPORT_NAME dependencies)
set_target_properties(hooke_step_dependencies PROPERTIES EXPORT_NAME step_dependencies)
set_target_properties(hooke PROPERTIES EXPORT_NAME hooke_static)
set_target_properties(hooke_step PROPERTIES EXPORT_NAME step_static)
if(HOOKE_SHARED)
  set_target_properties(hooke_shared PROPERTIES EXPORT_NAME hooke)
  set_target_properties(hooke_step_shared PROPERTIES EXPORT_NAME step)
endif()
install(TARGETS ${HOOKE_LIBRARIES} hooke_dependencies hooke_step_dependencies EXPORT hookeTargets)
install(EXPORT hookeTargets NAMESPACE hooke:: DESTINATION ${HOOKE_CMAKE_DIR})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/hookeConfig.cmake.in
  ${CMAKE_BINARY_DIR}/hookeConfig.cmake INSTALL_DESTINATION ${HOOKE_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hookeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hookeConfig.cmake ${CMAKE_BINARY_DIR}/hookeConfigVersion.cmake
  DESTINATION ${HOOKE_CMAKE_DIR})

# Relative to where the files lie, so that an installed tree can be moved.  A shared library brings
# along what it stands on, a static one needs it at every link.
file(RELATIVE_PATH HOOKE_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(HOOKE_PC_PRIVATE .private)
set(HOOKE_PC_KLU "-lklu -lbtf -lamd -lcolamd -lsuitesparseconfig")
set(HOOKE_PC_AFTER_HDF5)
foreach(name sz aec)
  find_library(HOOKE_AFTER_HDF5_${name} ${name})
  if(HOOKE_AFTER_HDF5_${name})
    string(APPEND HOOKE_PC_AFTER_HDF5 "-l${name} ")
  endif()
endforeach()
if(NOT HOOKE_SHARED)
  set(HOOKE_PC_PRIVATE)
  set(HOOKE_PC_LIBS "${HOOKE_PC_KLU} -ldl -lm")
endif()
foreach(name hooke hooke-step hooke-static)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET hooke_tool)
  install(TARGETS hooke_tool COMPONENT command)
  # The command knows its own man pages; the files follow the table of commands.
  set(HOOKE_MAN_DIR ${CMAKE_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${HOOKE_MAN_DIR}/hooke.1
    COMMAND ${CMAKE_COMMAND} -DHOOKE=$<TARGET_FILE:hooke_tool> -DDIR=${HOOKE_MAN_DIR}
      -DCOMPLETIONS=${CMAKE_BINARY_DIR}/completions
      -P ${CMAKE_SOURCE_DIR}/cmake/man.cmake
    DEPENDS hooke_tool ${CMAKE_SOURCE_DIR}/cmake/man.cmake
    COMMENT "Writing man pages" VERBATIM)
  add_custom_target(hooke_man ALL DEPENDS ${HOOKE_MAN_DIR}/hooke.1)
  install(DIRECTORY ${HOOKE_MAN_DIR}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  foreach(rule bash:bash-completion/completions/hooke zsh:zsh/site-functions/_hooke
      fish:fish/vendor_completions.d/hooke.fish)
    string(REGEX MATCH "^[a-z]+" shell ${rule})
    string(REGEX REPLACE "^[a-z]+:" "" place ${rule})
    get_filename_component(folder ${place} DIRECTORY)
    get_filename_component(file ${place} NAME)
    install(FILES ${CMAKE_BINARY_DIR}/completions/hooke.${shell} RENAME ${file}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
  endforeach()
endif()

# All that `cmake --install` installs; script/build makes it.
add_custom_target(hooke_installed DEPENDS ${HOOKE_LIBRARIES})
foreach(target hooke_tool hooke_man hooke_python hooke_python_package)
  if(TARGET ${target})
    add_dependencies(hooke_installed ${target})
  endif()
endforeach()
