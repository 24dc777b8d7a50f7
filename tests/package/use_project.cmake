# Configures, builds and runs the project SOURCE, which makes PROGRAMS programs or more, against the SDK in PREFIX, with clang
# and nothing of ours on PATH but what a user would put there.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${WORK}")
set(ENV{PATH} "${PREFIX}/bin:$ENV{PATH}") # CMake asks hipconfig for the compiler of its HIP language
run("${CMAKE_COMMAND}" -G Ninja -S "${SOURCE}" -B "${WORK}" "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DCMAKE_CXX_COMPILER=${CLANGXX}")
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
