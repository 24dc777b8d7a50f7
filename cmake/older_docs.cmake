# cmake -DDEF=<older.def> -DOUT=<file.md> [-DCHECK=ON] -P older_docs.cmake: the page that says what differs in the libraries for older
# programs, from the rows of hip/api/older.def. Nobody edits the result by hand; target older_docs makes docs/older-libraries.md
# anew, and with CHECK the script fails when the file is not what the rows say.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/generated.cmake")
need_arguments(older_docs.cmake DEF OUT)

set(text "# What libamdhip64.so.6 and libamdhip64.so.5 do differently\n
All other entries are those of libamdhip64.so.7. Made from hip/api/older.def by the target `older_docs`; not edited by hand.\n
| entry | library | what |\n|---|---|---|\n")
file(STRINGS "${DEF}" lines REGEX "^(HIP_OLDER|    \")")
set(symbol "")
foreach(line IN LISTS lines)
  if(line MATCHES "^HIP_OLDER(_MISSING)?\\(IN_([56_]+), ([A-Za-z0-9_]+), hip_[0-9.]+,$" AND symbol STREQUAL "")
    set(missing "${CMAKE_MATCH_1}")
    string(REPLACE "_" ", " libraries ".so.${CMAKE_MATCH_2}")
    string(REPLACE ", " ", .so." libraries "${libraries}")
    set(symbol "${CMAKE_MATCH_3}")
  elseif(line MATCHES "^    \"(.+)\"\\)$" AND NOT symbol STREQUAL "")
    set(what "${CMAKE_MATCH_1}")
    if(missing)
      set(what "Not there: hipErrorNotSupported, and a message with its name. ${what}")
    endif()
    string(APPEND text "| `${symbol}` | ${libraries} | ${what} |\n")
    set(symbol "")
  else()
    message(FATAL_ERROR "${DEF}: a row is not HIP_OLDER(libraries, symbol, node, and a text on the next line: ${line}")
  endif()
endforeach()

write_or_check("${OUT}" "${text}" "${DEF}" older_docs)
