# Installs BUILD, moves the tree to PREFIX, and checks that nothing of the SDK is missing or still names the old place.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
set(first "${PREFIX}-first")
file(REMOVE_RECURSE "${first}" "${PREFIX}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${first}")
file(RENAME "${first}" "${PREFIX}")

foreach(part IN ITEMS
    bin/hipcc bin/hipconfig bin/hipinfo bin/rocm_agent_enumerator bin/rocminfo bin/rocm-smi bin/amd-smi bin/hipify-perl bin/hipify
    bin/amdclang bin/amdclang++ llvm/bin/clang++ llvm/bin/ld.lld llvm/bin/llvm-objdump bin/hipexamine-perl.sh bin/hipexamine.sh bin/hipconvertinplace-perl.sh bin/hipconvertinplace.sh include/hip/hip_runtime.h include/hip/hip_version.h
    lib/libamdhip64.so lib/libamdhip64.so.7 lib/libamdhip64.so.6 lib/libamdhip64.so.5
    lib/libamd_comgr.so.3 lib/librocm_smi64.so.7 lib/librocm_smi64.so.1 lib/libamd_smi.so.27 lib/libroctx64.so.4 lib/librocprofiler-register.so.0 lib/librocm-core.so.1
    lib/libomnihip_cuda_runtime.so.1 lib/libomnihip_cuda_driver.so.1 cuda/lib64/libcudart.so cuda/lib64/libcuda.so
    lib/libhiprtc.so.7 lib/libhiprtc.so.6 lib/libhiprtc.so.5 amdgcn/bitcode/ocml.bc amdgcn/bitcode/ockl.bc share/hip/version
    lib/cmake/hip/hip-config.cmake lib/cmake/hip/hip-config-version.cmake lib/cmake/hip/hip-targets.cmake
    lib/cmake/hip/hip-targets-nvidia.cmake
    lib/cmake/hip-lang/hip-lang-config.cmake lib/cmake/hiprtc/hiprtc-config.cmake lib/cmake/hiprtc/hiprtc-config-version.cmake lib/pkgconfig/hip.pc
    include/amd_comgr/amd_comgr.h include/rocm-core/rocm_version.h include/rocm-core/rocm_getpath.h .info/version
    lib/llvm/bin/clang++ lib/llvm/bin/clang-offload-bundler)
  if(NOT EXISTS "${PREFIX}/${part}")
    message(SEND_ERROR "The installed SDK has no ${part}.")
  endif()
endforeach()

file(GLOB_RECURSE texts "${PREFIX}/lib/cmake/*" "${PREFIX}/lib/pkgconfig/*" "${PREFIX}/share/*" "${PREFIX}/include/*")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  foreach(place IN ITEMS "${first}" "${BUILD}")
    string(FIND "${text}" "${place}" at)
    if(NOT at EQUAL -1)
      message(SEND_ERROR "${file} names ${place}, so the SDK cannot be moved.")
    endif()
  endforeach()
endforeach()

# What scripts ask for ROCm's version, and HIP's own file.
file(STRINGS "${PREFIX}/.info/version" version)
run("${PREFIX}/bin/hipconfig" --version)
if(NOT output MATCHES "^${version}-")
  message(SEND_ERROR ".info/version says '${version}', hipconfig '${output}'.")
endif()
file(READ_SYMLINK "${PREFIX}/llvm" link)
if(NOT link STREQUAL "lib/llvm")
  message(SEND_ERROR "llvm is a link to ${link}, not to lib/llvm beside it.")
endif()

run("${PREFIX}/bin/hipconfig" --path)
if(NOT output STREQUAL "${PREFIX}")
  message(SEND_ERROR "hipconfig says the SDK is in '${output}'; it is in '${PREFIX}'.")
endif()
run("${PREFIX}/bin/hipconfig" --check)
run("${PREFIX}/bin/hipinfo")
run("${PREFIX}/bin/rocminfo")
run("${PREFIX}/bin/amd-smi" list)
run("${PREFIX}/bin/hipify" --version)
