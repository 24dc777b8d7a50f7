# cmake -DTESTS=<folder of test programs> -DE2E=<folder of end-to-end programs, or empty> -DCUDA=<fake driver>
# -DCHECK=<api_coverage_check> -DOUT=<folder> -P run.cmake: runs the tests of the API with every call traced, each set as in its
# own case of CTest, and checks what the calls returned. Calls with random arguments, which assert no result, are left out.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${OUT}")
file(MAKE_DIRECTORY "${OUT}")
set(traces "")

# record(<name> ENVIRONMENT <name=value>... COMMAND <word>...)
function(record name)
  cmake_parse_arguments(PARSE_ARGV 1 R "" "" "ENVIRONMENT;COMMAND")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env OMNIHIP_TRACE=1 ${R_ENVIRONMENT} ${R_COMMAND}
    OUTPUT_FILE "${OUT}/${name}.out" ERROR_FILE "${OUT}/${name}.trace" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${name} ended with ${result}; its output is in ${OUT}/${name}.out")
  endif()
  set(traces ${traces} "${OUT}/${name}.trace" PARENT_SCOPE)
endfunction()

set(api "${TESTS}/api_null" "~[.]~Random calls with any arguments")
set(fake "OMNIHIP_CUDA_DRIVER=${CUDA}")
record(null ENVIRONMENT OMNIHIP_BACKEND=null COMMAND ${api})
record(soft COMMAND ${api})
record(cuda ENVIRONMENT OMNIHIP_BACKEND=cuda "${fake}" COMMAND ${api})
record(cuda_two ENVIRONMENT OMNIHIP_BACKEND=cuda "${fake}" FAKE_CUDA_DEVICES=2 COMMAND "${TESTS}/api_null" "[two]")
record(vendors ENVIRONMENT "${fake}" OMNIHIP_SOFT_DEVICES=1 COMMAND "${TESTS}/api_null" "[vendors]")
record(soft_two ENVIRONMENT OMNIHIP_SOFT_DEVICES=2 COMMAND "${TESTS}/api_null" "[two]")
record(none ENVIRONMENT OMNIHIP_SOFT_DEVICES=0 COMMAND "${TESTS}/api_null" "[no_device]")
record(link ENVIRONMENT OMNIHIP_CACHE=0 COMMAND "${TESTS}/api_rtc" "[link]")
record(memory_faults ENVIRONMENT OMNIHIP_BACKEND=null COMMAND "${TESTS}/api_allocation_faults")
foreach(program IN ITEMS captures graphs groups ipc memory mempool stream_values variables vmm)
  record(${program} COMMAND "${E2E}/e2e_${program}_O3")
endforeach()

execute_process(COMMAND "${CHECK}" ${traces} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "The tests of the API do not show all that they should.")
endif()
