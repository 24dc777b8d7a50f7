# find_package(amd_comgr): target amd_comgr, ROCm's code object manager, with its header amd_comgr/amd_comgr.h.
get_filename_component(_comgr_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_comgr_part IN ITEMS include/amd_comgr/amd_comgr.h lib/libamd_comgr.so.3)
  if(NOT EXISTS "${_comgr_prefix}/${_comgr_part}")
    set(amd_comgr_FOUND FALSE)
    set(amd_comgr_NOT_FOUND_MESSAGE "The HIP SDK in '${_comgr_prefix}' is incomplete: it has no file ${_comgr_part}.")
    return()
  endif()
endforeach()

if(NOT TARGET amd_comgr)
  add_library(amd_comgr SHARED IMPORTED)
  set_target_properties(amd_comgr PROPERTIES
    IMPORTED_LOCATION "${_comgr_prefix}/lib/libamd_comgr.so.3"
    IMPORTED_SONAME "libamd_comgr.so.3"
    INTERFACE_INCLUDE_DIRECTORIES "${_comgr_prefix}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_comgr_prefix}/include")
endif()
