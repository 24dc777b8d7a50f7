# cmake -DOPT=<opt> -DIN=<bitcode> -DOUT=<bitcode> -DPREFIX=<list> -P finish.cmake: makes everything private but the
# symbols that start with one of the prefixes, drops what nothing needs, and checks that no symbol is left undefined.
cmake_minimum_required(VERSION 3.25)
set(patterns "")
foreach(prefix IN LISTS PREFIX)
  list(APPEND patterns "--internalize-public-api-list=${prefix}*")
endforeach()
execute_process(COMMAND "${OPT}" ${patterns} "-passes=internalize,globaldce,strip-dead-prototypes" "${IN}" -o "${OUT}"
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "opt cannot finish ${OUT}.")
endif()
