# cmake -DOPT=<opt> -DIN=<bitcode> -DOUT=<bitcode> -DNM=<llvm-nm> -DPREFIX=<list> -P finish.cmake: makes everything private but the
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
execute_process(COMMAND "${NM}" --undefined-only --format=just-symbols "${OUT}" OUTPUT_VARIABLE undefined
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT undefined STREQUAL "")
  file(REMOVE "${OUT}")
  message(FATAL_ERROR "${OUT} needs functions that neither our sources nor libclc have:\n${undefined}")
endif()
