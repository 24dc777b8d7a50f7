# cmake -DOPT=<opt> -DIN=<bitcode> -DOUT=<bitcode> -DNM=<llvm-nm> -DDIS=<llvm-dis> -DAS=<llvm-as> -DPREFIX=<list>
# [-DOF_DRIVER=<list>] -P finish.cmake: makes everything private but the symbols that start with one of the prefixes, drops
# what nothing needs, takes away the attributes that keep functions from being inlined into kernels, and checks that no
# symbol is left undefined but those that the driver brings.
cmake_minimum_required(VERSION 3.25)
set(patterns "")
foreach(prefix IN LISTS PREFIX)
  list(APPEND patterns "--internalize-public-api-list=${prefix}*")
endforeach()
execute_process(COMMAND "${OPT}" ${patterns} "-passes=internalize,globaldce,strip-dead-prototypes" "${IN}" -o "${IN}.small.bc"
                COMMAND_ERROR_IS_FATAL ANY)
# A function that may not assume builtins (freestanding code, libclc) is not inlined into one that may.
execute_process(COMMAND "${DIS}" "${IN}.small.bc" -o "${IN}.ll" COMMAND_ERROR_IS_FATAL ANY)
# (CMake's own string(REPLACE) takes nine seconds for libclc's 50 MB.)
execute_process(COMMAND sed -i "s/ \"no-builtins\"//g; s/ \"uniform-work-group-size\"=\"false\"//g" "${IN}.ll" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${AS}" "${IN}.ll" -o "${OUT}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NM}" --undefined-only --format=just-symbols "${OUT}" OUTPUT_VARIABLE undefined
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" undefined "${undefined}")
list(REMOVE_ITEM undefined "" ${OF_DRIVER})
if(NOT undefined STREQUAL "")
  file(REMOVE "${OUT}")
  message(FATAL_ERROR "${OUT} needs functions that neither our sources nor libclc have:\n${undefined}")
endif()
