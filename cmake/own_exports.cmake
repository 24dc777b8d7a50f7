# omnihip_own_exports(<target> <map>): the shared library <target> exports what the version script <map> lists and nothing of the
# static libraries in it.
function(omnihip_own_exports target map)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}" -fuse-ld=lld -Wl,--gc-sections -Wl,--exclude-libs,ALL)
  if(NOT OMNIHIP_SANITIZE) # a sanitizer's own symbols come with the program
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()
