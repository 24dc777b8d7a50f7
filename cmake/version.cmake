# The version of the SDK: HIP's API level (PROJECT_VERSION) and OMNIHIP_GIT_HASH, the source revision when the build tree
# was first configured. It stays the same after that: it is in a public header, and a new one would rebuild everything.
if(NOT OMNIHIP_GIT_HASH)
  if(EXISTS "${CMAKE_SOURCE_DIR}/.git")
    execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" rev-parse --short=10 HEAD
      OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT revision)
    set(revision "unknown") # a source archive
  endif()
  set(OMNIHIP_GIT_HASH "${revision}" CACHE STRING "Source revision that the version names")
endif()
