# Compiles SOURCE with the moved hipcc and with plain clang, and runs both programs.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${PREFIX}/bin/hipcc" "${SOURCE}" -o "${WORK}/by_hipcc")
run("${CLANGXX}" -O2 -x hip "--rocm-path=${PREFIX}" --offload-arch=gfx942 -D__HIP_PLATFORM_AMD__=1 "${SOURCE}"
    -o "${WORK}/by_clang" -frtlib-add-rpath)
foreach(program IN ITEMS by_hipcc by_clang)
  run("${WORK}/${program}")
  if(NOT output MATCHES "right")
    message(SEND_ERROR "${program} prints '${output}', not 'right'.")
  endif()
endforeach()
