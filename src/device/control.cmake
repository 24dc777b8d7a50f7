# cmake -DOUT=<folder> -DWORK=<folder> -DASSEMBLER=<llvm-as> -DLAYOUT=<string> -DISAS="942;..." -P control.cmake: writes the small bitcode files that tell
# device code of the compile options, one constant each (oclc_*.bc), and the empty opencl.bc that clang wants to find.
cmake_minimum_required(VERSION 3.25)
set(header "target datalayout = \"${LAYOUT}\"\ntarget triple = \"amdgcn-amd-amdhsa\"\n")

function(write_bitcode name text)
  file(WRITE "${WORK}/${name}.ll" "${header}${text}")
  execute_process(COMMAND "${ASSEMBLER}" "${WORK}/${name}.ll" -o "${OUT}/${name}.bc" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "llvm-as cannot make ${name}.bc.")
  endif()
endfunction()
function(write_constant file symbol type value)
  write_bitcode(${file} "@${symbol} = linkonce_odr hidden local_unnamed_addr addrspace(4) constant ${type} ${value}\n")
endfunction()

write_bitcode(opencl "")
foreach(pair IN ITEMS "unsafe_math=__oclc_unsafe_math_opt" "finite_only=__oclc_finite_only_opt"
                      "correctly_rounded_sqrt=__oclc_correctly_rounded_sqrt32" "wavefrontsize64=__oclc_wavefrontsize64"
                      "daz_opt=__oclc_daz_opt")
  string(REGEX MATCH "^(.*)=(.*)$" matched "${pair}")
  write_constant(oclc_${CMAKE_MATCH_1}_on ${CMAKE_MATCH_2} i8 1)
  write_constant(oclc_${CMAKE_MATCH_1}_off ${CMAKE_MATCH_2} i8 0)
endforeach()
foreach(version IN ITEMS 400 500 600)
  write_constant(oclc_abi_version_${version} __oclc_ABI_version i32 ${version})
endforeach()
# The processor as a number: 1000 * major + 100 * minor + stepping, gfx90a giving 9010. Generic targets count as their
# family's first member.
foreach(isa IN LISTS ISAS)
  string(REGEX REPLACE "-generic$" "-0" digits "${isa}")
  if(digits MATCHES "^([0-9]+)-([0-9]+)-0$")
    math(EXPR number "1000 * ${CMAKE_MATCH_1} + 100 * ${CMAKE_MATCH_2}")
  elseif(digits MATCHES "^([0-9]+)-0$")
    math(EXPR number "1000 * ${CMAKE_MATCH_1}")
  elseif(digits MATCHES "^([0-9]+)([0-9])([0-9a-f])$")
    math(EXPR number "1000 * ${CMAKE_MATCH_1} + 100 * ${CMAKE_MATCH_2} + 0x${CMAKE_MATCH_3}")
  else()
    message(FATAL_ERROR "'${isa}' is no processor name that control.cmake can read.")
  endif()
  write_constant(oclc_isa_version_${isa} __oclc_ISA_version i32 ${number})
endforeach()
file(TOUCH "${WORK}/oclc.stamp")
