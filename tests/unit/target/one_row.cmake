# cmake -DSOURCE=<repository> -P one_row.cmake: fails where code names a processor outside of its row. Adding a processor of a
# known family must stay one row of processors.def, so nothing may compare or list names anywhere else.
cmake_minimum_required(VERSION 3.25)
# The rows; the default of OMNIHIP_SOFT_TARGET; the null back end's only device.
set(allowed src/runtime/codeobject/processors.def src/runtime/base/env.def src/runtime/backend/null/null_device.cpp)
file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/src/runtime/*" "${SOURCE}/hipcc/*" "${SOURCE}/tools/*")
list(FILTER files INCLUDE REGEX "\\.(cpp|h|inl|def|cmake)$|CMakeLists.txt$")
list(REMOVE_ITEM files ${allowed})
set(found "")
foreach(file IN LISTS files)
  file(STRINGS "${SOURCE}/${file}" lines REGEX "\"gfx[1-9]")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "//.*$" "" code "${line}") # names in comments are examples
    if(code MATCHES "\"gfx[1-9]")
      string(APPEND found "${file}: ${line}\n")
    endif()
  endforeach()
endforeach()
if(found)
  message(FATAL_ERROR "Code names processors outside of src/runtime/codeobject/processors.def:\n${found}")
endif()
