# What the libraries stand on, gathered in interface targets.
find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
pkg_check_modules(BLAS REQUIRED IMPORTED_TARGET blas)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
find_package(Threads REQUIRED)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_library(AMD_LIBRARY amd REQUIRED)

# A command and libraries that need nothing but the C library: all others are linked statically (script/package tar, wheel).  HDF5's
# archive leaves its S3 driver out, and with it libcurl and the 40 libraries behind that.
option(HOOKE_STATIC "link the command and the shared libraries statically with HDF5, BLAS, SQLite and the others" OFF)
option(HOOKE_WHEEL "with HOOKE_STATIC: libhooke contains the command, which becomes a few kilobytes" OFF)
if(HOOKE_STATIC)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgfortran.a OUTPUT_VARIABLE gfortran OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libquadmath.a OUTPUT_VARIABLE quadmath OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(archives)
  foreach(name yaml hdf5_serial sz aec lapacke openblas sqlite3 z klu btf amd colamd suitesparseconfig)
    find_library(STATIC_${name} lib${name}.a PATH_SUFFIXES openblas-serial REQUIRED)
    list(APPEND archives ${STATIC_${name}})
  endforeach()
  add_library(hooke_step_dependencies INTERFACE)
  target_include_directories(hooke_step_dependencies INTERFACE ${KLU_INCLUDE_DIR})
  target_link_libraries(hooke_step_dependencies INTERFACE ${STATIC_klu} ${STATIC_btf} ${STATIC_amd} ${STATIC_colamd}
    ${STATIC_suitesparseconfig} m)
  add_library(hooke_dependencies INTERFACE)
  target_include_directories(hooke_dependencies INTERFACE ${YAML_INCLUDE_DIRS} ${LAPACKE_INCLUDE_DIRS} ${KLU_INCLUDE_DIR})
  target_include_directories(hooke_dependencies SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(hooke_dependencies INTERFACE -Wl,--start-group ${archives} -Wl,--end-group ${gfortran} ${quadmath}
    Threads::Threads ${CMAKE_DL_LIBS} m)
  return()
endif()

# Steps need KLU alone; files and linear analysis the rest.
add_library(hooke_step_dependencies INTERFACE)
target_include_directories(hooke_step_dependencies INTERFACE ${KLU_INCLUDE_DIR})
target_link_libraries(hooke_step_dependencies INTERFACE ${KLU_LIBRARY} m)
add_library(hooke_dependencies INTERFACE)
target_link_libraries(hooke_dependencies INTERFACE PkgConfig::YAML PkgConfig::HDF5 PkgConfig::LAPACKE PkgConfig::BLAS
  PkgConfig::SQLITE PkgConfig::ZLIB ${AMD_LIBRARY} hooke_step_dependencies Threads::Threads ${CMAKE_DL_LIBS})
