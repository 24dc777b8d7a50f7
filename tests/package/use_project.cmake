# Configures, builds and runs the project SOURCE, which makes PROGRAMS programs or more, against the SDK in PREFIX, with clang
# and nothing of ours on PATH but what a user would put there.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${WORK}")
set(ENV{ROCM_PATH} "${PREFIX}")
run("${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${WORK}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
    "-DCMAKE_CXX_COMPILER=${CLANGXX}" "-DCMAKE_HIP_COMPILER=${CLANGXX}" "-DCMAKE_HIP_COMPILER_ROCM_ROOT=${PREFIX}")
unset(ENV{ROCM_PATH}) # wanted while CMake tries the compiler; the build has it in its options
set(ENV{HIP_PATH} "${WORK}/nonexistent") # another SDK's, which is gone
run("${CMAKE_COMMAND}" --build "${WORK}")
file(GLOB programs "${WORK}/bin/*")
list(LENGTH programs count)
if(count LESS PROGRAMS)
  message(FATAL_ERROR "The project makes ${count} programs, not ${PROGRAMS}: ${programs}")
endif()
foreach(program IN LISTS programs)
  run("${program}")
  if(NOT output MATCHES "right")
    message(SEND_ERROR "${program} prints '${output}', not 'right'.")
  endif()
endforeach()
