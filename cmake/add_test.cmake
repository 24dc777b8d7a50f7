# omnihip_add_test(<name> COMMAND <word>... [TIMEOUT <seconds>] [LABELS <label>...] [ENVIRONMENT <name=value>...]): a test of
# CTest with the environment and the time that the build's sanitizer wants (sanitizers.cmake). Without TIMEOUT: 300 s.
# What is cached on disk lies in the build folder.
function(omnihip_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT")
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  math(EXPR seconds "${T_TIMEOUT} * ${OMNIHIP_TEST_TIME_FACTOR}")
  add_test(NAME ${name} COMMAND ${T_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds} LABELS "${T_LABELS}"
    ENVIRONMENT "OMNIHIP_CACHE_DIR=${CMAKE_BINARY_DIR}/test-cache;OMNIHIP_TIER_FINISH=0;${T_ENVIRONMENT};${OMNIHIP_TEST_ENVIRONMENT}")
endfunction()
