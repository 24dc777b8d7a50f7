# run(<command> ...): runs a command; its failure ends the test with its output.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " line "${ARGN}")
    message(FATAL_ERROR "'${line}' ends with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
