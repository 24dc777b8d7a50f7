# omnihip_install(<target>...): programs and shared libraries that are part of the SDK. They are installed, and target
# `sdk` builds them: everything that an installed SDK holds, without samples and tests.
add_custom_target(sdk)
function(omnihip_install)
  install(TARGETS ${ARGN} RUNTIME DESTINATION bin LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  add_dependencies(sdk ${ARGN})
endfunction()
