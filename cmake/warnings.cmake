# omnihip_target(<name>): the flags that every target of ours gets. `src` and `hip` are the internal include roots
# (#include "runtime/base/status.h", #include "api/errors.def"); the repository root is never one.
function(omnihip_target name)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror -Wno-unused-parameter -ffp-contract=off)
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/hip")
endfunction()
