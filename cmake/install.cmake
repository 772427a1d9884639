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
if(NOT HOOKE_SHARED)
  set(HOOKE_PC_PRIVATE)
  set(HOOKE_PC_LIBS "-lklu -ldl -lm")
endif()
foreach(name hooke hooke-step)
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
      -P ${CMAKE_SOURCE_DIR}/cmake/man.cmake
    DEPENDS hooke_tool ${CMAKE_SOURCE_DIR}/cmake/man.cmake
    COMMENT "Writing man pages" VERBATIM)
  add_custom_target(hooke_man ALL DEPENDS ${HOOKE_MAN_DIR}/hooke.1)
  install(DIRECTORY ${HOOKE_MAN_DIR}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
