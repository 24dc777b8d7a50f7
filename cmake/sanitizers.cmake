# OMNIHIP_SANITIZE=address gives AddressSanitizer with UndefinedBehaviorSanitizer, =thread gives ThreadSanitizer. Besides the
# flags of our own targets it decides what programs that our hipcc compiles need (a library built with a sanitizer takes the
# sanitizer's run time from the program), what tests find in their environment and how long they may take: add_test.cmake.
set(OMNIHIP_HIPCC_FLAGS "")       # options for hipcc, wherever a rule of ours runs it
set(OMNIHIP_TEST_ENVIRONMENT "")  # of every test
set(OMNIHIP_TEST_TIME_FACTOR 1)   # on every test's time limit
if(OMNIHIP_SANITIZE STREQUAL "address")
  set(sanitize -fsanitize=address,undefined)
  add_compile_options(${sanitize} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # The engine's handler of SIGSEGV takes the place of the sanitizer's, which answers whatever the engine passes on.
  set(OMNIHIP_TEST_ENVIRONMENT "ASAN_OPTIONS=handle_segv=1:handle_sigbus=1:detect_leaks=1" "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1")
  set(OMNIHIP_TEST_TIME_FACTOR 5)
elseif(OMNIHIP_SANITIZE STREQUAL "thread")
  set(sanitize -fsanitize=thread)
  add_compile_options(${sanitize} -fno-omit-frame-pointer)
  set(OMNIHIP_TEST_ENVIRONMENT 
    "TSAN_OPTIONS=handle_segv=1:handle_sigbus=1:second_deadlock_stack=1:suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp")
  set(OMNIHIP_TEST_TIME_FACTOR 10)
elseif(OMNIHIP_SANITIZE)
  message(FATAL_ERROR "OMNIHIP_SANITIZE is '${OMNIHIP_SANITIZE}'; it takes 'address', 'thread' or nothing.")
endif()
if(OMNIHIP_SANITIZE)
  add_compile_options(-gline-tables-only) # what a report's stacks need; variables and types take a sixth more time to compile
  add_link_options(${sanitize})
  # clang leaves kernels alone and says so. (Its -fno-gpu-sanitize makes it forget options such as -I.)
  set(OMNIHIP_HIPCC_FLAGS ${sanitize} -Wno-option-ignored)
  list(JOIN OMNIHIP_HIPCC_FLAGS " " words)
  list(APPEND OMNIHIP_TEST_ENVIRONMENT "HIPCC_COMPILE_FLAGS_APPEND=${words}" "HIPCC_LINK_FLAGS_APPEND=${words}") # where a test runs hipcc
endif()

# omnihip_without_checks(<target> <check>...): leaves out checks of UndefinedBehaviorSanitizer, by their names behind
# -fno-sanitize=, where the target does on purpose what they forbid.
function(omnihip_without_checks target)
  if(OMNIHIP_SANITIZE STREQUAL "address")
    list(TRANSFORM ARGN PREPEND -fno-sanitize= OUTPUT_VARIABLE options)
    target_compile_options(${target} PRIVATE ${options})
  endif()
endfunction()
