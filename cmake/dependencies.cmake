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

# Steps need KLU alone; files and linear analysis the rest.
add_library(hooke_step_dependencies INTERFACE)
target_include_directories(hooke_step_dependencies INTERFACE ${KLU_INCLUDE_DIR})
target_link_libraries(hooke_step_dependencies INTERFACE ${KLU_LIBRARY} m)
add_library(hooke_dependencies INTERFACE)
target_link_libraries(hooke_dependencies INTERFACE PkgConfig::YAML PkgConfig::HDF5 PkgConfig::LAPACKE PkgConfig::BLAS
  PkgConfig::SQLITE PkgConfig::ZLIB hooke_step_dependencies Threads::Threads ${CMAKE_DL_LIBS})
