# Headers that most files of a folder read are compiled once: parsing the C++ library, fmt, LLVM and Catch2 was half of a build.
# Every file still includes what it uses: builds with sanitizers, where files of one target have different flags, do without
# precompiled headers and show whether it does.
set(precompile ON)
if(OMNIHIP_SANITIZE)
  set(precompile OFF)
endif()
option(OMNIHIP_PRECOMPILE "Compile the headers of the C++ library, fmt, LLVM and Catch2 once for many files" ${precompile})

set(omnihip_common_headers
  <algorithm> <array> <atomic> <bit> <chrono> <cstdint> <cstdlib> <cstring> <deque> <functional> <map> <memory> <mutex> <optional>
  <set> <span> <string> <string_view> <thread> <utility> <vector> "${CMAKE_SOURCE_DIR}/src/runtime/base/format.h")

# omnihip_precompile(<target> [<header>...]): the common headers and these, compiled once for the target.
function(omnihip_precompile target)
  if(OMNIHIP_PRECOMPILE)
    set(headers ${omnihip_common_headers} ${ARGN})
    target_precompile_headers(${target} PRIVATE ${headers})
    # CMake dates the file that includes these headers back, so Ninja does not see that it changed in a build folder of before.
    if(NOT "${OMNIHIP_PRECOMPILED_${target}}" STREQUAL "${headers}")
      file(REMOVE "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch")
      set(OMNIHIP_PRECOMPILED_${target} "${headers}" CACHE INTERNAL "The headers that are precompiled for ${target}")
    endif()
    # ccache hands out the result of another build, whose headers had other times.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# omnihip_precompiled(<target> <from>): the target's C++ files read what was made for the target <from>, whose flags they have.
function(omnihip_precompiled target from)
  if(OMNIHIP_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${from})
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
