# generated.cmake: what scripts that make a file of a table have in common.

# need_arguments(<script> <variable>...): ends the script when one of them was not given with -D.
function(need_arguments script)
  foreach(argument IN LISTS ARGN)
    if(NOT DEFINED ${argument})
      message(FATAL_ERROR "${script} needs -D${argument}=<path>.")
    endif()
  endforeach()
endfunction()

# write_or_check(<file> <text> <source> <target>): writes the text to the file, which the target makes of the source. With CHECK it
# fails instead when the file has another text.
function(write_or_check file text source target)
  if(NOT CHECK)
    file(WRITE "${file}" "${text}")
    return()
  endif()
  file(READ "${file}" present)
  if(NOT present STREQUAL text)
    message(FATAL_ERROR "${file} is not what ${source} says; build the target ${target} and commit the result.")
  endif()
endfunction()
