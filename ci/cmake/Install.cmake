# What `cmake --install` puts where, and the packages that `cpack` makes of it: .tar.gz, .deb, .rpm.
include(GNUInstallDirs)

# Completions and the manual page come from the program itself; no copies are kept.
set(surroundings ${CMAKE_BINARY_DIR}/surroundings)
add_custom_command(
  OUTPUT ${surroundings}/nodebound.1.gz
  COMMAND ${CMAKE_COMMAND} -E make_directory ${surroundings}
  COMMAND ${CMAKE_COMMAND} -E chdir ${surroundings} $<TARGET_FILE:nodebound> completion bash > ${surroundings}/nodebound.bash
  COMMAND ${CMAKE_COMMAND} -E chdir ${surroundings} $<TARGET_FILE:nodebound> completion zsh > ${surroundings}/_nodebound
  COMMAND ${CMAKE_COMMAND} -E chdir ${surroundings} $<TARGET_FILE:nodebound> completion fish > ${surroundings}/nodebound.fish
  COMMAND ${CMAKE_COMMAND} -E chdir ${surroundings} $<TARGET_FILE:nodebound> man > ${surroundings}/nodebound.1
  COMMAND gzip -9nf ${surroundings}/nodebound.1
  DEPENDS nodebound
  VERBATIM)
add_custom_target(surroundings ALL DEPENDS ${surroundings}/nodebound.1.gz)

install(TARGETS nodebound RUNTIME)
# `kubectl nodebound` runs kubectl-nodebound.
install(CODE "file(CREATE_LINK nodebound \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/kubectl-nodebound\" SYMBOLIC)")
install(FILES ${surroundings}/nodebound.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${surroundings}/nodebound.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME nodebound)
install(FILES ${surroundings}/_nodebound DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${surroundings}/nodebound.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# The library, for find_package(nodebound) and pkg-config; `cmake --install build/release --component library` installs it alone.
if(TARGET nodebound_shared)
  include(CMakePackageConfigHelpers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nodebound)
  install(TARGETS nodebound_shared EXPORT nodebound
    LIBRARY COMPONENT library NAMELINK_COMPONENT library PUBLIC_HEADER COMPONENT library)
  install(EXPORT nodebound NAMESPACE nodebound:: FILE nodebound-config.cmake DESTINATION ${package} COMPONENT library)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/nodebound-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/nodebound-config-version.cmake DESTINATION ${package} COMPONENT library)
  file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  configure_file(${CMAKE_SOURCE_DIR}/ci/cmake/nodebound.pc.in ${CMAKE_BINARY_DIR}/nodebound.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/nodebound.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endif()
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY harness/guides/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/guides)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT "Nodebound <maintainers@nodebound.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Conformance of what a Kubernetes node may do")
set(CPACK_PACKAGE_DESCRIPTION "A conformance suite, a reference implementation and a simulator of what a Kubernetes node may do:
the Node authorizer, NodeRestriction, mirror pods, label rules and the kubelet's own API.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
# These folders belong to other packages.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/bash-completion
    /usr/share/bash-completion/completions /usr/share/zsh /usr/share/fish /usr/share/fish/vendor_completions.d)
include(CPack)
