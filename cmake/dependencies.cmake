# What the library stands on, gathered in one interface target.
find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)

add_library(hooke_dependencies INTERFACE)
target_include_directories(hooke_dependencies INTERFACE ${KLU_INCLUDE_DIR})
target_link_libraries(hooke_dependencies INTERFACE PkgConfig::YAML PkgConfig::HDF5 PkgConfig::LAPACKE
  ${KLU_LIBRARY} m)
