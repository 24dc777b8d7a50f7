# What CMake's own HIP language reads: the target that every HIP target links to.
get_filename_component(_hip_lang_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hip_lang_prefix}/lib/libamdhip64.so.7"
    IMPORTED_SONAME "libamdhip64.so.7")
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "$<$<COMPILE_LANGUAGE:HIP>:${_hip_lang_prefix}/include>"
    INTERFACE_COMPILE_DEFINITIONS "$<$<COMPILE_LANGUAGE:HIP>:__HIP_PLATFORM_AMD__=1>"
    # clang takes HIP_PATH of the environment over --rocm-path, but not over --hip-path.
    INTERFACE_COMPILE_OPTIONS
      "$<$<COMPILE_LANGUAGE:HIP>:--rocm-path=${_hip_lang_prefix};--hip-path=${_hip_lang_prefix}>"
    # The rpath is said here because CMake takes the SDK's lib folder, which clang names, for one of the system's.
    INTERFACE_LINK_OPTIONS
      "$<$<LINK_LANGUAGE:HIP>:--hip-link;--rocm-path=${_hip_lang_prefix};--hip-path=${_hip_lang_prefix};LINKER:-rpath,${_hip_lang_prefix}/lib>")
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
