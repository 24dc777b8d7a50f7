# omnihip_version_script(<target> <api.def>): links the shared library <target> with the version script that
# export_map.cmake makes from the rows of <api.def>, and makes it again when a row changes.
function(omnihip_version_script target def)
  set(script "${CMAKE_SOURCE_DIR}/cmake/export_map.cmake")
  set(map "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
  add_custom_command(OUTPUT "${map}"
    COMMAND "${CMAKE_COMMAND}" "-DDEF=${def}" "-DOUT=${map}" -P "${script}"
    DEPENDS "${def}" "${script}" VERBATIM
    COMMENT "Version script of ${target}")
  add_custom_target(${target}_map DEPENDS "${map}")
  add_dependencies(${target} ${target}_map)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()
