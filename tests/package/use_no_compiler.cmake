# A program that compiles at run time, with the moved SDK, where no clang is installed: SOURCE/hide_compilers.cpp hides it. By child
# processes, which need one, it cannot; which shows that it is hidden.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REAL_PATH "${PREFIX}" PREFIX) # by which the SDK's libraries know it
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run("${CLANGXX}" -O1 -shared -fPIC "${SOURCE}/hide_compilers.cpp" -o "${WORK}/libhide.so" -ldl)
run("${CLANGXX}" -O1 -D__HIP_PLATFORM_AMD__=1 "-I${PREFIX}/include" "${CMAKE_CURRENT_LIST_DIR}/consumer/rtc.cpp" -o "${WORK}/program"
    "-L${PREFIX}/lib" "-Wl,-rpath,${PREFIX}/lib" -lhiprtc -lamdhip64)
set(hidden "${CMAKE_COMMAND}" -E env --unset=LLVM_PATH PATH=/nonexistent OMNIHIP_CACHE=0 "OMNIHIP_TEST_SDK=${PREFIX}"
    "LD_PRELOAD=${WORK}/libhide.so")
run(${hidden} "${WORK}/program")
if(NOT output MATCHES "right")
  message(SEND_ERROR "Without an installed compiler the program prints '${output}', not 'right'.")
endif()
run(${hidden} OMNIHIP_RTC_CHILD=1 "${WORK}/program")
if(NOT output MATCHES "no compiler: .*clang")
  message(SEND_ERROR "Compilers are not hidden: in child processes the program prints '${output}'.")
endif()
