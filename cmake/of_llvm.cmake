set(OMNIHIP_LLVM_DIR "/usr/lib/llvm-22" CACHE PATH "LLVM 22's installation prefix")

# omnihip_of_llvm(<target>): all files of the target see LLVM's or clang's headers, and are compiled as those are: without RTTI, and
# without a sanitizer's checks.
function(omnihip_of_llvm target)
  omnihip_target(${target})
  target_compile_options(${target} PRIVATE -fno-rtti -fno-sanitize=all)
  target_include_directories(${target} SYSTEM PRIVATE "${OMNIHIP_LLVM_DIR}/include")
endfunction()
