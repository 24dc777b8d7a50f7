# Compiles SOURCE with the moved hipcc, with plain clang, and with the compiler in the places that ROCm has it in, which finds the SDK
# by itself, and runs all programs.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${PREFIX}/bin/hipcc" "${SOURCE}" -o "${WORK}/by_hipcc")
run("${CLANGXX}" -O2 -x hip "--rocm-path=${PREFIX}" --offload-arch=gfx942 -D__HIP_PLATFORM_AMD__=1 "${SOURCE}"
    -o "${WORK}/by_clang" -frtlib-add-rpath)
run("${PREFIX}/bin/amdclang++" -O2 -x hip --offload-arch=gfx942 "${SOURCE}" -o "${WORK}/by_amdclang" -frtlib-add-rpath)
run("${PREFIX}/lib/llvm/bin/clang++" -O2 -x hip --offload-arch=gfx942 "${SOURCE}" -o "${WORK}/by_llvm" -frtlib-add-rpath)
foreach(program IN ITEMS by_hipcc by_clang by_amdclang by_llvm)
  run("${WORK}/${program}")
  if(NOT output MATCHES "right")
    message(SEND_ERROR "${program} prints '${output}', not 'right'.")
  endif()
endforeach()
