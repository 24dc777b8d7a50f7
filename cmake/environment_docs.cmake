# cmake -DDEF=<env.def> -DOUT=<file.md> [-DCHECK=ON] -P environment_docs.cmake: the page of environment variables from the rows
# of src/runtime/base/env.def. Nobody edits the result by hand; target environment_docs makes docs/environment.md anew, and
# with CHECK the script fails when the file is not what the rows say.
cmake_minimum_required(VERSION 3.25)
foreach(argument IN ITEMS DEF OUT)
  if(NOT DEFINED ${argument})
    message(FATAL_ERROR "environment_docs.cmake needs -D${argument}=<path>.")
  endif()
endforeach()

set(text "# Environment variables of the runtime\n\nAn unset or empty variable has its default.\n")
string(APPEND text "Made from src/runtime/base/env.def by the target `environment_docs`; not edited by hand.\n\n")
string(APPEND text "| variable | default | meaning |\n|---|---|---|\n")
file(STRINGS "${DEF}" rows REGEX "^RT_ENV\\(")
foreach(row IN LISTS rows)
  if(NOT row MATCHES "^RT_ENV\\(([A-Z0-9_]+), \"([^\"]*)\", \"(.*)\"\\)$")
    message(FATAL_ERROR "${DEF}: a row is not RT_ENV(name, \"default\", \"meaning\") on one line: ${row}")
  endif()
  string(APPEND text "| `${CMAKE_MATCH_1}` | ${CMAKE_MATCH_2} | ${CMAKE_MATCH_3} |\n")
endforeach()

if(CHECK)
  file(READ "${OUT}" present)
  if(NOT present STREQUAL text)
    message(FATAL_ERROR "${OUT} is not what ${DEF} says; build the target environment_docs and commit the result.")
  endif()
else()
  file(WRITE "${OUT}" "${text}")
endif()
