# cmake -DDEF=<env.def> -DOUT=<file.md> [-DCHECK=ON] -P environment_docs.cmake: the page of environment variables from the rows
# of src/runtime/base/env.def. Nobody edits the result by hand; target environment_docs makes docs/environment.md anew, and
# with CHECK the script fails when the file is not what the rows say.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/generated.cmake")
need_arguments(environment_docs.cmake DEF OUT)

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

write_or_check("${OUT}" "${text}" "${DEF}" environment_docs)
