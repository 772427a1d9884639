# Installed: headers, library, command, man pages, examples, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)
set(HOOKE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hooke)

install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/hooke DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
set_target_properties(hooke_dependencies PROPERTIES EXPORT_NAME dependencies)
install(TARGETS hooke hooke_dependencies EXPORT hookeTargets)
install(EXPORT hookeTargets NAMESPACE hooke:: DESTINATION ${HOOKE_CMAKE_DIR})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/hookeConfig.cmake.in
  ${CMAKE_BINARY_DIR}/hookeConfig.cmake INSTALL_DESTINATION ${HOOKE_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hookeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hookeConfig.cmake ${CMAKE_BINARY_DIR}/hookeConfigVersion.cmake
  DESTINATION ${HOOKE_CMAKE_DIR})

# A static library needs what it stands on at every link, a shared one brings it along.
if(BUILD_SHARED_LIBS)
  set(HOOKE_PC_REQUIRES Requires.private)
  set(HOOKE_PC_LIBS_PRIVATE "-lklu -lm")
else()
  set(HOOKE_PC_REQUIRES Requires)
  set(HOOKE_PC_LIBS "-lklu -lm")
endif()
# Relative to where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH HOOKE_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_SOURCE_DIR}/cmake/hooke.pc.in ${CMAKE_BINARY_DIR}/hooke.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hooke.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET hooke_tool)
  file(RELATIVE_PATH up /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  if(BUILD_SHARED_LIBS)
    set_target_properties(hooke_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${up}")
  endif()
  install(TARGETS hooke_tool)
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
