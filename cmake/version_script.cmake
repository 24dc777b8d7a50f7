# omnihip_version_script(<target> <file.def> [<library>]): links the shared library <target> with the version script that
# export_map.cmake makes from the rows of <file.def>, for the older libamdhip64.so.<library> if it is one, and makes it again when a
# row changes.
function(omnihip_version_script target def)
  set(script "${CMAKE_SOURCE_DIR}/cmake/export_map.cmake")
  set(library "")
  if(ARGC GREATER 2)
    set(library "-DLIBRARY=${ARGV2}")
  endif()
  set(map "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
  add_custom_command(OUTPUT "${map}"
    COMMAND "${CMAKE_COMMAND}" "-DDEF=${def}" "-DOUT=${map}" ${library} -P "${script}"
    DEPENDS "${def}" "${script}" VERBATIM
    COMMENT "Version script of ${target}")
  add_custom_target(${target}_map DEPENDS "${map}")
  add_dependencies(${target} ${target}_map)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()
