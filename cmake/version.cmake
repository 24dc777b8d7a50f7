# The version of the SDK: HIP's API level (PROJECT_VERSION) and OMNIHIP_GIT_HASH, the source revision at configuration.
set(OMNIHIP_GIT_HASH "")
if(EXISTS "${CMAKE_SOURCE_DIR}/.git")
  execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" rev-parse --short=10 HEAD
    OUTPUT_VARIABLE OMNIHIP_GIT_HASH OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT OMNIHIP_GIT_HASH)
  set(OMNIHIP_GIT_HASH "unknown") # a source archive
endif()
