# What a program that our hipcc compiles depends on, for every folder that has such programs. A program is compiled again
# when the compiler, the public headers or the device library change (sdk_files, public_headers); the libraries that it
# needs to run only have to be there (sdk_targets). Included after the targets of the SDK exist.
set(sdk_targets)
foreach(target IN ITEMS omnihip_device amdhip64 omnihip_engine omnihip_translator)
  if(TARGET ${target})
    list(APPEND sdk_targets ${target})
  endif()
endforeach()
set(sdk_files hipcc "${OMNIHIP_SDK_DIR}/amdgcn/bitcode/ocml.bc" "${OMNIHIP_SDK_DIR}/amdgcn/bitcode/ockl.bc"
    "${OMNIHIP_SDK_DIR}/nvptx/bitcode/omnihip.bc")
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/include/hip/*.h")
