# Debian's cpp-httplib ships a pkg-config file only; other systems ship a CMake package. Both end as httplib::httplib.
find_package(httplib CONFIG QUIET)
if(NOT TARGET httplib::httplib)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(CPP_HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
  add_library(httplib::httplib ALIAS PkgConfig::CPP_HTTPLIB)
endif()
